import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {count} from '../../text.js'
import type {Operation} from '../plan.js'
import type {ListedInstance} from '../uninstall-impact.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import {CLUSTER_TARGET} from './cluster-target-name.js'
import type {UninstallOptions} from './uninstall-options.js'

/** The instances that an uninstall deletes, in the order of their CRDs. */
export function listedInstances({instances}: ClusterSnapshot): readonly ListedInstance[] {
  return [...instances].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, {listed = []}]) => listed)
}

/** Deletes instances and waits until they are gone: what serves them is still there, and does what their finalizers ask. */
export function instanceRemovals(listed: readonly ListedInstance[]): readonly Operation[] {
  return [
    ...listed.map(({object, uid}): Operation => ({
      action: 'delete',
      target: CLUSTER_TARGET,
      object,
      reason: 'the instance would lose the controller',
      precondition: {uid},
    })),
    ...listed.map(({object, uid}): Operation => ({
      action: 'wait',
      target: CLUSTER_TARGET,
      object,
      reason: 'the controller must complete the deletion',
      precondition: {absent: true, uid},
    })),
  ]
}

/** Reports whether an operation deletes an instance of a CRD, in whatever state it is. */
export function isInstanceRemoval({action, precondition}: Operation): boolean {
  return (
    action === 'delete' && precondition !== undefined && !('sha256' in precondition) && 'uid' in precondition
  )
}

/**
 * Rejects the deletion of instances whose number the user did not confirm. A run that was interrupted has left fewer of
 * those that were confirmed for it, which its inventory names.
 */
export function confirmationRejections(
  listed: readonly ListedInstance[],
  {deleting}: Inventory,
  {customResources, confirmedInstances}: UninstallOptions,
): readonly Diagnostic[] {
  const total = listed.length
  if (customResources !== 'delete' || confirmedInstances === total) return []
  if (total === 0 && confirmedInstances === undefined) return []
  const confirmed = new Set(deleting)
  const isContinued = deleting !== undefined && confirmedInstances === deleting.length
  if (isContinued && listed.every(({uid}) => confirmed.has(uid))) return []
  const given = confirmedInstances === undefined ? 'not given' : confirmedInstances
  return [
    {
      severity: 'error',
      rule: 'deletion-unconfirmed',
      message: `${count(total, 'instance')} would be deleted, and --confirm-delete is ${given}`,
      suggestions: [`Review the instances, then pass --confirm-delete=${total}.`],
    },
  ]
}
