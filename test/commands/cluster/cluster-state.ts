import {type ApiResource, apiVersionOf} from '../../../src/cluster/api/discovery.js'
import {objectText} from '../../../src/kubernetes/object-key.js'
import {mapConcurrent} from '../../../src/map-concurrent.js'
import {
  asObject,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {openApi} from '../../cluster/open-api.js'

/** Objects by kind, namespace and name. */
export type ClusterState = Readonly<Record<string, JsonObject>>

/** All objects of a cluster, without those that come and go by themselves and what differs from run to run. */
export async function stateOf(cluster: TestCluster): Promise<ClusterState> {
  const objects = Object.entries(await wholeObjectsIn(cluster))
  return Object.fromEntries(objects.map(([name, object]) => [name, asObject(lasting(object))]))
}

/** All objects of a cluster, without those that come and go by themselves, in every field. */
export async function wholeObjectsIn(cluster: TestCluster): Promise<ClusterState> {
  return await everyObjectIn(cluster, PASSING)
}

/** All objects of every API group in every field, each in one version of its kind. */
export async function everyObjectIn(
  cluster: TestCluster,
  exceptKinds: readonly string[],
): Promise<ClusterState> {
  const api = openApi(cluster)
  const {resources} = await api.discover()
  const kinds = new Map<string, ApiResource>()
  for (const each of resources) {
    const name = `${each.kind}.${each.group}`
    if (each.verbs.includes('list') && !exceptKinds.includes(each.kind) && !kinds.has(name))
      kinds.set(name, each)
  }
  const found = new Map<string, JsonObject>()
  await mapConcurrent([...kinds], CONCURRENT, async ([kind, resource]) => {
    for await (const object of api.list({apiVersion: apiVersionOf(resource), kind: resource.kind})) {
      const {name, namespace} = object.metadata
      found.set(objectText({kind, name, namespace}), object)
    }
  })
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Lists at a time. */
const CONCURRENT = 8

/** Kinds of objects that come and go by themselves. */
export const PASSING = ['Event', 'Lease', 'Node', 'EndpointSlice', 'Endpoints', 'APIService']

/** What two runs that do the same do not have in common. */
const DIFFERING = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'lastTransitionTime',
  // Of managedFields.
  'time',
]

/** A value without what differs between runs, also in the text of an inventory. */
function lasting(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(lasting)
  if (!isJsonObject(value)) return typeof value === 'string' && value.startsWith('{') ? inText(value) : value
  const kept = Object.entries(value).filter(([key]) => !DIFFERING.includes(key))
  return Object.fromEntries(
    kept.map(([key, each]) => {
      // The hashes of inventories, which have the times of revisions.
      if (key === 'inventories' && isJsonArray(each)) return [key, each.length]
      return [key, key === 'managedFields' ? sorted(each) : lasting(each)]
    }),
  )
}

function inText(text: string): JsonValue {
  try {
    return lasting(JSON.parse(text) as JsonObject)
  } catch {
    return text
  }
}

/** The managers in the order of their texts: the server sorts them by time. */
function sorted(managers: JsonValue | undefined): JsonValue {
  const entries = isJsonArray(managers) ? managers.map(lasting) : []
  return entries.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
