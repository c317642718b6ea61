import {describe, expect, it} from '@jest/globals'
import type {SetObject} from '../../../src/render/install-set.js'
import {asObject} from '../../../src/yaml/json-value.js'
import {objectOf} from '../folder/two-installs.js'
import {ARGOCD, crd, installOf, setOfInstalls, treeOf} from './some-tree.js'

const WAVE = 'argocd.argoproj.io/sync-wave'
const COMPARE = 'argocd.argoproj.io/compare-options'
const OPTIONS = 'argocd.argoproj.io/sync-options'
const annotationsAt = (tree: ReturnType<typeof treeOf>, path: string) =>
  asObject(asObject(tree[path]?.metadata).annotations)

const base: SetObject = {
  phase: 'identity',
  object: objectOf('rbac.authorization.k8s.io/v1', 'ClusterRole', 'crossplane-admin'),
}
const namespace: SetObject = {phase: 'namespaces', object: objectOf('v1', 'Namespace', 'a')}
const inOne = (phase: SetObject['phase'], apiVersion: string, kind: string): SetObject => ({
  ...{phase, install: {namespace: 'a', name: 'one'}},
  object: objectOf(apiVersion, kind, 'one', 'a'),
})

describe('the layout argocd', () => {
  const set = setOfInstalls(
    [installOf('a/one', 'a/two'), installOf('a/two')],
    [
      namespace,
      crd,
      base,
      inOne('identity', 'rbac.authorization.k8s.io/v1', 'RoleBinding'),
      inOne('controllers', 'apps/v1', 'Deployment'),
    ],
  )

  it('has one Application, outside of the tree that it syncs', () => {
    const tree = treeOf(set, {layout: ARGOCD})
    expect(tree['kustomization.yaml']?.resources).toEqual(['namespaces', 'crds', 'base', 'installs'])
    expect(tree['argocd/kustomization.yaml']?.resources).toEqual(['application.yaml'])
    expect(tree['argocd/application.yaml']).toEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {name: 'packages', namespace: 'argocd'},
      spec: {
        destination: {server: 'https://kubernetes.default.svc'},
        project: 'default',
        source: {path: 'packages', repoURL: 'https://git.example.org/team/cluster', targetRevision: 'HEAD'},
        syncPolicy: {
          automated: {prune: true, selfHeal: true},
          retry: {backoff: {duration: '5s', factor: 2, maxDuration: '3m'}, limit: 10},
          syncOptions: ['ApplyOutOfSyncOnly=true'],
        },
      },
    })
  })

  it.each([
    {path: 'namespaces/a.yaml', wave: '0', options: 'Prune=false,Delete=false'},
    {
      path: 'crds/records.example.org.yaml',
      wave: '1',
      options: 'ServerSideApply=true,Prune=false,Delete=false',
    },
    {path: 'base/clusterrole-crossplane-admin.yaml', wave: '2', options: undefined},
    {path: 'installs/a.one/rolebinding-one.yaml', wave: '3', options: 'Force=true'},
    {path: 'installs/a.one/record-one.yaml', wave: '4', options: undefined},
    {path: 'installs/a.one/deployment-one.yaml', wave: '5', options: undefined},
    {path: 'installs/a.two/record-two.yaml', wave: '7', options: undefined},
  ])('$path is in wave $wave', ({path, wave, options}) => {
    const {[WAVE]: found, [OPTIONS]: foundOptions} = annotationsAt(treeOf(set, {layout: ARGOCD}), path)
    expect({wave: found, options: foundOptions}).toEqual({wave, options})
  })

  it('stays in sync without the files of objects that are not pruned', () => {
    const compare = Object.entries(treeOf(set, {layout: ARGOCD})).flatMap(([path, {metadata}]) => {
      const {[COMPARE]: options} = asObject(asObject(metadata).annotations)
      return options === undefined ? [] : [[path, options]]
    })
    expect(compare).toEqual([
      ['crds/records.example.org.yaml', 'IgnoreExtraneous'],
      ['namespaces/a.yaml', 'IgnoreExtraneous'],
    ])
  })

  it('skips the dry run only for kinds whose CRD is not in the tree', () => {
    const tree = treeOf(set, {layout: ARGOCD, externalCrds: true})
    expect(annotationsAt(tree, 'installs/a.one/record-one.yaml')[OPTIONS]).toBe(
      'SkipDryRunOnMissingResource=true',
    )
    expect(Object.keys(tree).filter(path => path.startsWith('crds/'))).toEqual([])
    expect(tree['kustomization.yaml']?.resources).toEqual(['namespaces', 'base', 'installs'])
  })

  it('has the given name, for trees of several repositories in one cluster', () => {
    const layout = {...ARGOCD, settings: {...ARGOCD.settings, name: 'team-a'}}
    const application = treeOf(set, {layout})['argocd/application.yaml']
    expect(application?.metadata).toEqual({name: 'team-a', namespace: 'argocd'})
  })

  it('syncs the whole repository where the tree is its root', () => {
    const {spec} = treeOf(set, {layout: ARGOCD, path: ''})['argocd/application.yaml'] ?? {}
    expect(asObject(asObject(spec).source).path).toBe('.')
  })
})
