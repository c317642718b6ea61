import {CRD_CHANGES, type CrdChangeKind} from '../../declaration/policy/policy.js'
import {objectText} from '../../kubernetes/object-key.js'
import {isInventoryOperation} from '../../plan/cluster/inventories/inventory-operations.js'
import type {Operation} from '../../plan/plan.js'
import {asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'

const TARGETS = ['cluster', 'folder', 'git'] as const
const CHANGES = [...CRD_CHANGES, 'unknown'] as const

/** A plan as rules see it: the variable `plan`. The names are an interface, described in docs/policy-rules.md. */
export interface JudgedPlan {
  /** What it changes. */
  readonly target: (typeof TARGETS)[number]
  readonly operations: readonly JudgedOperation[]
  readonly crds: readonly JudgedCrdChange[]
}

/** An operation of a plan; texts that do not apply are empty. */
interface JudgedOperation {
  readonly action: string
  /** `Deployment team/app`. */
  readonly object: string
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** The file, relative to the target. */
  readonly path: string
  readonly reason: string
}

/** A CRD that exists, and that the plan changes. */
export interface JudgedCrdChange {
  readonly name: string
  /** `unknown` where the former content cannot be read. */
  readonly changes: readonly (CrdChangeKind | 'unknown')[]
  readonly removedVersions: readonly string[]
  readonly unservedVersions: readonly string[]
  /** Those that accept fewer values, such as `v1: spec.size`. */
  readonly fields: readonly string[]
}

/** The fields of `plan`, and of the maps in its lists. */
export const PLAN_FIELDS = {
  plan: ['target', 'operations', 'crds'],
  'plan.operations': ['action', 'object', 'apiVersion', 'kind', 'namespace', 'name', 'path', 'reason'],
  'plan.crds': ['name', 'changes', 'removedVersions', 'unservedVersions', 'fields'],
}

/** Returns the operations as rules see them, without waiting and the program's own records. */
export function judgedOperations(operations: readonly Operation[]): readonly JudgedOperation[] {
  return operations
    .filter(operation => operation.action !== 'wait' && !isInventoryOperation(operation))
    .map(({action, object, path = '', reason}) => {
      const {apiVersion = '', kind = '', namespace = '', name = ''} = object ?? {}
      return {
        ...{
          action,
          object: object === undefined ? '' : objectText(object),
          apiVersion,
          kind,
          namespace,
          name,
        },
        ...{path, reason},
      }
    })
}

/** Returns a plan as a user wrote it for a test; what is missing is empty. */
export function writtenPlan({target, operations, crds}: JsonObject): JudgedPlan {
  return {
    target: TARGETS.find(one => one === target) ?? 'cluster',
    operations: asObjects(operations).map(operation => ({
      ...{action: asText(operation.action), object: asText(operation.object)},
      ...{apiVersion: asText(operation.apiVersion), kind: asText(operation.kind)},
      ...{namespace: asText(operation.namespace), name: asText(operation.name)},
      ...{path: asText(operation.path), reason: asText(operation.reason)},
    })),
    crds: asObjects(crds).map(({name, changes, removedVersions, unservedVersions, fields}) => ({
      ...{name: asText(name), changes: CHANGES.filter(change => asTexts(changes).includes(change))},
      ...{removedVersions: asTexts(removedVersions), unservedVersions: asTexts(unservedVersions)},
      fields: asTexts(fields),
    })),
  }
}
