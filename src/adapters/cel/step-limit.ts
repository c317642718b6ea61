import {parse} from '@marcbachmann/cel-js'

/** The maximum number of parts of expressions that one evaluation evaluates: a tenth of a second. */
const MAX_STEPS = 1_000_000

/**
 * The maximum number of characters, bytes and list entries that the functions and operators of one evaluation make together. The
 * limit of memory of the worker does not count bytes, and one function can multiply what it gets.
 */
const MAX_MADE = 32 << 20

type Evaluate = (this: object, evaluator: unknown, node: object, context: unknown) => unknown

const OWN = Symbol('evaluate')

/** Where a node keeps the function that the library selects for it. */
interface CountedNode {
  readonly op?: unknown
  [OWN]?: Evaluate
}

/** What an evaluation did so far. It is of the library: where two copies of this program load it, both read the same. */
interface Count {
  steps: number
  made: number
}

const COUNT = Symbol.for('kubectl-crossplane.cel-count')
let count: Count = {steps: 0, made: 0}

/** Returns the limit that an evaluation exceeded; `exists` and `||` hide the error from its result. */
export function exceededLimit(): string | undefined {
  if (count.steps > MAX_STEPS) return 'it takes more than a million steps'
  return count.made > MAX_MADE ? `it makes more than ${MAX_MADE >> 20} MiB of values` : undefined
}

/** Starts to count the steps of an evaluation, and what it makes. */
export function startCount(): void {
  count.steps = 0
  count.made = 0
}

/** Throws if an evaluation exceeded a limit. */
function expectWithin(): void {
  const exceeded = exceededLimit()
  if (exceeded !== undefined) throw new Error(exceeded)
}

/** The nodes that make values: others return one that exists. */
const MAKING: ReadonlySet<unknown> = new Set(['+', 'call', 'rcall', 'comprehension', 'list'])

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return value instanceof Uint8Array ? value.byteLength : 0
}

/**
 * Lets the nodes of the library count: it has no limit of its own, and time alone would not end the same rule at the same
 * place on every machine. Each node keeps the function that evaluates it in `evaluate`, which the prototype has here.
 */
export function countSteps(): void {
  const prototype = Object.getPrototypeOf(parse('true').ast) as {[COUNT]?: Count}
  count = prototype[COUNT] ??= count
  const first = Object.getOwnPropertyDescriptor(prototype, 'evaluate')?.value as Evaluate | undefined
  if (first === undefined) return
  const counted: Evaluate = function (this: CountedNode, evaluator, node, context) {
    count.steps += 1
    expectWithin()
    const value = (this[OWN] ?? first).call(this, evaluator, node, context)
    if (MAKING.has(this.op)) count.made += sizeOf(value)
    expectWithin()
    return value
  }
  Object.defineProperty(prototype, 'evaluate', {
    get: () => counted,
    set(this: CountedNode, own: Evaluate) {
      this[OWN] = own
    },
  })
}
