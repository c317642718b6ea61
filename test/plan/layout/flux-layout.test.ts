import {describe, expect, it} from '@jest/globals'
import {layOut} from '../../../src/plan/layout/lay-out.js'
import type {SetObject} from '../../../src/render/install-set.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'
import {asObject, asText} from '../../../src/yaml/json-value.js'
import {objectOf, twoInstalls} from '../folder/two-installs.js'
import {crd, FLUX, installOf, setOfInstalls, treeOf} from './some-tree.js'

const specAt = (tree: ReturnType<typeof treeOf>, name: string) => asObject(tree[`flux/${name}.yaml`]?.spec)
const annotationsAt = (tree: ReturnType<typeof treeOf>, path: string) =>
  asObject(tree[path]?.metadata).annotations

describe('the layout flux', () => {
  const set = {
    ...twoInstalls('v1'),
    installs: [installOf('crossplane-system/gcp', 'app/blog'), installOf('app/blog')],
  }

  it('has a Kustomization for each shared folder and each install, and the top lists nothing else', () => {
    const tree = treeOf(set, {layout: FLUX})
    expect(tree['kustomization.yaml']?.resources).toEqual(['flux'])
    expect(tree['flux/kustomization.yaml']?.resources).toEqual([
      'namespaces.yaml',
      'crds.yaml',
      'base.yaml',
      'crossplane-system.gcp.yaml',
      'app.blog.yaml',
    ])
    expect(tree['flux/crossplane-system.gcp.yaml']).toEqual({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: {name: 'packages-crossplane-system.gcp', namespace: 'flux-system'},
      spec: {
        dependsOn: [{name: 'packages-namespaces'}, {name: 'packages-crds'}, {name: 'packages-base'}],
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

  it('orders phases, and installs after those that they require', () => {
    const tree = treeOf(set, {layout: FLUX})
    const before = (name: string) => specAt(tree, name).dependsOn
    expect(before('namespaces')).toBeUndefined()
    expect(before('crds')).toEqual([{name: 'packages-namespaces'}])
    expect(before('base')).toEqual([{name: 'packages-namespaces'}, {name: 'packages-crds'}])
    expect(before('app.blog')).toContainEqual({name: 'packages-crossplane-system.gcp'})
  })

  it('has no cycle where packages require each other, which Flux would never start', () => {
    const cyclic = setOfInstalls([installOf('a/one', 'a/two'), installOf('a/two', 'a/one')])
    const tree = treeOf(cyclic, {layout: FLUX})
    expect(specAt(tree, 'a.one').dependsOn).toBeUndefined()
    expect(specAt(tree, 'a.two').dependsOn).toEqual([{name: 'packages-a.one'}])
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
    const tree = treeOf(setOfInstalls([installOf('a/one')], [crd]), {layout: FLUX, externalCrds: true})
    expect(Object.keys(tree).filter(path => path.startsWith('crds/'))).toEqual(['crds/kustomization.yaml'])
    expect(tree['crds/kustomization.yaml']?.resources).toEqual([])
    expect(specAt(tree, 'crds')).toMatchObject({
      prune: false,
      healthChecks: [
        {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          name: 'records.example.org',
        },
      ],
    })
    expect(specAt(tree, 'a.one').dependsOn).toEqual([{name: 'packages-crds'}])
  })

  it.each([
    {path: '', want: {name: 'packages-a.one', path: './installs/a.one'}},
    {
      path: 'Team_A/packages',
      want: {name: 'team-a-packages-a.one', path: './Team_A/packages/installs/a.one'},
    },
  ])('names what is in "$path" of the repository', ({path, want}) => {
    const tree = treeOf(setOfInstalls([installOf('a/one')]), {layout: FLUX, path})
    const {metadata, spec} = tree['flux/a.one.yaml'] ?? {}
    expect({name: asObject(metadata).name, path: asObject(spec).path}).toEqual(want)
  })

  it('has the given name, for trees of several repositories in one cluster', () => {
    const layout = {...FLUX, settings: {...FLUX.settings, name: 'team-a'}}
    const tree = treeOf(setOfInstalls([installOf('a/one')]), {layout})
    expect(tree['flux/a.one.yaml']?.metadata).toEqual({name: 'team-a-a.one', namespace: 'flux-system'})
    const files = layOut(set, {layout, path: 'packages', externalCrds: false}, value => writeYaml([value]))
    expect(files.find(({path}) => path === 'flux/start.yaml')?.content).toContain('name: team-a\n')
  })

  it('keeps names short enough for the labels that Flux makes of them', () => {
    const long = installOf(`${'n'.repeat(60)}/${'p'.repeat(60)}`)
    const tree = treeOf(setOfInstalls([long]), {layout: FLUX})
    const [kustomization] = Object.entries(tree).filter(([path]) => /^flux\/n/.test(path))
    expect(asText(asObject(kustomization?.[1].metadata).name)).toHaveLength(63)
  })

  it('includes a source to start from, which is not part of the tree', () => {
    const files = layOut(set, {layout: FLUX, path: 'packages', externalCrds: false}, value =>
      writeYaml([value]),
    )
    const start = files.find(({path}) => path === 'flux/start.yaml')?.content
    expect(start).toMatch(/^# /)
    expect(start).toContain('kind: GitRepository')
    expect(start).toContain('path: ./packages\n')
  })
})
