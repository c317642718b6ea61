import {describe, expect, it} from '@jest/globals'
import {listCluster, readClusterStatus} from '../../../src/pipeline/cluster/cluster-status.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'
import {json, scriptedApi, statusOf} from '../../cluster/api/scripted-api.js'
import type {Scripted} from '../../http/scripted-http.js'

const served = (group: string, version: string, resource: string, kind: string, scope: string) => ({
  metadata: {name: group},
  versions: [
    {version, resources: [{resource, responseKind: {kind}, scope, verbs: ['list'], shortNames: []}]},
  ],
})

const KINDS = new Map([
  [
    '/apis',
    json({
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          metadata: {name: 'pkg.crossplane.io'},
          versions: [
            ...served('pkg.crossplane.io', 'v1', 'providers', 'Provider', 'Cluster').versions,
            ...served('pkg.crossplane.io', 'v1beta1', 'locks', 'Lock', 'Cluster').versions,
          ],
        },
        served('packages.crossplane.io', 'v1alpha1', 'packages', 'Package', 'Namespaced'),
      ],
    }),
  ],
])

const listOf = (...items: readonly JsonValue[]) => json({metadata: {}, items})
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const RECORDS = '/apis/packages.crossplane.io/v1alpha1/namespaces/default/packages'
const LOCK = '/apis/pkg.crossplane.io/v1beta1/locks/lock'
const LISTS: Readonly<Record<string, Scripted>> = {
  '/apis/pkg.crossplane.io/v1/providers': listOf({
    metadata: {name: 'team-app'},
    spec: {package: 'xpkg.example.org/team/app:v1.0.0'},
  }),
  [CONFIG_MAPS]: listOf(),
  [RECORDS]: listOf(),
}

const ALL_NAMESPACES = Object.fromEntries(
  Object.entries(LISTS).map(([path, answer]) => [path.replace('/namespaces/default', ''), answer]),
)

/** A cluster with one Provider and no install, in which lists can be denied, and further responses by path. */
function cluster(denied?: string, more: typeof LISTS = {}) {
  const message = 'resource is forbidden: User "dev" cannot list resource'
  return scriptedApi(
    ({url: {pathname}}) =>
      pathname === denied
        ? statusOf(403, 'Forbidden', message)
        : ({...LISTS, ...more}[pathname] ?? statusOf(404, 'NotFound', 'not found')),
    undefined,
    KINDS,
  )
}

const named = (text: string) => ({
  installs: {namespace: 'default', name: text, selector: []},
  selector: [],
  selectsPackages: true,
  text,
})

describe('the status of a package for a current Crossplane', () => {
  it.each([
    {name: 'everything', denied: undefined},
    {name: 'all but inventories', denied: CONFIG_MAPS},
    {name: 'all but records', denied: RECORDS},
  ])('is shown by name to a user who may list $name', async ({denied}) => {
    expect(await readClusterStatus(named('team-app'), cluster(denied).api)).toMatchObject({
      ...{statuses: [], warnings: [], denials: []},
      packages: [{kind: 'Provider', name: 'team-app'}],
    })
  })

  it.each([
    {code: 'not-found', denied: undefined},
    {code: 'cluster-denied', denied: CONFIG_MAPS},
    {code: 'cluster-denied', denied: RECORDS},
  ])('is $code for another name, with $denied denied', async ({code, denied}) => {
    await expect(readClusterStatus(named('other'), cluster(denied).api)).rejects.toMatchObject({code})
  })

  it('says which command names the objects that keep Crossplane from resolving dependencies', async () => {
    const conditions = [{type: 'Resolved', status: 'False', message: 'node "x" already exists'}]
    const head = {apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: {name: 'lock'}}
    const lock = json({...head, packages: [], status: {conditions}})
    const {api} = cluster(undefined, {[LOCK]: lock})
    expect((await readClusterStatus(named('team-app'), api)).warnings).toMatchObject([
      {
        message: expect.stringContaining('node "x" already exists'),
        suggestions: [expect.stringContaining('kubectl crossplane doctor')],
      },
    ])
  })

  it.each([
    {namespace: undefined, want: [{message: expect.stringContaining('cannot list')}]},
    {namespace: 'default', want: []},
  ])(
    'is undetermined without the permission to list them, if $namespace is all',
    async ({namespace, want}) => {
      const {api} = cluster('/apis/pkg.crossplane.io/v1/providers', ALL_NAMESPACES)
      const installs = {namespace, selector: []}
      const status = await readClusterStatus({installs, selector: [], selectsPackages: true}, api)
      expect(status).toMatchObject({packages: [], denials: want, warnings: [{rule: 'not-listed'}]})
      const list = await listCluster({selection: installs, selectsPackages: true}, api)
      expect(list).toMatchObject({installs: [], packages: [], warnings: [{rule: 'not-listed'}]})
    },
  )

  it('is read beside that of installs', async () => {
    const {api, asked} = cluster()
    const all = {installs: {namespace: 'default', selector: []}, selector: [], selectsPackages: true}
    expect(await readClusterStatus(all, api)).toMatchObject({
      statuses: [],
      packages: [{name: 'team-app'}],
    })
    const isOfPackages = asked().map(request => request.includes('/pkg.crossplane.io/'))
    expect(isOfPackages.indexOf(false)).toBeLessThan(isOfPackages.lastIndexOf(true))
  })
})
