import {isDeepStrictEqual} from 'node:util'
import {
  asObject,
  asObjects,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {type ClusterState, everyObjectIn} from './cluster-state.js'

/** Kinds that are not compared, each with the reason. */
const EXEMPT_KINDS: Readonly<Record<string, string>> = {
  Event: 'records what happened, and expires',
  Lease: 'is renewed by its holder, and that of a namespace stays for the next command',
  ComponentStatus: 'is not stored: each request probes the components',
}

/** Fields that change without a change of the object, each with the reason. */
const EXEMPT_FIELDS: Readonly<Record<string, string>> = {
  'metadata.resourceVersion': 'counts writes, also those that were reverted',
  'metadata.managedFields.time': 'is the time of a write, also of one that was reverted',
  'status.conditions.lastHeartbeatTime': 'shows that a node runs',
}

/** Objects that an uninstall leaves, by their texts, each with the reason. */
const KEPT: readonly {readonly reason: string; readonly is: RegExp}[] = [
  {reason: 'the base', is: /^CustomResourceDefinition[.]\S+ [a-z]+[.](?:packages|stacks)[.]crossplane[.]io$/},
  {reason: 'the base', is: /^ClusterRole(?:Binding)?[.]\S+ crossplane(?:-|:system)\S*$/},
  {
    reason: 'generated for the base',
    is: /^APIService[.]\S+ v1alpha1[.](?:packages|stacks)[.]crossplane[.]io$/,
  },
  {reason: 'Namespaces stay', is: /^Namespace[.] crossplane-system$/},
  {
    reason: 'the base',
    is: /^ClusterRole[.]\S+ crossplane:(?:package|stack)-manager:(?:env|ns):default:(?:admin|edit|view)$/,
  },
  {reason: 'belongs to its namespace', is: /^ClusterRole[.]\S+ crossplane:ns:[^:]+:(?:admin|edit|view)$/},
  {reason: 'generated for a Namespace', is: /^ServiceAccount[.] [^/]+[/]default$/},
  {reason: 'generated for a Namespace', is: /^ConfigMap[.] [^/]+[/]kube-root-ca[.]crt$/},
]

/** Reads every object that can be listed, of every API group, with all fields but those that change by themselves. */
export async function comparableState(cluster: TestCluster): Promise<ClusterState> {
  const objects = Object.entries(await everyObjectIn(cluster, Object.keys(EXEMPT_KINDS)))
  return Object.fromEntries(
    objects.map(([name, object]) => [name, asObject(comparable(withoutAggregated(object), ''))]),
  )
}

/** The rules of an aggregated role are generated from other roles, which are compared. */
function withoutAggregated({rules, ...object}: JsonObject): JsonObject {
  return 'aggregationRule' in object || rules === undefined ? object : {...object, rules}
}

/** What differs between two states, except for objects that stay and were not there before. */
interface Difference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly {readonly from: JsonObject | undefined; readonly to: JsonObject | undefined}[]
}

/** Compares two states in all fields. */
export function differenceBetween(before: ClusterState, after: ClusterState): Difference {
  const changed = Object.keys(before).filter(
    name => name in after && !isDeepStrictEqual(before[name], after[name]),
  )
  return {
    added: Object.keys(after).filter(name => !(name in before) && !KEPT.some(({is}) => is.test(name))),
    removed: Object.keys(before).filter(name => !(name in after)),
    changed: changed.map(name => ({from: before[name], to: after[name]})),
  }
}

export const NO_DIFFERENCE: Difference = {added: [], removed: [], changed: []}

function comparable(value: JsonValue, path: string): JsonValue {
  if (isJsonArray(value)) return value.map(each => comparable(each, path))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(
    ([key, each]) => [path === '' ? key : `${path}.${key}`, key, each] as const,
  )
  return Object.fromEntries(
    fields
      .filter(([at]) => !(at in EXEMPT_FIELDS))
      .map(([at, key, each]) => [
        key,
        at === 'metadata.managedFields' ? byManager(each) : comparable(each, at),
      ]),
  )
}

/** The server orders managers by the times of their writes. */
function byManager(entries: JsonValue): JsonValue {
  const managers = asObjects(entries).map(each => comparable(each, 'metadata.managedFields'))
  return managers.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
