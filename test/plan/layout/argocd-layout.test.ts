import {describe, expect, it} from '@jest/globals'
import {layOut} from '../../../src/plan/layout/lay-out.js'
import type {SetObject} from '../../../src/render/install-set.js'
import {asObject} from '../../../src/yaml/json-value.js'
import {objectOf} from '../folder/two-installs.js'
import {ARGOCD, baseCrd, crd, installOf, ownedBy, setOfInstalls, treeOf} from './some-tree.js'

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
      ownedBy(crd, 'a/one'),
      baseCrd,
      base,
      inOne('identity', 'rbac.authorization.k8s.io/v1', 'RoleBinding'),
      inOne('controllers', 'apps/v1', 'Deployment'),
    ],
  )
  const RETRY = {backoff: {duration: '5s', factor: 2, maxDuration: '3m'}, limit: -1, refresh: true}

  it('has an Application for each shared folder and each install, which no file lists', () => {
    const tree = treeOf(set, {layout: ARGOCD})
    expect(Object.keys(tree)).toEqual([
      'argocd/applications/a.one.yaml',
      'argocd/applications/a.two.yaml',
      'argocd/applications/base.yaml',
      'argocd/applications/namespaces.yaml',
      'base/clusterrole-crossplane-admin.yaml',
      'base/packages.example.org.yaml',
      'installs/a.one/deployment-one.yaml',
      'installs/a.one/kustomization.yaml',
      'installs/a.one/record-one.yaml',
      'installs/a.one/records.example.org.yaml',
      'installs/a.one/rolebinding-one.yaml',
      'installs/a.two/kustomization.yaml',
      'installs/a.two/record-two.yaml',
      'namespaces/a.yaml',
    ])
    expect(tree['argocd/applications/a.one.yaml']).toEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name: 'packages-a.one',
        namespace: 'argocd',
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
      },
      spec: {
        destination: {server: 'https://kubernetes.default.svc'},
        project: 'default',
        source: {
          path: 'packages/installs/a.one',
          repoURL: 'https://git.example.org/team/cluster',
          targetRevision: 'HEAD',
        },
        syncPolicy: {
          automated: {prune: true, selfHeal: true},
          retry: RETRY,
          syncOptions: ['ApplyOutOfSyncOnly=true'],
        },
      },
    })
  })

  it('deletes the objects of an install with its Application, and none of shared folders', () => {
    const tree = treeOf(set, {layout: ARGOCD})
    const names = ['a.two', 'base', 'namespaces'].map(name => {
      const {metadata} = tree[`argocd/applications/${name}.yaml`] ?? {}
      return [asObject(metadata).name, 'finalizers' in asObject(metadata)]
    })
    expect(names).toEqual([
      ['packages-a.two', true],
      ['packages-base', false],
      ['packages-namespaces', false],
    ])
  })

  const startOf = (options: Partial<Parameters<typeof layOut>[1]> = {}) => {
    const all = {layout: ARGOCD, path: 'packages', externalCrds: false, ...options}
    const files = layOut(set, all, value => `${JSON.stringify(value)}\n`)
    const text = files.find(({path}) => path === 'argocd/start.yaml')?.content ?? ''
    return JSON.parse(text.replace(/^#.*\n/gm, '')) as Record<string, unknown>
  }

  it('starts from an Application in the cluster of Argo CD, under another name than in earlier layouts', () => {
    const elsewhere = {...ARGOCD.settings, destination: {name: 'production'}}
    expect(startOf({layout: {...ARGOCD, settings: elsewhere}})).toEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {name: 'packages-applications', namespace: 'argocd'},
      spec: {
        destination: {server: 'https://kubernetes.default.svc'},
        project: 'default',
        source: {
          path: 'packages/argocd/applications',
          repoURL: 'https://git.example.org/team/cluster',
          targetRevision: 'HEAD',
        },
        syncPolicy: {automated: {prune: true, selfHeal: true}, retry: RETRY},
      },
    })
  })

  it('ends retries where Argo CD cannot refresh: until then it deploys no other commit', () => {
    const layout = {...ARGOCD, settings: {...ARGOCD.settings, refresh: false}}
    const {spec} = treeOf(set, {layout})['argocd/applications/a.one.yaml'] ?? {}
    expect(asObject(asObject(spec).syncPolicy).retry).toEqual({backoff: RETRY.backoff, limit: 10})
  })

  it.each([
    {path: 'namespaces/a.yaml', wave: '0', options: 'Prune=false,Delete=false'},
    {
      path: 'installs/a.one/records.example.org.yaml',
      wave: '1',
      options: 'ServerSideApply=true,Prune=false,Delete=false',
    },
    {
      path: 'base/packages.example.org.yaml',
      wave: '1',
      options: 'ServerSideApply=true,Prune=false,Delete=false',
    },
    {path: 'base/clusterrole-crossplane-admin.yaml', wave: '2', options: undefined},
    {path: 'installs/a.one/rolebinding-one.yaml', wave: '2', options: 'Force=true'},
    {path: 'installs/a.one/record-one.yaml', wave: '3', options: 'SkipDryRunOnMissingResource=true'},
    {path: 'installs/a.one/deployment-one.yaml', wave: '4', options: undefined},
    {path: 'installs/a.two/record-two.yaml', wave: '3', options: 'SkipDryRunOnMissingResource=true'},
  ])('$path is in wave $wave', ({path, wave, options}) => {
    const {[WAVE]: actual, [OPTIONS]: actualOptions} = annotationsAt(treeOf(set, {layout: ARGOCD}), path)
    expect({wave: actual, options: actualOptions}).toEqual({wave, options})
  })

  it('stays in sync without the files of objects that are not pruned', () => {
    const compare = Object.entries(treeOf(set, {layout: ARGOCD})).flatMap(([path, {metadata}]) => {
      const {[COMPARE]: options} = asObject(asObject(metadata).annotations)
      return options === undefined ? [] : [[path, options]]
    })
    expect(compare).toEqual([
      ['base/packages.example.org.yaml', 'IgnoreExtraneous'],
      ['installs/a.one/records.example.org.yaml', 'IgnoreExtraneous'],
      ['namespaces/a.yaml', 'IgnoreExtraneous'],
    ])
  })

  it('has no CRDs if another declaration owns them', () => {
    const tree = treeOf(set, {layout: ARGOCD, externalCrds: true})
    expect(Object.keys(tree).filter(path => path.endsWith('.example.org.yaml'))).toEqual([])
  })

  it('has the requested name, for trees of several repositories in one cluster', () => {
    const layout = {...ARGOCD, settings: {...ARGOCD.settings, name: 'team-a'}}
    expect(startOf({layout}).metadata).toEqual({name: 'team-a-applications', namespace: 'argocd'})
    const {metadata} = treeOf(set, {layout})['argocd/applications/a.one.yaml'] ?? {}
    expect(asObject(metadata).name).toBe('team-a-a.one')
  })

  it('has paths from the root of the repository', () => {
    const {spec} = treeOf(set, {layout: ARGOCD, path: ''})['argocd/applications/a.one.yaml'] ?? {}
    expect(asObject(asObject(spec).source).path).toBe('installs/a.one')
  })
})
