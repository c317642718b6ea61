import {DECLARATION_TARGET, LOCK_TARGET} from '../file/plan-file.js'
import type {Operation, Plan, PlanOrigin} from '../plan.js'
import {invalidPlan, readPlan} from '../read-plan.js'
import {CLUSTER_TARGET} from './cluster-target-name.js'

/** A saved plan for a cluster. */
export interface SavedClusterPlan extends Plan {
  readonly origin: PlanOrigin
  /** The file that it was read from. */
  readonly file: string
}

/**
 * Reads a saved plan for a cluster, from any source. Nothing of it is executed: it is compared with the plan that its
 * command makes now. Throws as `readPlan` does.
 */
export function readClusterPlan(bytes: Uint8Array, file: string): SavedClusterPlan {
  const {origin, ...plan} = readPlan(bytes, file)
  const other = plan.operations.findIndex(operation => !isOfCluster(operation))
  if (origin !== undefined && other === -1) return {...plan, origin, file}
  const field = origin === undefined ? 'origin' : `operations[${other}].target`
  throw invalidPlan(file, [{field, message: 'the plan is not for a cluster'}])
}

/** Reports whether an operation is part of a change of a cluster: an object, or a file that the same command edits. */
function isOfCluster({target, object, path}: Operation): boolean {
  if (target === CLUSTER_TARGET) return object !== undefined
  return object === undefined && path !== undefined && [DECLARATION_TARGET, LOCK_TARGET].includes(target)
}
