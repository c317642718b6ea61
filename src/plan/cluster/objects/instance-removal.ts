import type {Diagnostic} from '../../../diagnostic.js'
import {objectText} from '../../../kubernetes/object-key.js'
import {count, escaped, listSome} from '../../../text.js'
import type {Operation} from '../../plan.js'
import type {ListedInstance} from '../../uninstall-impact.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import type {UninstallOptions} from '../state/uninstall-options.js'

/** The instances that an uninstall deletes, in the order of their CRDs. */
export function listedInstances({instances}: ClusterSnapshot): readonly ListedInstance[] {
  return [...instances].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, {listed = []}]) => listed)
}

/** Deletes instances and waits until they are gone: their controller still runs, and handles their finalizers. */
export function instanceRemovals(listed: readonly ListedInstance[]): readonly Operation[] {
  return [
    ...listed.map(({object, uid}): Operation => ({
      action: 'delete',
      target: CLUSTER_TARGET,
      object,
      reason: 'the custom resource would lose its controller',
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

/** Reports whether an operation deletes an instance of a CRD, regardless of its state. */
export function isInstanceRemoval({action, precondition}: Operation): boolean {
  return (
    action === 'delete' && precondition !== undefined && !('sha256' in precondition) && 'uid' in precondition
  )
}

/** Reports whether an operation waits until such an instance is gone. */
export function isInstanceWait({action, precondition}: Operation): boolean {
  return (
    action === 'wait' &&
    precondition !== undefined &&
    'absent' in precondition &&
    precondition.uid !== undefined
  )
}

/** The instances that a user confirmed for an uninstall that was interrupted. */
export interface ConfirmedInstances {
  readonly count: number
  readonly has: (uid: string) => boolean
}

/**
 * Rejects the deletion of instances that the user did not confirm by their number. An interrupted run has left some of
 * the instances that were confirmed for it and that are recorded: the same number confirms these, and no others.
 */
export function confirmationRejections(
  listed: readonly ListedInstance[],
  recorded: ConfirmedInstances | undefined,
  {customResources, confirmedInstances}: UninstallOptions,
): readonly Diagnostic[] {
  const total = listed.length
  if (customResources !== 'delete') return []
  if (recorded !== undefined && confirmedInstances === recorded.count) {
    return addedRejections(listed.filter(({uid}) => !recorded.has(uid)))
  }
  // Nothing is left to delete after an interrupted run, also where it is not recorded what was confirmed.
  if (total === 0 || confirmedInstances === total) return []
  const resources = count(total, 'custom resource')
  return [
    {
      severity: 'error',
      rule: 'deletion-unconfirmed',
      message:
        confirmedInstances === undefined
          ? `deleting ${resources} requires --confirm-delete=${total}`
          : `--confirm-delete is ${confirmedInstances}, but ${resources} would be deleted`,
      suggestions: [`Review the custom resources, then pass --confirm-delete=${total}.`],
    },
  ]
}

function addedRejections(added: readonly ListedInstance[]): readonly Diagnostic[] {
  if (added.length === 0) return []
  const names = listSome(added.map(({object}) => escaped(objectText(object))))
  const resources = `${count(added.length, 'custom resource')} ${added.length === 1 ? 'was' : 'were'}`
  return [
    {
      severity: 'error',
      rule: 'deletion-unconfirmed',
      message: `${resources} created after the deletion was confirmed: ${names}`,
      suggestions: ['Delete the new custom resources, and run the command again.'],
    },
  ]
}
