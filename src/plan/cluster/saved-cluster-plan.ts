import {escaped} from '../../text.js'
import {DECLARATION_TARGET, LOCK_TARGET} from '../file/plan-file.js'
import type {Operation, Plan, PlanOrigin} from '../plan.js'
import {expectWellFormed, invalidPlan, readPlan, refusedPlan} from '../read-plan.js'
import type {PlanDiagnostic} from '../shape.js'
import {CLUSTER_TARGET} from './state/cluster-target-name.js'
import {changedObject} from './objects/plan-differences.js'
import {operationProblem} from './objects/planned-object.js'

/** A saved plan for a cluster. */
export interface SavedClusterPlan extends Plan {
  readonly origin: PlanOrigin
  /** The file that it was read from. */
  readonly file: string
}

/**
 * Reads a saved plan for a cluster, from any source. Nothing of it is executed: it is compared with the plan that its
 * command makes now. Throws as `readPlan` does, and `cluster-refused` for operations that its command never plans.
 */
export function readClusterPlan(bytes: Uint8Array, file: string): SavedClusterPlan {
  const {origin, ...plan} = readPlan(bytes, file)
  const other = plan.operations.findIndex(operation => !isOfCluster(operation))
  if (origin === undefined || other !== -1) {
    const field = origin === undefined ? 'origin' : `operations[${other}].target`
    throw invalidPlan(file, [{field, message: 'the plan is not for a cluster'}])
  }
  const refused = refusedOperations(plan.operations, operation =>
    operationProblem(operation, escaped(origin.command)),
  )
  if (refused.length > 0) throw refusedPlan('cluster-refused', file, refused)
  expectWellFormed(plan.operations, file)
  return {...plan, origin, file}
}

/** Returns the operations that have a problem, as `operations[1]`, each with its action, its object and the problem. */
export function refusedOperations(
  operations: readonly Operation[],
  problem: (operation: Operation) => string | undefined,
): readonly PlanDiagnostic[] {
  return operations.flatMap((operation, index) => {
    const message = problem(operation)
    if (message === undefined) return []
    const field = `operations[${index}]`
    return [{field, message: `${operation.action} ${changedObject(operation)}: ${message}`}]
  })
}

/** Reports whether an operation is part of a change of a cluster: an object, or a file that the same command edits. */
function isOfCluster({target, object, path}: Operation): boolean {
  if (target === CLUSTER_TARGET) return object !== undefined
  return object === undefined && path !== undefined && [DECLARATION_TARGET, LOCK_TARGET].includes(target)
}
