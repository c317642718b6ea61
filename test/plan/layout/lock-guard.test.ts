import {describe, expect, it} from '@jest/globals'
import {layOutXpkgs} from '../../../src/plan/layout/xpkg/lay-out-xpkgs.js'
import {lockGuard} from '../../../src/plan/layout/xpkg/lock-guard.js'
import {asObject, type JsonObject} from '../../../src/yaml/json-value.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'

const DIGEST = `sha256:${'0'.repeat(64)}`

function request(name: string, reference: string, spec: JsonObject = {skipDependencyResolution: true}) {
  const object = {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name},
    spec: {package: reference, ...spec},
  }
  return {stage: 1, object}
}

const MINE = request('mine', 'r.example.org:5000/x/p:v1.0.0')

describe('the object by which a tree waits for the Lock', () => {
  it.each([
    {name: 'a name that Crossplane would derive', objects: [request('x-p', 'r.example.org/x/p:v1.0.0')]},
    {name: 'the resolver', objects: [request('mine', 'r.example.org/x/p:v1.0.0', {})]},
    {name: 'no packages', objects: []},
    {name: 'a name of its own', objects: [MINE], want: ' r.example.org:5000/x/p@v1.0.0 '},
    {
      name: 'several, by tag and by digest',
      objects: [MINE, request('b', `r.example.org/x/q@${DIGEST}`), request('x-r', 'r.example.org/x/r:v1')],
      want: ` r.example.org:5000/x/p@v1.0.0 r.example.org/x/q@${DIGEST} `,
    },
  ])('has the versions for $name', ({objects, want}) => {
    const found = lockGuard(objects).map(({object}) => object.metadata.annotations)
    expect(found).toEqual(want === undefined ? [] : [{'kubectl-crossplane/versions': want}])
  })

  it.each([
    {layout: 'plain', settings: {}, want: []},
    {
      layout: 'flux',
      settings: {source: 's', namespace: 'n', interval: '1m'},
      want: ['config/lock-lock.yaml'],
    },
    {
      layout: 'argocd',
      settings: {
        repoURL: 'u',
        targetRevision: 'HEAD',
        destination: {},
        project: 'p',
        namespace: 'n',
        refresh: true,
      },
      want: ['xpkgs/lock-lock.yaml'],
    },
  ])('is in the first stage of the layout $layout', ({layout, settings, want}) => {
    const options = {layout: {name: layout, settings}, path: 'packages', xpkgFolder: 'xpkgs'}
    const set = {objects: [MINE], warnings: []}
    const files = layOutXpkgs(set, options as Parameters<typeof layOutXpkgs>[1], one => writeYaml([one]))
    const locks = files.filter(({object}) => object?.kind === 'Lock')
    expect(locks.map(({path}) => path)).toEqual(want)
    // Flux would take over the packages in it from Crossplane, and remove them.
    for (const {object} of locks) {
      const {'kustomize.toolkit.fluxcd.io/ssa': merging} = object?.metadata.annotations ?? {}
      expect(merging).toBe(layout === 'flux' ? 'Merge' : undefined)
    }
    const checks = files.filter(({content}) => content.includes('kubectl-crossplane/versions'))
    // The object itself, and the check of its controller.
    expect(checks).toHaveLength(want.length * 2)
    const [lock] = files.flatMap(({object}) => (object?.kind === 'Lock' ? [object] : []))
    // Only Crossplane changes its packages.
    expect(Object.keys(asObject(lock))).toEqual(lock === undefined ? [] : ['apiVersion', 'kind', 'metadata'])
  })
})
