import {groupOf} from '../kubernetes/object-key.js'
import {isInstanceRemoval} from '../plan/cluster/objects/instance-removal.js'
import type {Operation, Plan} from '../plan/plan.js'

/** A change of a plan, as users name it, or an object that stays. */
export type PlanVerb = Exclude<Operation['action'], 'apply' | 'create-only'> | 'create' | 'update' | 'keep'

/** The changes of a plan that have verb, kind, reason and rank in common. */
export interface PlanGroup {
  readonly verb: PlanVerb
  /** A kind, with its group for custom resources; `file` for a file without an object. */
  readonly kind: string
  readonly reason: string
  /** The objects, with their namespaces, or the paths of files, in the order of the plan. */
  readonly names: readonly string[]
}

/**
 * Groups the changes of a plan, the riskiest first: deletions, replacements, changes with a risk, permissions, objects
 * that stay, updates, creations. Waits and claims are left out: every shared CRD has them beside its own change.
 */
export function planGroups({operations, kept = []}: Plan): readonly PlanGroup[] {
  const changes = [
    ...operations.filter(({action}) => !BESIDE.includes(action)).map(changeOf),
    ...kept.map(({object, reason}) => ({
      ...({verb: 'keep', kind: object.kind, reason, name: shortName(object)} as const),
      rank: KEPT_RANK,
    })),
  ]
  const groups = new Map<string, {rank: number; names: string[]} & PlanGroup>()
  for (const {name, ...change} of changes) {
    const key = JSON.stringify(change)
    const group = groups.get(key) ?? {...change, names: []}
    group.names.push(name)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => a.rank - b.rank).map(({rank: _rank, ...group}) => group)
}

/** Names the change of an operation as users know it. */
export function planVerb({action, path, precondition}: Operation): PlanVerb {
  if (action === 'create-only') return 'create'
  // A file is replaced as a whole; an object is deleted and created.
  if (action === 'replace' && path !== undefined) return 'update'
  if (action !== 'apply') return action
  return precondition !== undefined && 'absent' in precondition ? 'create' : 'update'
}

/** Operations that have no group of their own. */
const BESIDE: readonly Operation['action'][] = ['wait', 'claim', 'unclaim']

interface Change extends Omit<PlanGroup, 'names'> {
  readonly name: string
  readonly rank: number
}

function changeOf(operation: Operation): Change {
  const {object, path = '', reason} = operation
  const verb = planVerb(operation)
  const kind = object === undefined ? 'file' : kindOf(operation)
  const name = object === undefined ? path : shortName(object)
  return {verb, kind, reason, name, rank: rankOf(verb, operation)}
}

function kindOf(operation: Operation): string {
  const {kind = '', apiVersion = ''} = operation.object ?? {}
  return isInstanceRemoval(operation) ? `${kind} in ${groupOf(apiVersion)}` : kind
}

function shortName({namespace, name}: {readonly namespace?: string; readonly name: string}): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

function rankOf(verb: PlanVerb, {object, risks = []}: Operation): number {
  if (verb === 'delete') return 0
  if (verb === 'replace') return 1
  if (risks.length > 0) return 2
  if (object !== undefined && groupOf(object.apiVersion) === 'rbac.authorization.k8s.io') return 3
  return verb === 'update' ? 5 : 6
}

const KEPT_RANK = 4
