import type {ObjectName} from '../../kubernetes/object-name.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {CrossplaneError} from '../../errors.js'
import {nameOf, objectText} from '../../kubernetes/object-key.js'
import type {Written} from '../api/cluster-api.js'
import type {LeaseOptions} from './acquire-lease.js'
import {LEASE_KIND} from './lease-object.js'

/** What client-go stores the record of a leader in: https://pkg.go.dev/k8s.io/client-go/tools/leaderelection/resourcelock */
const LEADER = 'control-plane.alpha.kubernetes.io/leader'
const KIND = {apiVersion: 'v1', kind: 'ConfigMap'}

/**
 * Wraps a client: what it reads and writes as Leases are ConfigMaps, for programs that have no rights on Leases. Throws
 * `conflict` for a ConfigMap with the data of another program, which would be lost.
 */
export function configMapLeases(api: LeaseOptions['api']): LeaseOptions['api'] {
  const named = (name: ObjectName): ObjectName => ({...name, ...KIND})
  const asLease = (result: Written): Written => ({...result, object: leaseOf(result.object)})
  return {
    get: async name => {
      const object = await api.get(named(name))
      return object === undefined ? undefined : leaseOf(object)
    },
    create: async (lease, options) => {
      const result = await api.create(configMapOf(lease), options)
      return result === 'exists' ? result : asLease(result)
    },
    update: async (lease, options) => asLease(await api.update(configMapOf(lease), options)),
    delete: async (name, options) => await api.delete(named(name), options),
    now: () => api.now(),
  }
}

function configMapOf({metadata, spec}: KubernetesObject): KubernetesObject {
  const {leaseTransitions, ...record} = asObject(spec)
  const leader = JSON.stringify({...record, leaderTransitions: leaseTransitions ?? 0})
  return {...KIND, metadata: {...metadata, annotations: {[LEADER]: leader}}}
}

function leaseOf(object: KubernetesObject): KubernetesObject {
  const {metadata} = object
  if (hasData(object)) throw otherData(object)
  const {leaderTransitions, ...record} = recordIn(asText(metadata.annotations?.[LEADER]))
  return {...LEASE_KIND, metadata, spec: {...record, leaseTransitions: leaderTransitions ?? 0}}
}

/** What is no record is one without a holder. */
function recordIn(text: string): JsonObject {
  try {
    return asObject(JSON.parse(text) as JsonValue)
  } catch {
    return {}
  }
}

/** A record of a leader is all that its ConfigMap has; one that an administrator created in advance is empty. */
function hasData({data, binaryData}: KubernetesObject): boolean {
  return [data, binaryData].some(entries => Object.keys(asObject(entries)).length > 0)
}

function otherData(object: KubernetesObject): CrossplaneError {
  const message = `cannot elect a leader: ${objectText(nameOf(object))} has data of another program`
  return new CrossplaneError('conflict', message, {
    suggestions: ['Delete this ConfigMap, or elect the leader in another namespace.'],
  })
}
