import type {LeaseOptions} from '../../../src/cluster/lease/acquire-lease.js'
import {CrossplaneError} from '../../../src/errors.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'

/** The error of a server that is away. */
export const UNREACHABLE = new CrossplaneError('cluster-unreachable', 'no answer')

/** Requests to a server that has no Lease, and that is away once a new one was renewed so many times. */
export function leaseServer(renewals: number, now: number): LeaseOptions['api'] {
  let written = 0
  const write = (object: KubernetesObject) => {
    if (written > renewals) return Promise.reject(UNREACHABLE)
    const metadata = {...object.metadata, uid: 'u1', resourceVersion: String(++written)}
    return Promise.resolve({object: {...object, metadata}, created: false, warnings: []})
  }
  return {
    get: () => Promise.resolve(undefined),
    create: write,
    update: write,
    delete: () => Promise.resolve('deleted' as const),
    now: () => now,
  }
}
