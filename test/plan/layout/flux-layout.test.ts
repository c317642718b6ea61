import {describe, expect, it} from '@jest/globals'
import {layOut} from '../../../src/plan/layout/lay-out.js'
import type {TreeOptions} from '../../../src/plan/layout/layout.js'
import {guardedStart} from '../../../src/plan/folder/tree-guard.js'
import type {InstallSet, SetObject} from '../../../src/render/install-set.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'
import {asObject, asText} from '../../../src/yaml/json-value.js'
import {objectOf, twoInstalls} from '../folder/two-installs.js'
import {baseCrd, crd, FLUX, installOf, ownedBy, setOfInstalls, treeOf} from './some-tree.js'

const specAt = (tree: ReturnType<typeof treeOf>, name: string) =>
  asObject(tree[`flux/kustomizations/${name}.yaml`]?.spec)
const annotationsAt = (tree: ReturnType<typeof treeOf>, path: string) =>
  asObject(tree[path]?.metadata).annotations

/** The text of a file of a tree. */
function fileAt(
  path: string,
  set: InstallSet = twoInstalls('v1'),
  options: Partial<TreeOptions> = {},
): string {
  const files = layOut(set, {layout: FLUX, path: 'packages', externalCrds: false, ...options}, value =>
    writeYaml([value]),
  )
  return files.find(each => each.path === path)?.content ?? ''
}

describe('the layout flux', () => {
  const set = {
    ...twoInstalls('v1'),
    installs: [installOf('crossplane-system/gcp', 'app/blog'), installOf('app/blog')],
  }

  it('has a Kustomization for each shared folder and each install, which no file lists', () => {
    const tree = treeOf(set, {layout: FLUX})
    expect(Object.keys(tree).filter(path => /^flux|kustomization\.yaml$/.test(path))).toEqual([
      'flux/kustomizations/app.blog.yaml',
      'flux/kustomizations/base.yaml',
      'flux/kustomizations/crds.yaml',
      'flux/kustomizations/crossplane-system.gcp.yaml',
      'flux/kustomizations/namespaces.yaml',
      'installs/app.blog/kustomization.yaml',
      'installs/crossplane-system.gcp/kustomization.yaml',
    ])
    expect(tree['flux/kustomizations/crossplane-system.gcp.yaml']).toEqual({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: {name: 'packages-crossplane-system.gcp', namespace: 'flux-system'},
      spec: {
        dependsOn: [{name: 'packages-namespaces'}, {name: 'packages-base'}],
        healthChecks: [
          {apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'crossplane-system', name: 'gcp-controller'},
        ],
        interval: '10m',
        path: './packages/installs/crossplane-system.gcp',
        prune: true,
        retryInterval: '1m',
        sourceRef: {kind: 'GitRepository', name: 'flux-system'},
        timeout: '5m',
      },
    })
  })

  it('orders installs after those that they require, and not those that require each other', () => {
    const installs = ['a/one', 'a/two', 'a/three'].map((key, index, all) =>
      installOf(key, ...[all[1 - index], index === 0 ? 'a/four' : undefined].flatMap(each => each ?? [])),
    )
    const tree = treeOf(setOfInstalls([...installs, installOf('a/four')]), {layout: FLUX})
    const before = (name: string) => specAt(tree, name).dependsOn
    expect(['a.one', 'a.two', 'a.three', 'a.four'].map(before)).toEqual([
      undefined,
      undefined,
      undefined,
      [{name: 'packages-a.one'}],
    ])
  })

  it('orders only installs that share CRDs after these, which several installs have', () => {
    const installs = ['a/one', 'b/one', 'a/two'].map(key => installOf(key))
    const other = {...crd, object: {...crd.object, metadata: {name: 'others.example.org'}}}
    const crds = [ownedBy(crd, 'a/one', 'b/one'), ownedBy(other, 'a/two'), baseCrd]
    const tree = treeOf(setOfInstalls(installs, crds), {layout: FLUX})
    expect(Object.keys(tree).filter(path => path.endsWith('.example.org.yaml'))).toEqual([
      'base/packages.example.org.yaml',
      'crds/records.example.org.yaml',
      'installs/a.two/others.example.org.yaml',
    ])
    const [base, shared] = [{name: 'packages-base'}, {name: 'packages-crds'}]
    expect(['a.one', 'b.one', 'a.two'].map(name => specAt(tree, name).dependsOn)).toEqual([
      [shared, base],
      [shared, base],
      [base],
    ])
  })

  it('has the Kustomization of an install of which only CRDs are left', () => {
    const tree = treeOf(setOfInstalls([], [ownedBy(crd, 'a/one')]), {layout: FLUX})
    expect(specAt(tree, 'a.one')).toMatchObject({path: './packages/installs/a.one', wait: true})
  })

  it('keeps the folder that Flux scans, so that it deletes the last install', () => {
    const tree = treeOf(setOfInstalls([]), {layout: FLUX})
    expect(tree).toEqual({'flux/kustomizations/kustomization.yaml': expect.objectContaining({resources: []})})
  })

  it('waits for all objects where an install has no controller', () => {
    const {healthChecks, wait} = specAt(treeOf(set, {layout: FLUX}), 'app.blog')
    expect({healthChecks, wait}).toEqual({healthChecks: undefined, wait: true})
  })

  it('keeps namespaces and CRDs, replaces bindings, and leaves other objects as they are', () => {
    const binding: SetObject = {
      ...{phase: 'identity', install: {namespace: 'crossplane-system', name: 'gcp'}},
      object: objectOf('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'gcp'),
    }
    const tree = treeOf({...set, objects: [...set.objects, binding]}, {layout: FLUX})
    const kept = {'kustomize.toolkit.fluxcd.io/prune': 'disabled'}
    expect(annotationsAt(tree, 'namespaces/app.yaml')).toEqual(kept)
    expect(annotationsAt(tree, 'crds/buckets.storage.example.org.yaml')).toEqual(kept)
    expect([specAt(tree, 'namespaces').prune, specAt(tree, 'crds').prune]).toEqual([false, false])
    expect(annotationsAt(tree, 'installs/crossplane-system.gcp/clusterrolebinding-gcp.yaml')).toEqual({
      'kustomize.toolkit.fluxcd.io/force': 'enabled',
    })
    expect(tree['installs/app.blog/record-blog.yaml']?.metadata).toEqual({name: 'blog', namespace: 'app'})
  })

  it('drops annotations by which a package would decide about reconciliation', () => {
    const metadata = {
      name: 'records.example.org',
      annotations: {'kustomize.toolkit.fluxcd.io/ssa': 'Ignore', 'example.org/own': 'yes'},
    }
    const tree = treeOf(setOfInstalls([], [{...crd, object: {...crd.object, metadata}}]), {layout: FLUX})
    expect(annotationsAt(tree, 'crds/records.example.org.yaml')).toEqual({
      'example.org/own': 'yes',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    })
  })

  it('waits for the CRDs of another declaration, which are not in the tree', () => {
    const [one, two] = [installOf('a/one'), installOf('a/two')]
    const external = setOfInstalls([one, two], [ownedBy(crd, 'a/one')])
    const tree = treeOf(external, {layout: FLUX, externalCrds: true})
    expect(Object.keys(tree).filter(path => path.startsWith('crds/'))).toEqual(['crds/kustomization.yaml'])
    expect(tree['crds/kustomization.yaml']?.resources).toEqual([])
    const text = fileAt('flux/kustomizations/a.one.yaml', external, {externalCrds: true})
    const [waiting, install] = readYaml(Buffer.from(text), 'a file').map(({value}) => asObject(value))
    expect(waiting).toMatchObject({
      metadata: {name: 'packages-a.one-crds'},
      spec: {
        path: './packages/crds',
        prune: false,
        healthChecks: [
          {
            apiVersion: 'apiextensions.k8s.io/v1',
            kind: 'CustomResourceDefinition',
            name: 'records.example.org',
          },
        ],
      },
    })
    expect(asObject(install?.spec).dependsOn).toEqual([{name: 'packages-a.one-crds'}])
    expect(specAt(tree, 'a.two').dependsOn).toBeUndefined()
  })

  it.each([
    {path: '', want: {name: 'packages-a.one', path: './installs/a.one'}},
    {
      path: 'Team_A/packages',
      want: {name: 'team-a-packages-a.one', path: './Team_A/packages/installs/a.one'},
    },
  ])('names what is in "$path" of the repository', ({path, want}) => {
    const tree = treeOf(setOfInstalls([installOf('a/one')]), {layout: FLUX, path})
    const {metadata, spec} = tree['flux/kustomizations/a.one.yaml'] ?? {}
    expect({name: asObject(metadata).name, path: asObject(spec).path}).toEqual(want)
  })

  it('has the requested name, for trees of several repositories in one cluster', () => {
    const layout = {...FLUX, settings: {...FLUX.settings, name: 'team-a'}}
    const tree = treeOf(setOfInstalls([installOf('a/one')]), {layout})
    expect(tree['flux/kustomizations/a.one.yaml']?.metadata).toEqual({
      name: 'team-a-a.one',
      namespace: 'flux-system',
    })
    expect(fileAt('flux/start.yaml', set, {layout})).toContain('name: team-a\n')
  })

  it('keeps names short enough for the labels that Flux makes of them', () => {
    const long = installOf(`${'n'.repeat(60)}/${'p'.repeat(60)}`)
    const tree = treeOf(setOfInstalls([long]), {layout: FLUX})
    const [kustomization] = Object.entries(tree).filter(([path]) => /^flux\/kustomizations\/n/.test(path))
    expect(asText(asObject(kustomization?.[1].metadata).name)).toHaveLength(63)
  })

  it('includes a source to start from, which is not part of the tree', () => {
    const start = fileAt('flux/start.yaml')
    expect(start).toMatch(/^# /)
    expect(start).toContain('kind: GitRepository')
    expect(start).toContain('path: ./packages/flux/kustomizations\n')
  })

  it('cannot be applied as a whole, as earlier layouts were: their controllers would delete objects', () => {
    const guard = fileAt('kustomization.yaml')
    expect(guard).toContain('resources:\n- apply-flux-start.yaml\n')
    expect(guardedStart(guard)).toBe('flux/start.yaml')
  })
})
