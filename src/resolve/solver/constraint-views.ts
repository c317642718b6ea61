import type {Requirement} from '../requirement.js'
import type {Constraints, Demand, SolverNode} from './constraints.js'

/** Other constraints with other demands. */
abstract class View implements Constraints {
  readonly base: Constraints
  readonly #demands = new Map<string, readonly Demand[]>()

  constructor(base: Constraints) {
    this.base = base
  }

  protected abstract evaluate(node: number, position: number): readonly Demand[]

  /** Returns the same object for each demand. */
  demands(node: number, position: number): readonly Demand[] {
    const key = `${node} ${position}`
    const cached = this.#demands.get(key)
    if (cached !== undefined) return cached
    const demands = this.evaluate(node, position)
    this.#demands.set(key, demands)
    return demands
  }

  node(index: number): SolverNode {
    return this.base.node(index)
  }

  isPackage(index: number): boolean {
    return this.base.isPackage(index)
  }

  rivals(node: number): readonly number[] {
    return this.base.rivals(node)
  }

  conflicting(node: number, rival: number, position: number): bigint {
    return this.base.conflicting(node, rival, position)
  }

  partOf(node: number, requirement: Requirement): string | undefined {
    return this.base.partOf(node, requirement)
  }
}

/** Constraints of which some version parts need not hold, as `versionPart` writes them. */
export class RelaxedConstraints extends View {
  readonly #ignored: ReadonlySet<string>

  constructor(base: Constraints, ignored: ReadonlySet<string>) {
    super(base)
    this.#ignored = ignored
  }

  protected override evaluate(node: number, position: number): readonly Demand[] {
    const demands = this.base.demands(node, position)
    return this.#ignored.size === 0 ? demands : demands.map(demand => this.#relaxed(node, demand))
  }

  #relaxed(node: number, demand: Demand): Demand {
    const {requirement, outcome} = demand
    const part = this.partOf(node, requirement)
    if (outcome.kind !== 'edge' || part === undefined || !this.#ignored.has(part)) return demand
    const alternatives = outcome.alternatives?.map(edge => ({...edge, allowed: edge.relaxed}))
    return {requirement, outcome: {...outcome, allowed: outcome.relaxed, alternatives}}
  }
}

/** Constraints of which some demands count. A choice between owners always leads to the one that is selected. */
export class PartialConstraints extends View {
  readonly #holds: (demand: Demand) => boolean

  constructor(base: Constraints, holds: (demand: Demand) => boolean) {
    super(base)
    this.#holds = holds
  }

  protected override evaluate(node: number, position: number): readonly Demand[] {
    const demands = this.base.demands(node, position)
    return this.isPackage(node) ? demands.filter(demand => this.#holds(demand)) : demands
  }
}
