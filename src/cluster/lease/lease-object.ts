import type {ObjectName} from '../../kubernetes/object-name.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../../yaml/json-value.js'

/** A Lease as the server has it. */
export interface Lease {
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  /** Empty if it is released. Untrusted text. */
  readonly holder: string
  /** The time that it lasts without renewal, in milliseconds. */
  readonly duration: number
  readonly transitions: number
}

/** The fields that a holder writes. */
export interface Holding {
  readonly holder: string
  /** In seconds. */
  readonly duration: number
  /** Milliseconds since the epoch, by the clock of the server. */
  readonly now: number
  /** The name of the Lease: that of commands by default. */
  readonly name?: string
}

/** The name of the Lease that commands hold while they change a namespace. */
const COMMANDS_LEASE = 'kubectl-crossplane'
/** The kind of Leases. */
export const LEASE_KIND = {apiVersion: 'coordination.k8s.io/v1', kind: 'Lease'}
/** In seconds: a Lease that claims more must not lock a namespace forever. */
const MAX_DURATION = 60

/** Returns the name of a Lease of a namespace: that of commands by default. */
export function leaseName(namespace: string, name = COMMANDS_LEASE): ObjectName {
  return {...LEASE_KIND, namespace, name}
}

/** Reads a Lease. */
export function leaseIn({metadata, spec}: KubernetesObject): Lease {
  const {holderIdentity, leaseDurationSeconds, leaseTransitions} = asObject(spec)
  const seconds = typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : MAX_DURATION
  return {
    namespace: metadata.namespace ?? '',
    uid: asText(metadata.uid),
    resourceVersion: asText(metadata.resourceVersion),
    holder: asText(holderIdentity),
    duration: Math.min(seconds, MAX_DURATION) * 1000,
    transitions: typeof leaseTransitions === 'number' ? leaseTransitions : 0,
  }
}

/**
 * Reports whether a Lease is held, as far as a single read shows: its holder renewed it within its duration. `now` is in
 * milliseconds since the epoch, by the clock of the server, as the holder wrote it.
 */
export function isHeld(object: KubernetesObject, now: number): boolean {
  const {holder, duration} = leaseIn(object)
  const renewed = Date.parse(asText(asObject(object.spec).renewTime))
  return holder !== '' && Math.abs(now - renewed) <= duration
}

/** Returns the Lease that a holder creates, or writes in place of one; only if that is unchanged. */
export function heldLease(
  namespace: string,
  {holder, duration, now, name = COMMANDS_LEASE}: Holding,
  previous?: Lease,
): KubernetesObject {
  const time = new Date(now).toISOString().replace('Z', '000Z')
  return {
    ...LEASE_KIND,
    metadata: {name, namespace, ...preconditions(previous)},
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: duration,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: (previous?.transitions ?? -1) + (previous?.holder === holder ? 0 : 1),
    },
  }
}

function preconditions(previous: Lease | undefined): Readonly<Record<string, string>> {
  return previous === undefined ? {} : {resourceVersion: previous.resourceVersion, uid: previous.uid}
}
