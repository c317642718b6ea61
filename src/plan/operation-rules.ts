import {CLUSTER_TARGET} from './cluster/state/cluster-target-name.js'
import {DECLARATION_TARGET, LOCK_TARGET} from './file/plan-file.js'
import {FOLDER_TARGET} from './folder/folder-target-name.js'
import type {Operation, Precondition} from './plan.js'
import type {PlanDiagnostic} from './shape.js'

/**
 * The forms of preconditions: nothing exists; an object with a uid is gone; a file, or an object, is in the state that
 * the decision was based on; it is the same object, regardless of its state; the Lock of a core has a revision, or not.
 */
type PreconditionForm = 'none' | 'absent' | 'gone' | 'file' | 'state' | 'same' | 'lock'

const FIELDS = ['path', 'object', 'phase', 'manager', 'force', 'labels', 'finalizers', 'content'] as const
type Field = (typeof FIELDS)[number]

/** An operation that plans can contain, besides its action, target, reason and risks. */
interface OperationRule {
  readonly target: string
  readonly action: Operation['action']
  readonly precondition: PreconditionForm
  /** The fields that it has. */
  readonly has: readonly Field[]
  /** The fields that it can have. */
  readonly may?: readonly Field[]
}

/**
 * Every operation that this program plans. A saved plan is untrusted: an operation that matches no row is rejected before
 * anything of it is looked at. Rows of one target and action differ in their preconditions.
 */
const OPERATION_RULES: readonly OperationRule[] = [
  ...[FOLDER_TARGET, DECLARATION_TARGET, LOCK_TARGET].flatMap((target): OperationRule[] => [
    {target, action: 'create-only', precondition: 'absent', has: ['path', 'content'], may: ['object']},
    {target, action: 'replace', precondition: 'file', has: ['path', 'content'], may: ['object']},
    {target, action: 'delete', precondition: 'file', has: ['path'], may: ['object']},
  ]),
  ...(['absent', 'state'] as const).flatMap((precondition): OperationRule[] => [
    {
      ...{target: CLUSTER_TARGET, action: 'apply', precondition},
      has: ['object', 'manager', 'content'],
      // An inventory belongs to no phase.
      may: ['phase', 'force'],
    },
  ]),
  {
    ...{target: CLUSTER_TARGET, action: 'create-only', precondition: 'absent'},
    has: ['object', 'manager', 'content', 'phase'],
  },
  // An inventory that exists.
  {
    ...{target: CLUSTER_TARGET, action: 'apply', precondition: 'none'},
    has: ['object', 'manager', 'content'],
  },
  // A revision, which Crossplane changes meanwhile.
  {
    ...{target: CLUSTER_TARGET, action: 'apply', precondition: 'same'},
    has: ['object', 'manager', 'content', 'force'],
  },
  {
    ...{target: CLUSTER_TARGET, action: 'replace', precondition: 'state'},
    has: ['object', 'manager', 'content', 'phase'],
  },
  {
    ...{target: CLUSTER_TARGET, action: 'claim', precondition: 'none'},
    has: ['object', 'manager', 'content', 'phase'],
  },
  {
    ...{target: CLUSTER_TARGET, action: 'migrate', precondition: 'state'},
    has: ['object', 'content', 'phase'],
  },
  {
    ...{target: CLUSTER_TARGET, action: 'unclaim', precondition: 'none'},
    ...{has: ['object', 'manager'], may: ['phase']},
  },
  {
    ...{target: CLUSTER_TARGET, action: 'unclaim', precondition: 'state'},
    ...{has: ['object', 'manager', 'labels'], may: ['phase']},
  },
  {
    ...{target: CLUSTER_TARGET, action: 'delete', precondition: 'state'},
    ...{has: ['object'], may: ['finalizers']},
  },
  // A custom resource, and an inventory.
  {target: CLUSTER_TARGET, action: 'delete', precondition: 'same', has: ['object']},
  {target: CLUSTER_TARGET, action: 'delete', precondition: 'none', has: ['object']},
  // Of a revision that has to leave the Lock, what is applied again meanwhile.
  {
    ...{target: CLUSTER_TARGET, action: 'wait', precondition: 'lock'},
    ...{has: ['object'], may: ['manager', 'force', 'content']},
  },
  ...(['none', 'absent', 'gone'] as const).map((precondition): OperationRule => ({
    ...{target: CLUSTER_TARGET, action: 'wait', precondition},
    ...{has: ['object'], may: ['phase']},
  })),
]

/** Returns what an operation lacks, or has too much, to be one that this program plans. */
export function operationDiagnostics(operation: Operation, index: number): readonly PlanDiagnostic[] {
  const {action, target} = operation
  const field = `operations[${index}]`
  const rules = OPERATION_RULES.filter(rule => rule.target === target)
  if (rules.length === 0) return [{field: `${field}.target`, message: 'unknown target'}]
  const ofAction = rules.filter(rule => rule.action === action)
  if (ofAction.length === 0) {
    return [{field: `${field}.action`, message: `a plan for the target ${target} never has ${action}`}]
  }
  const form = formOf(operation.precondition)
  const rule = ofAction.find(allowed => allowed.precondition === form)
  if (rule === undefined) {
    const forms = ofAction.map(allowed => FORMS[allowed.precondition])
    const message = `${action} for the target ${target} requires ${forms.join(' or ')}`
    return [{field: `${field}.precondition`, message}]
  }
  return fieldDiagnostics(operation, rule, field)
}

const FORMS: Readonly<Record<PreconditionForm, string>> = {
  none: 'no precondition',
  absent: '{"absent": true}',
  gone: '{"absent": true} with a uid',
  file: 'a sha256',
  state: 'a uid with a sha256',
  same: 'a uid',
  lock: 'a revision and whether it is locked',
}

function fieldDiagnostics(operation: Operation, {has, may = []}: OperationRule, field: string) {
  return FIELDS.flatMap((name): PlanDiagnostic[] => {
    const isPresent = operation[name] !== undefined
    if (has.includes(name) && !isPresent)
      return [{field: `${field}.${name}`, message: 'the field is missing'}]
    if (!isPresent || has.includes(name) || may.includes(name)) return []
    return [{field: `${field}.${name}`, message: `${operation.action} never has the field`}]
  })
}

function formOf(precondition: Precondition | undefined): PreconditionForm {
  if (precondition === undefined) return 'none'
  if ('absent' in precondition) return precondition.uid === undefined ? 'absent' : 'gone'
  if ('revision' in precondition) return 'lock'
  if (!('sha256' in precondition)) return 'same'
  return precondition.uid === undefined ? 'file' : 'state'
}
