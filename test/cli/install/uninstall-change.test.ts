import {describe, expect, it} from '@jest/globals'
import {applyPlan} from '../../../src/apply/apply-plan.js'
import type {UninstallOptions} from '../../../src/plan/cluster/state/uninstall-options.js'
import type {SavedClusterPlan} from '../../../src/plan/cluster/saved-cluster-plan.js'
import {withBackup} from '../../../src/pipeline/cluster/back-up-removal.js'
import {decidedUninstall} from '../../../src/cli/install/uninstall-change.js'
import type {BackupFolder} from '../../../src/backup/write-backup.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {errorOf, json, scriptedApi, statusOf} from '../../cluster/api/scripted-api.js'

const resource = (name: string, kind: string, scope: string) => ({
  resource: name,
  responseKind: {kind},
  ...{scope, verbs: ['list'], shortNames: []},
})
const group = (name: string, versions: Readonly<Record<string, readonly JsonObject[]>>) => ({
  metadata: {name},
  versions: Object.entries(versions).map(([version, resources]) => ({version, resources: [...resources]})),
})
const KINDS = new Map([
  [
    '/apis',
    json({
      kind: 'APIGroupDiscoveryList',
      items: [
        group('pkg.crossplane.io', {
          v1: [
            resource('providers', 'Provider', 'Cluster'),
            resource('functions', 'Function', 'Cluster'),
            resource('providerrevisions', 'ProviderRevision', 'Cluster'),
          ],
        }),
        group('apiextensions.k8s.io', {
          v1: [resource('customresourcedefinitions', 'CustomResourceDefinition', 'Cluster')],
        }),
        group('sql.example.org', {v1: [resource('dbs', 'Db', 'Namespaced')]}),
      ],
    }),
  ],
])

const REPOSITORY = 'xpkg.example.org/team/sql'
const PACKAGES = '/apis/pkg.crossplane.io/v1/'
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'dbs.sql.example.org',
    uid: 'of-crd',
    ownerReferences: [{apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'sql', uid: 'sql'}],
  },
  spec: {
    group: 'sql.example.org',
    names: {kind: 'Db', plural: 'dbs'},
    scope: 'Namespaced',
    versions: [{name: 'v1', served: true, storage: true}],
  },
}
const DENIED = 'resource is forbidden: User "dev" cannot list resource'
const DB = {
  apiVersion: 'sql.example.org/v1',
  kind: 'Db',
  metadata: {namespace: 'team', name: 'main', uid: 'of-main'},
}
const requestOf = (name: string, repository = `xpkg.example.org/team/${name}`) => ({
  metadata: {
    ...{name, uid: name},
    managedFields: [{manager: 'crossplane-packages', operation: 'Apply', fieldsV1: {'f:spec': {}}}],
  },
  spec: {package: `${repository}:v1.0.0`},
})

/** A cluster with Crossplane, its packages, and custom resources of the Provider `sql`; `denied` paths are forbidden. */
function cluster({
  packages = {providers: [requestOf('sql')]},
  dbs = [],
  denied = '-',
}: {
  readonly packages?: Readonly<Record<string, readonly JsonObject[]>>
  readonly dbs?: JsonObject[]
  readonly denied?: string
} = {}) {
  return scriptedApi(
    ({url: {pathname}}) => {
      if (pathname === REVIEWS) return json({status: {allowed: false}})
      if (pathname.startsWith(denied)) return statusOf(403, 'Forbidden', DENIED)
      const items =
        pathname === CRD_PATH
          ? [CRD]
          : pathname === '/apis/sql.example.org/v1/dbs'
            ? dbs
            : packages[pathname.replace(PACKAGES, '')]
      if (items !== undefined) return json({metadata: {}, items: [...items]})
      return pathname === `${CRD_PATH}/${CRD.metadata.name}` ? json(CRD) : statusOf(404, 'NotFound', 'none')
    },
    undefined,
    KINDS,
  )
}

interface Given {
  readonly name: string
  readonly namespace?: string
  readonly ignoresNotFound?: boolean
  readonly customResources?: UninstallOptions['customResources']
  readonly saved?: SavedClusterPlan
}

async function decided(
  {name, namespace, ignoresNotFound = false, customResources = 'abort', saved}: Given,
  {api}: ReturnType<typeof cluster>,
) {
  const flags = {
    ...{namespace, 'ignore-not-found': ignoresNotFound, 'custom-resources': customResources},
    ...{'confirm-delete': undefined, 'with-unused-dependencies': false, adopt: true},
  }
  const connection = {namespace: 'default'} as Parameters<typeof decidedUninstall>[1]['connection']
  return await decidedUninstall({args: {name}, flags}, {connection, api, saved})
}

const deleted = ({decision: {plan}}: Awaited<ReturnType<typeof decided>>) =>
  plan.operations.flatMap(({action, object}) =>
    action === 'delete' ? [`${object?.kind ?? ''} ${object?.name ?? ''}`] : [],
  )

describe('an uninstall by NAME in a cluster with packages of a current Crossplane', () => {
  it.each([
    {name: 'sql'},
    {name: 'provider.pkg.crossplane.io/sql'},
    {name: REPOSITORY},
    {name: 'sql', ignoresNotFound: true},
    {name: REPOSITORY, namespace: 'team'},
  ])('removes the request that %j names', async given => {
    expect(deleted(await decided(given, cluster()))).toEqual(['Provider sql'])
  })

  it('removes a request that a user may remove who may not read installs', async () => {
    const denied = '/api/v1/namespaces/default/configmaps'
    expect(deleted(await decided({name: 'sql'}, cluster({denied})))).toEqual(['Provider sql'])
  })

  it('never removes a request, which has no namespace, for an install of a namespace', async () => {
    for (const given of [{name: 'sql', namespace: 'team'}, {name: 'team/sql'}]) {
      expect(await errorOf(decided(given, cluster()))).toMatchObject({
        code: 'not-found',
        message: 'install "team/sql" not found',
      })
      const ignoring = await decided({...given, ignoresNotFound: true}, cluster())
      expect(ignoring).toMatchObject({absent: 'team/sql', decision: {plan: {operations: []}}})
    }
  })

  it('asks which request is meant if several have the name', async () => {
    const packages = {providers: [requestOf('sql')], functions: [requestOf('sql', 'xpkg.example.org/fn')]}
    const error = await errorOf(decided({name: 'sql'}, cluster({packages})))
    expect(error).toMatchObject({
      code: 'usage',
      suggestions: ['Use provider.pkg.crossplane.io/sql or function.pkg.crossplane.io/sql.'],
    })
    const [, name = ''] = / or (\S+)\.$/.exec(error.suggestions[0] ?? '') ?? []
    expect(deleted(await decided({name}, cluster({packages})))).toEqual(['Function sql'])
  })

  it.each(['team', 'xpkg.example.org/team/other'])('reports that %s is not installed', async name => {
    expect(await errorOf(decided({name}, cluster()))).toMatchObject({code: 'not-found'})
    const absent = name === 'team' ? 'default/team' : name
    expect(await decided({name, ignoresNotFound: true}, cluster())).toMatchObject({absent})
  })

  it('leaves a tenant, who may read no packages, to his namespace', async () => {
    const tenant = cluster({denied: PACKAGES})
    expect(await errorOf(decided({name: 'sql'}, tenant))).toMatchObject({code: 'cluster-denied'})
    expect(await decided({name: 'sql', ignoresNotFound: true}, tenant)).toMatchObject({
      absent: 'default/sql',
    })
    const named = {name: REPOSITORY, ignoresNotFound: true}
    expect(await errorOf(decided(named, tenant))).toMatchObject({code: 'cluster-denied'})
  })

  it('has nothing left to do for a saved plan that was carried out', async () => {
    const {operations} = (await decided({name: REPOSITORY}, cluster())).decision.plan
    const saved = {operations, unchanged: 0, rejections: []} as unknown as SavedClusterPlan
    const again = await decided({name: REPOSITORY, saved}, cluster({packages: {}}))
    expect(again.decision.plan.operations).toEqual([])
    const unlike = await errorOf(decided({name: REPOSITORY}, cluster({packages: {}})))
    expect(unlike).toMatchObject({code: 'not-found'})
  })
})

describe('the removal of a package of a current Crossplane', () => {
  it('stops right before the deletion of the request if custom resources were created meanwhile', async () => {
    const dbs: JsonObject[] = []
    const of = cluster({dbs})
    const {decision} = await decided({name: 'sql'}, of)
    await decision.recheck?.()
    dbs.push(DB)
    const applied = applyPlan(decision.plan, decision.snapshot, {
      ...{api: of.api, report: () => undefined, waitsForAll: true, wait: () => Promise.resolve()},
      ...{signal: new AbortController().signal, recheck: decision.recheck},
    })
    expect(await errorOf(applied)).toMatchObject({
      code: 'cluster-refused',
      message: expect.stringMatching(
        /^cannot delete Provider sql: custom resources of dbs.sql.example.org were created .*main/,
      ),
    })
    expect(of.asked().filter(request => request.startsWith('DELETE'))).toEqual([])
  })

  it('backs up the custom resources that it deletes', async () => {
    const files = new Map<string, string>()
    const folder: BackupFolder = {
      ...{name: 'x', maxRead: Infinity},
      expectEmpty: () => Promise.resolve(),
      read: path => Promise.resolve(files.get(path)),
      create: (path, text) => {
        files.set(path, text)
        return Promise.resolve()
      },
      settle: () => Promise.resolve(),
    }
    const of = cluster({dbs: [DB]})
    const change = await decided({name: 'sql', customResources: 'delete'}, of)
    const reported: unknown[] = []
    const report = (summary: unknown) => reported.push(summary)
    const {prepare} = withBackup(change, {api: of.api, folder, report})
    const never = new AbortController().signal
    await prepare?.(change.decision, never)
    expect([...files.keys()]).toEqual([
      'requests/provider.pkg.crossplane.io.sql.yaml',
      'crds/dbs.sql.example.org.yaml',
      'dbs.sql.example.org/team/main.yaml',
      'MANIFEST',
      'README.md',
    ])
    expect(files.get('README.md')).toContain(`kubectl crossplane package install ${REPOSITORY}:v1.0.0`)
    await prepare?.(change.decision, never)
    expect(reported).toEqual([
      {instances: 1, isFound: false},
      {instances: 1, isFound: true},
    ])
  })
})
