import {objectText} from '../../../kubernetes/object-key.js'
import {escaped} from '../../../text.js'
import type {Operation} from '../../plan.js'
import {formatPlan} from '../../plan-document.js'

/**
 * Names the objects for which two plans differ, for messages; none for the same operations in the same order. Namespaces
 * are left out: they are created before the plan is made again.
 */
export function planDifferences(
  before: readonly Operation[],
  after: readonly Operation[],
): readonly string[] {
  const [one, other] = [withoutNamespaces(before), withoutNamespaces(after)]
  const [left, right] = [textsByObject(one), textsByObject(other)]
  const differing = [...left.keys(), ...right.keys()].filter(name => left.get(name) !== right.get(name))
  if (differing.length > 0 || operationsText(one) === operationsText(other)) return [...new Set(differing)]
  return ['the order of the operations']
}

function withoutNamespaces(operations: readonly Operation[]): readonly Operation[] {
  return operations.filter(({phase}) => phase !== 'namespaces')
}

function textsByObject(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const name = changedObject(operation)
    groups.set(name, [...(groups.get(name) ?? []), operation])
  }
  return new Map([...groups].map(([name, value]) => [name, operationsText(value)]))
}

/** The object or file of an operation in messages; a saved plan can name it as it likes. */
export function changedObject({object, path = ''}: Operation): string {
  return escaped(object === undefined ? path : objectText(object))
}

/** Operations as they are saved: without suggestions, and with the values of Secrets masked. */
export function operationsText(operations: readonly Operation[]): string {
  return formatPlan({operations: operations.map(withoutSuggestions), unchanged: 0, rejections: []})
}

function withoutSuggestions(operation: Operation): Operation {
  const {risks} = operation
  if (risks === undefined) return operation
  return {...operation, risks: risks.map(({severity, rule, message}) => ({severity, rule, message}))}
}
