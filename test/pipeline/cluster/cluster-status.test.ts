import {describe, expect, it} from '@jest/globals'
import {listCluster, readClusterStatus} from '../../../src/pipeline/cluster/cluster-status.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'
import {json, scriptedApi, servedKinds, statusOf} from '../../cluster/api/scripted-api.js'
import type {Scripted} from '../../http/scripted-http.js'

const KINDS = servedKinds(
  {
    'pkg.crossplane.io/v1': {providers: 'Provider'},
    'pkg.crossplane.io/v1beta1': {locks: 'Lock'},
    'packages.crossplane.io/v1alpha1': {packages: 'Package'},
  },
  ['packages'],
)

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
    {code: 'not-found', denied: undefined, message: 'package "other" not found'},
    {code: 'cluster-denied', denied: CONFIG_MAPS},
    {code: 'cluster-denied', denied: RECORDS},
  ])(
    'is $code for another name, with $denied denied',
    async ({code, denied, message = expect.any(String)}) => {
      await expect(readClusterStatus(named('other'), cluster(denied).api)).rejects.toMatchObject({
        ...{code, message},
      })
    },
  )

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

describe('the status of packages for a current Crossplane beside a lock', () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const app = (more: object = {}) => ({
    ...{kind: 'Provider', name: 'team-app', identity: 'xpkg.example.org/team/app', version: 'v1.0.0'},
    ...{tag: 'v1.0.0', digest, ...more},
  })
  const provider = (revision: string) => ({
    '/apis/pkg.crossplane.io/v1/providers': listOf({
      metadata: {name: 'team-app'},
      spec: {package: 'xpkg.example.org/team/app:v1.0.0'},
      status: {currentRevision: revision},
    }),
  })
  const compared = async (
    instances: readonly ReturnType<typeof app>[],
    revision = 'team-app-aaaaaaaaaaaa',
    text?: string,
  ) => {
    const lock = {declaration: 'crossplane-packages.yaml', instances}
    const query = {
      installs: {namespace: undefined, selector: [], lock},
      selector: [],
      selectsPackages: true,
      lock,
    }
    const {api} = cluster(undefined, {...ALL_NAMESPACES, ...provider(revision)})
    const {packages} = await readClusterStatus({...query, ...(text === undefined ? {} : {text})}, api)
    return packages.map(({name, state, reason, drift}) => ({
      name,
      ...(drift === undefined
        ? {missing: state === 'broken' ? reason : ''}
        : {drift: drift.map(one => one.message)}),
    }))
  }

  it.each([
    {name: 'nothing', of: [app()], want: []},
    {
      name: 'another version',
      of: [app({tag: 'v2.0.0', digest: undefined})],
      want: ['the lock has xpkg.example.org/team/app:v2.0.0; installed: xpkg.example.org/team/app:v1.0.0'],
    },
    {
      name: 'other bytes',
      of: [app()],
      revision: 'team-app-bbbbbbbbbbbb',
      want: [
        `the lock has xpkg.example.org/team/app:v1.0.0@${digest}; installed: xpkg.example.org/team/app:v1.0.0`,
      ],
    },
    {name: 'no such request', of: [], want: ['the lock does not have the request']},
  ])('differs in $name', async ({of, revision, want}) => {
    expect(await compared(of, revision)).toEqual([{name: 'team-app', drift: want}])
  })

  it('has what is not in the cluster', async () => {
    const missing = 'the lock has provider.pkg.crossplane.io/team-net, but the cluster does not'
    const net = app({name: 'team-net', identity: 'xpkg.example.org/team/net'})
    expect(await compared([app(), net])).toEqual([
      {name: 'team-app', drift: []},
      {name: 'team-net', missing},
    ])
    expect(await compared([app(), net], undefined, 'team-net')).toEqual([{name: 'team-net', missing}])
    const lock = {declaration: 'crossplane-packages.yaml', instances: [net]}
    const {api} = scriptedApi(
      () => listOf(),
      undefined,
      new Map([['/apis', json({kind: 'APIGroupDiscoveryList', items: []})]]),
    )
    const query = {
      installs: {namespace: undefined, selector: [], lock},
      selector: [],
      selectsPackages: true,
      lock,
    }
    const {packages} = await readClusterStatus(query, api)
    expect(packages).toMatchObject([{name: 'team-net', state: 'broken', reason: missing}])
  })
})
