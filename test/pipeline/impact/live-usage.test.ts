import {describe, expect, it} from '@jest/globals'
import type {ClusterApi, ResourceKind} from '../../../src/cluster/api/cluster-api.js'
import {discoveryOf} from '../../../src/cluster/api/discovery.js'
import {liveUsage} from '../../../src/pipeline/impact/live-usage.js'
import type {SurfacePackage} from '../../../src/usage/compare-sets.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {deniedError} from '../../cluster/api/denied-error.js'

function crdOf(kind: string, fields: JsonObject, hasStatus = false) {
  const schema = (properties: JsonObject) => ({
    openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties}}},
  })
  const version = (name: string, storage: boolean) => ({
    ...{name, served: true, storage, schema: schema(fields)},
    ...(hasStatus ? {subresources: {status: {}}} : {}),
  })
  return {
    ...{name: `${kind.toLowerCase()}s.example.org`, kind, source: 'crd' as const},
    ...{connectionKeys: [], isInactive: false},
    spec: {
      group: 'example.org',
      scope: 'Cluster',
      versions: [version('v1beta1', false), version('v1', true)],
    },
  }
}

const setOf = (
  dbs: JsonObject,
  {
    caches = {size: {type: 'integer'}},
    hasStatus = false,
  }: {readonly caches?: JsonObject; readonly hasStatus?: boolean} = {},
): readonly SurfacePackage[] => [
  {
    package: 'example/sql',
    version: 'v1',
    surface: {
      crds: [crdOf('Db', dbs, hasStatus), crdOf('Cache', caches)],
      facts: {permission: [], image: [], capability: [], dependency: [], function: [], composition: []},
      unread: [],
    },
  },
]

const TEXT = {type: 'string'}
const [BEFORE, AFTER] = [setOf({zone: TEXT, size: {type: 'integer'}}), setOf({size: {type: 'integer'}})]

/** A cluster with some objects of each kind that it serves, which lists nothing in other versions. */
function clusterOf(
  objects: number,
  specOf: (index: number) => Readonly<Record<string, string | number>>,
  versions: readonly string[] = ['v1', 'v1beta1'],
) {
  const listed: ResourceKind[] = []
  const resource = {
    group: 'example.org',
    namespaced: false,
    verbs: ['list'],
    shortNames: [],
    hasStatus: false,
  }
  const discovery = discoveryOf(
    versions.map(version => ({
      ...{group: 'example.org', version},
      resources: ['Db', 'Cache'].map(kind => ({
        ...resource,
        version,
        kind,
        plural: `${kind.toLowerCase()}s`,
      })),
    })),
  )
  const list: ClusterApi['list'] = async function* (kind) {
    listed.push(kind)
    if (discovery.find(kind.apiVersion, kind.kind) === undefined) return
    for (let index = 0; index < objects; index += 1)
      yield await Promise.resolve({
        ...{...kind, metadata: {name: `db-${index}`, managedFields: [{manager: 'kubectl'}]}},
        ...{spec: specOf(index), status: {conditions: []}},
      })
  }
  return {
    listed,
    live: {context: 'prod', api: {list, discover: async () => await Promise.resolve(discovery)}},
  }
}

const SPECS: readonly Readonly<Record<string, string | number>>[] = [{zone: 'a'}, {size: 2}]

describe('the objects of a cluster', () => {
  it('are judged by kind, where schemas change, in the version that is stored', async () => {
    const {listed, live} = clusterOf(2, index => SPECS[index] ?? {})
    const impact = await liveUsage(BEFORE, AFTER, live, {})
    expect(listed).toEqual([{apiVersion: 'example.org/v1', kind: 'Db'}])
    expect(impact.totals).toMatchObject({breaks: 1, lost: 1, unserved: 0})
    expect(impact.findings).toEqual(
      [
        {verdict: 'breaks', message: 'the field does not exist'},
        {verdict: 'lost', message: 'its value is dropped'},
      ].map(own => ({
        ...own,
        object: {apiVersion: 'example.org/v1', kind: 'Db', name: 'db-0'},
        ...{package: 'example/sql', file: 'the cluster of prod', path: 'spec.zone'},
      })),
    )
    expect(impact.read).toEqual({files: 0, objects: 2, judged: 2})
  })

  it.each([
    {name: 'an older version', versions: ['v1beta1'], verdicts: ['breaks', 'lost'], judged: 'v1beta1'},
    {name: 'a version that no package has', versions: ['v1alpha1'], verdicts: ['unread'], judged: 'v1alpha1'},
  ])('are judged in what the cluster serves: $name', async ({versions, verdicts, judged}) => {
    const {listed, live} = clusterOf(1, () => ({zone: 'a'}), versions)
    const impact = await liveUsage(BEFORE, AFTER, live, {})
    expect(listed[0]).toEqual({apiVersion: `example.org/${judged}`, kind: 'Db'})
    expect([...new Set(impact.findings.map(({verdict}) => verdict))]).toEqual(verdicts)
    expect(impact.read.objects).toBe(1)
  })

  it('are none where the cluster does not serve the kind', async () => {
    const {live} = clusterOf(1, () => ({zone: 'a'}), [])
    expect((await liveUsage(BEFORE, AFTER, live, {})).read.objects).toBe(0)
  })

  it('are unread of a kind that the user may not list, and judged of the others', async () => {
    const {live} = clusterOf(1, () => ({zone: 'a', size: 'large'}))
    const list: ClusterApi['list'] = async function* (kind, options) {
      if (kind.kind === 'Db') throw deniedError('cannot list', 'forbidden')
      yield* live.api.list(kind, options)
    }
    const after = setOf({size: {type: 'integer'}}, {caches: {zone: TEXT}})
    const impact = await liveUsage(BEFORE, after, {...live, api: {...live.api, list}}, {})
    expect(impact.totals).toMatchObject({unread: 1})
    expect(impact.findings).toContainEqual({
      ...{verdict: 'unread', file: 'the cluster of prod', path: ''},
      message: 'permission to list Db (example.org/v1) is denied',
    })
    expect(impact.read.objects).toBe(1)
  })

  it('are judged without the status that controllers write', async () => {
    const before = setOf({zone: TEXT, size: TEXT}, {hasStatus: true})
    const after = setOf({size: TEXT}, {hasStatus: true})
    const {live} = clusterOf(1, () => ({size: 'a'}))
    const {findings, invalid} = await liveUsage(before, after, live, {})
    expect({findings, invalid}).toEqual({findings: [], invalid: []})
  })

  it('are all counted, and listed up to a limit', async () => {
    const {live} = clusterOf(3000, () => ({zone: 'a'}))
    const {totals, findings, omitted} = await liveUsage(BEFORE, AFTER, live, {})
    expect(totals.breaks).toBe(3000)
    expect(findings.length).toBeLessThanOrEqual(1001)
    expect(findings.length + omitted).toBe(6000)
  })
})
