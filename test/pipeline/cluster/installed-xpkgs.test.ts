import {describe, expect, it} from '@jest/globals'
import {clusterOutdated, clusterTrees, clusterWhy} from '../../../src/pipeline/cluster/cluster-graph.js'
import {json, scriptedApi, servedKinds, statusOf} from '../../cluster/api/scripted-api.js'

const KINDS = servedKinds({
  'pkg.crossplane.io/v1': {
    providers: 'Provider',
    configurations: 'Configuration',
    providerrevisions: 'ProviderRevision',
  },
  'pkg.crossplane.io/v1beta1': {locks: 'Lock'},
})

const request = (name: string, image: string, revision: string) => ({
  metadata: {name},
  spec: {package: image},
  status: {currentRevision: revision},
})
const REPOSITORY = 'xpkg.example.org/team'
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  name: 'buckets.example.org',
}
const LISTS: Readonly<Record<string, object>> = {
  '/apis/pkg.crossplane.io/v1/configurations': {
    items: [request('platform', `${REPOSITORY}/platform:v1.0.0`, 'platform-1')],
  },
  '/apis/pkg.crossplane.io/v1/providers': {
    items: [
      request('provider-helm', `${REPOSITORY}/provider-helm:v0.20.0`, 'provider-helm-1'),
      {
        ...request('extra', `${REPOSITORY}/extra:v1.0.0`, 'extra-1'),
        spec: {package: `${REPOSITORY}/extra:v1.0.0`, skipDependencyResolution: true},
      },
      {metadata: {name: 'vault'}, spec: {package: `${REPOSITORY}/vault:v9.9.9`}},
    ],
  },
  '/apis/pkg.crossplane.io/v1/providerrevisions': {
    items: [
      {
        metadata: {name: 'provider-helm-1', labels: {'pkg.crossplane.io/package': 'provider-helm'}},
        spec: {image: `${REPOSITORY}/provider-helm:v0.20.0`, desiredState: 'Active', revision: 1},
        status: {objectRefs: [CRD]},
      },
    ],
  },
  '/apis/pkg.crossplane.io/v1beta1/locks/lock': {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'Lock',
    metadata: {name: 'lock'},
    packages: [
      {
        ...{name: 'platform-1', kind: 'Configuration', source: `${REPOSITORY}/platform`, version: 'v1.0.0'},
        dependencies: [{kind: 'Provider', package: `${REPOSITORY}/provider-helm`, constraints: '>=v0.19.0'}],
      },
      {
        ...{name: 'provider-helm-1', kind: 'Provider', source: `${REPOSITORY}/provider-helm`},
        ...{version: 'v0.20.0', dependencies: []},
      },
    ],
  },
  '/api/v1/configmaps': {items: []},
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': {items: []},
}
const cluster = () =>
  scriptedApi(
    ({url: {pathname}}) => {
      const list = LISTS[pathname]
      return list === undefined ? statusOf(404, 'NotFound', 'not found') : json({metadata: {}, ...list})
    },
    undefined,
    KINDS,
  ).api

const named = (text: string) => ({text, action: 'show'})

describe('the tree of the packages of a current Crossplane in a cluster', () => {
  it('has what the Lock says, and says of what it does not say it', async () => {
    const [tree, ...others] = await clusterTrees({}, cluster())
    expect(others).toEqual([])
    expect(tree).toMatchObject({
      kind: 'XpkgTree',
      roots: [
        `${REPOSITORY}/extra`,
        `${REPOSITORY}/provider-helm`,
        `${REPOSITORY}/vault`,
        `${REPOSITORY}/platform`,
      ],
      notes: [{rule: 'dependencies-unknown', message: expect.stringContaining('of extra are unknown')}],
    })
    expect(tree?.kind === 'XpkgTree' && tree.packages.find(({kind}) => kind === 'Configuration')).toEqual({
      ...{package: `${REPOSITORY}/platform`, version: 'v1.0.0'},
      ...{kind: 'Configuration', installsAs: 'platform'},
      requires: [{package: `${REPOSITORY}/provider-helm`, kind: 'Provider', constraint: '>=v0.19.0'}],
    })
  })

  it.each(['platform', 'configuration.pkg.crossplane.io/platform', `${REPOSITORY}/platform`])(
    'is drawn of %s',
    async text => {
      expect(await clusterTrees({named: named(text)}, cluster())).toMatchObject([
        {roots: [`${REPOSITORY}/platform`]},
      ])
    },
  )

  it('suggests a near name', async () => {
    await expect(clusterTrees({named: named('platfrom')}, cluster())).rejects.toMatchObject({
      code: 'not-found',
      suggestions: ['Did you mean configuration.pkg.crossplane.io/platform?'],
    })
  })
})

describe('the reasons for a package of a current Crossplane in a cluster', () => {
  const helm = `${REPOSITORY}/provider-helm:v0.20.0`
  it.each(['provider-helm', 'provider/provider-helm', `${REPOSITORY}/provider-helm`, 'buckets.example.org'])(
    'are named for %s',
    async text => {
      expect(await clusterWhy(named(text), cluster())).toMatchObject({
        ...{package: `${REPOSITORY}/provider-helm`, tag: 'v0.20.0', installs: ['provider-helm']},
        reasons: [
          {steps: [{package: helm}]},
          {steps: [{package: `${REPOSITORY}/platform:v1.0.0`}, {package: helm}]},
        ],
      })
    },
  )

  it('are those of a request that Crossplane has not installed', async () => {
    expect(await clusterWhy(named('vault'), cluster())).toMatchObject({
      installs: ['vault'],
      isInstalled: false,
    })
    expect(await clusterWhy(named('extra'), cluster())).not.toHaveProperty('isInstalled')
  })
})

describe('a comparison with newer versions', () => {
  const outdated = (text: string) =>
    clusterOutdated({settings: {} as never, named: named(text)}, {api: cluster(), requests: {}} as never)

  it.each(['vault', 'provider.pkg.crossplane.io/vault', `${REPOSITORY}/vault`])(
    'of %s, which is not installed yet, compares nothing',
    async text => {
      expect(await outdated(text)).toMatchObject({
        ...{packages: [], current: 0},
        notes: [{severity: 'warning', message: expect.stringContaining('vault is not installed yet')}],
      })
    },
  )

  it('suggests a near name', async () => {
    await expect(outdated('vualt')).rejects.toMatchObject({
      code: 'not-found',
      suggestions: ['Did you mean provider.pkg.crossplane.io/vault?'],
    })
  })
})
