import {parse} from '@marcbachmann/cel-js'

/** The maximum number of parts of expressions that one evaluation evaluates: a tenth of a second. */
const MAX_STEPS = 1_000_000

type Evaluate = (this: object, evaluator: unknown, node: object, context: unknown) => unknown

const OWN = Symbol('evaluate')

/** Where a node keeps the function that the library selects for it. */
interface CountedNode {
  [OWN]?: Evaluate
}

let steps = 0

/** Reports whether an evaluation took more steps than it may; `exists` and `||` hide the error from its result. */
export function isOverLimit(): boolean {
  return steps > MAX_STEPS
}

/** Starts to count the steps of an evaluation. */
export function startCount(): void {
  steps = 0
}

/**
 * Lets the nodes of the library count: it has no limit of its own, and time alone would not end the same rule at the same
 * place on every machine. Each node keeps the function that evaluates it in `evaluate`, which the prototype has here.
 */
export function countSteps(): void {
  const prototype = Object.getPrototypeOf(parse('true').ast) as object
  const first = Object.getOwnPropertyDescriptor(prototype, 'evaluate')?.value as Evaluate | undefined
  if (first === undefined) return
  const counted: Evaluate = function (this: CountedNode, evaluator, node, context) {
    steps += 1
    if (steps > MAX_STEPS) throw new Error(`more than ${MAX_STEPS} steps`)
    return (this[OWN] ?? first).call(this, evaluator, node, context)
  }
  Object.defineProperty(prototype, 'evaluate', {
    get: () => counted,
    set(this: CountedNode, own: Evaluate) {
      this[OWN] = own
    },
  })
}
