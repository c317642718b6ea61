import type {Plan} from '../plan.js'
import {CLUSTER_TARGET} from './state/cluster-target-name.js'

/** The part of a plan that changes the cluster: it can edit a declaration and its lock file, too. */
export function clusterPart(plan: Plan): Plan {
  return {...plan, operations: plan.operations.filter(({target}) => target === CLUSTER_TARGET)}
}
