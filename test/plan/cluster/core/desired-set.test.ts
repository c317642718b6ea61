import {describe, expect, it} from '@jest/globals'
import {desiredPackages} from '../../../../src/plan/cluster/core/desired-set.js'
import {coreLock, coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'
import {requestedAs} from '../../../../src/plan/cluster/core/requested-as.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const NAMES = ['a', 'b', 'c']
const repositoryOf = (name: string) => `h.io/${name}`
const object = (name: string, spec: JsonObject) => ({
  ...{apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: {name}},
  spec: {package: `${repositoryOf(name)}:v1`, ...spec},
})
const SETTINGS = {
  packagePullSecrets: [{name: 's'}],
  revisionHistoryLimit: 3,
  runtimeConfigRef: {name: 'a-runtime'},
}

/** A request that this program applied with settings, and to which another program added one. */
function installed(name: string, settings: JsonObject) {
  const fields = Object.fromEntries(['package', ...Object.keys(settings)].map(field => [`f:${field}`, {}]))
  const managedFields = [
    {manager: 'crossplane-packages', operation: 'Apply', fieldsV1: {'f:spec': fields}},
    {manager: 'kubectl-edit', operation: 'Update', fieldsV1: {'f:spec': {'f:packagePullPolicy': {}}}},
  ]
  const {metadata, ...others} = object(name, {...settings, packagePullPolicy: 'Always'})
  const annotations = {'kubectl-crossplane/requested-as': 'v1'}
  return coreRequest('Provider', {...others, metadata: {...metadata, annotations, managedFields}})
}

it.each([
  ['is requested in the cluster', {}],
  ['is installed', {currentRevision: 'theirs-0123456789ab'}],
])('a package of another name %s', (state, status) => {
  const {kind, ...theirs} = {...object('a', {}), metadata: {name: 'theirs'}, status}
  const {rejections} = desiredPackages(
    [{stage: 1, object: object('a', {package: `${repositoryOf('a')}:v2`})}],
    {requests: [coreRequest('Provider', {kind, ...theirs})], lock: coreLock(undefined)},
    {roots: new Map(), configured: new Set(), packages: []},
  )
  expect(rejections.map(({message}) => message)).toEqual([
    expect.stringContaining(`h.io/a ${state} as Provider theirs, `),
  ])
})

/** Returns the specs that a command applies which gives settings to these packages, by name. */
function applied(given: Readonly<Record<string, JsonObject>>) {
  const requests = NAMES.map(name => installed(name, SETTINGS))
  const {objects} = desiredPackages(
    NAMES.map(name => ({stage: 1, object: object(name, given[name] ?? {})})),
    {requests, lock: coreLock(undefined)},
    {
      roots: new Map(requests.map(request => [request.repository, requestedAs(request) ?? ''])),
      configured: new Set(Object.keys(given).map(repositoryOf)),
      packages: [],
    },
  )
  return Object.fromEntries(objects.map(({object: {metadata, spec}}) => [metadata.name, spec]))
}

const bare = (name: string) => object(name, {}).spec
const kept = (name: string) => ({...bare(name), ...SETTINGS})

describe('the settings of requests that a command applies again', () => {
  it('stay if it gives none, and without what other programs set', () => {
    expect(applied({})).toEqual({a: kept('a'), b: kept('b'), c: kept('c')})
  })

  it('are those that it gives to a package, and no earlier ones of it', () => {
    const given = {packagePullSecrets: [{name: 'other'}]}
    expect(applied({a: {}, b: given})).toEqual({a: bare('a'), b: {...bare('b'), ...given}, c: kept('c')})
  })
})

describe('a pause that this program applied', () => {
  const PAUSE = {'crossplane.io/paused': 'true'}
  const fieldsV1 = {'f:metadata': {'f:annotations': {'f:crossplane.io/paused': {}}}}

  /** Returns the annotations of a request after a command, by whose managers it is paused. */
  function annotations(managers: readonly string[], entries: readonly string[]) {
    const managedFields = managers.map(manager => ({manager, operation: 'Apply', fieldsV1}))
    const {metadata, ...others} = object('a', {})
    const live = {...others, metadata: {...metadata, annotations: PAUSE, managedFields}}
    const {objects} = desiredPackages(
      [{stage: 1, object: object('a', {})}],
      {requests: [coreRequest('Provider', live)], lock: coreLock(undefined)},
      {roots: new Map(), configured: new Set([repositoryOf('a')]), entries: new Set(entries), packages: []},
    )
    return objects.map(
      ({
        object: {
          metadata: {annotations: own},
        },
      }) => own,
    )
  }

  it('stays without the declaration, and is what the declaration says with it', () => {
    expect(annotations(['crossplane-packages'], [])).toEqual([PAUSE])
    expect(annotations(['crossplane-packages'], [repositoryOf('b')])).toEqual([PAUSE])
    expect(annotations(['crossplane-packages'], [repositoryOf('a')])).toEqual([undefined])
  })

  it('is not taken over from others', () => {
    expect(annotations(['kubectl'], [])).toEqual([undefined])
  })
})
