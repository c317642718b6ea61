import {type Cause, type Need, type Nogood, positionsIn, type Refusal, Terms} from './nogood.js'
import {type Demand, type Problem, ROOT, versionPart} from './problem.js'

/** Whether a search has to end, though it has not: asked after each of its steps. */
export interface Budget {
  isSpent(steps: number): boolean
}

/** What a search ends with: a version of each package that is needed, or why there is no answer. */
export type SearchResult =
  | {readonly kind: 'answer'; readonly selected: ReadonlyMap<number, number>; readonly steps: number}
  | {readonly kind: 'none'; readonly nogood: Nogood; readonly steps: number}
  | {readonly kind: 'spent'; readonly steps: number}

interface Choice {
  readonly node: number
  readonly position: number
  readonly bit: bigint
  /** How many needs there were before it, and how many of them were looked at. */
  readonly needs: number
  readonly head: number
}

/**
 * Takes needs breadth-first from the reader's, in file order, and the versions of each package in their order: the
 * answer is the first complete assignment of that order. Whatever fails leaves a nogood, by which the search jumps back
 * to the last choice that had to do with it; since a nogood follows from the question alone, nothing is skipped that
 * holds an answer. docs/decisions/0010-resolution.md says why that is so.
 */
export class Solver {
  readonly #problem: Problem
  readonly #trail: Choice[] = []
  readonly #selected = new Map<
    number,
    {readonly level: number; readonly position: number; readonly bit: bigint}
  >()
  readonly #needs: Need[] = []
  readonly #needsOf = new Map<number, Need[]>()
  readonly #learned = new Map<number, Nogood[]>()
  #head = 0
  #steps = 0

  constructor(problem: Problem) {
    this.#problem = problem
  }

  run(budget: Budget): SearchResult {
    let conflict = this.#choose(ROOT, 0, 1n)
    for (;;) {
      if (conflict !== undefined) {
        this.#learn(conflict)
        if (!this.#jumpBack(conflict)) return {kind: 'none', nogood: conflict, steps: this.#steps}
      }
      const need = this.#nextNeed()
      if (need === undefined) return this.#answer()
      this.#steps += 1
      if (budget.isSpent(this.#steps)) return {kind: 'spent', steps: this.#steps}
      conflict = this.#meet(need)
    }
  }

  #answer(): SearchResult {
    const selected = new Map([...this.#selected].map(([node, {position}]) => [node, position]))
    selected.delete(ROOT)
    return {kind: 'answer', selected, steps: this.#steps}
  }

  /** The first need whose package has no version yet. */
  #nextNeed(): Need | undefined {
    for (; this.#head < this.#needs.length; this.#head += 1) {
      const need = this.#needs[this.#head]
      if (need !== undefined && !this.#selected.has(need.edge.to)) return need
    }
    return undefined
  }

  /** Chooses the first version that nothing refuses; a conflict if there is none, or if it cannot be. */
  #meet(need: Need): Nogood | undefined {
    const {to} = need.edge
    const {remaining} = this.#refusals(to)
    const [position] = positionsIn(remaining, this.#problem.node(to))
    if (position === undefined) return this.#exhausted(to)
    return this.#choose(to, position, 1n << BigInt(position))
  }

  #choose(node: number, position: number, bit: bigint): Nogood | undefined {
    const demands = this.#problem.demands(node, position)
    const impossible = demands.find(({outcome}) => outcome.kind === 'impossible')
    if (impossible !== undefined) return this.#impossible(node, position, impossible)
    this.#trail.push({node, position, bit, needs: this.#needs.length, head: this.#head})
    this.#selected.set(node, {level: this.#trail.length - 1, position, bit})
    const added: Need[] = []
    for (const demand of demands) {
      if (demand.outcome.kind === 'edge') added.push({from: node, position, demand, edge: demand.outcome})
    }
    for (const need of added) this.#addNeed(need)
    for (const need of added) {
      const conflict = this.#conflictOf(need)
      if (conflict !== undefined) return conflict
    }
    return undefined
  }

  #addNeed(need: Need): void {
    this.#needs.push(need)
    const known = this.#needsOf.get(need.edge.to)
    if (known === undefined) this.#needsOf.set(need.edge.to, [need])
    else known.push(need)
  }

  #impossible(node: number, position: number, demand: Demand): Nogood {
    const terms = new Terms()
    terms.add(node, 1n << BigInt(position))
    return nogood(terms, {kind: 'impossible', node, position, demand})
  }

  /** What a new need contradicts at once: a version that is chosen, or all that are left of its package. */
  #conflictOf(need: Need): Nogood | undefined {
    const {to, allowed} = need.edge
    const selected = this.#selected.get(to)
    if (selected !== undefined) return (selected.bit & allowed) === 0n ? this.#clash(need) : undefined
    const needs = this.#needsOf.get(to) ?? []
    const left = needs.reduce((set, {edge}) => set & edge.allowed, this.#problem.node(to).all)
    return left === 0n ? this.#exhausted(to) : undefined
  }

  #clash(need: Need): Nogood {
    const {to, allowed} = need.edge
    const versions = this.#problem.node(to).all & ~allowed
    const terms = new Terms()
    terms.add(to, versions)
    this.#addNeedTerm(terms, need, versions)
    return nogood(terms, {kind: 'clash', node: to, refusal: {kind: 'need', versions, need}})
  }

  /** A package that is needed, and of which nothing is left. */
  #exhausted(node: number): Nogood {
    const {refusals} = this.#refusals(node)
    const [need] = this.#needsOf.get(node) ?? []
    if (need === undefined) throw new RangeError(`nobody needs package ${node}`)
    const terms = new Terms()
    this.#addNeedTerm(terms, need, 0n)
    for (const refusal of refusals) this.#addRefusal(terms, node, refusal)
    return nogood(terms, {kind: 'exhausted', node, need, refusals})
  }

  /** What refuses versions of a package as things stand, each version once, and what is left. */
  #refusals(node: number): {remaining: bigint; refusals: Refusal[]} {
    let remaining = this.#problem.node(node).all
    const refusals: Refusal[] = []
    for (const refusal of this.#standing(node)) {
      const versions = refusal.versions & remaining
      if (versions === 0n) continue
      remaining &= ~versions
      refusals.push({...refusal, versions})
    }
    return {remaining, refusals}
  }

  *#standing(node: number): Generator<Refusal> {
    const {all} = this.#problem.node(node)
    for (const need of this.#needsOf.get(node) ?? []) {
      yield {kind: 'need', versions: all & ~need.edge.allowed, need}
    }
    for (const rival of this.#problem.rivals(node)) {
      const selected = this.#selected.get(rival)
      if (selected === undefined) continue
      const {position} = selected
      yield {kind: 'rival', versions: this.#problem.clashing(node, rival, position), rival, position}
    }
    for (const each of this.#learned.get(node) ?? []) {
      if (this.#holds(each, node)) {
        yield {kind: 'nogood', versions: each.terms.get(node) ?? 0n, nogood: each}
      }
    }
  }

  /** Whether all terms of a nogood but one are so now. */
  #holds({terms}: Nogood, but: number): boolean {
    for (const [node, versions] of terms) {
      if (node !== but && ((this.#selected.get(node)?.bit ?? 0n) & versions) === 0n) return false
    }
    return true
  }

  #addRefusal(terms: Terms, node: number, refusal: Refusal): void {
    if (refusal.kind === 'nogood') return terms.addAll(refusal.nogood, node)
    if (refusal.kind === 'need') return this.#addNeedTerm(terms, refusal.need, refusal.versions)
    const {rival, versions} = refusal
    const others = this.#versionsWhere(
      rival,
      position => (this.#problem.clashing(node, rival, position) & versions) === versions,
    )
    terms.add(rival, others)
  }

  /** Every version of the package that has the need which would refuse the same versions: so more is learned at once. */
  #addNeedTerm(terms: Terms, {from, edge: {to}}: Need, versions: bigint): void {
    if (from === ROOT) return
    const {identity} = this.#problem.node(from)
    const alike = this.#versionsWhere(from, position => {
      const edges = this.#problem.demands(from, position).flatMap(demand => edgeTo(to, demand))
      return edges.length > 0 && edges.reduce((set, {edge}) => set & edge.allowed, versions) === 0n
    })
    terms.add(from, alike)
    for (const position of positionsIn(alike, this.#problem.node(from))) {
      for (const {demand, edge} of this.#problem.demands(from, position).flatMap(each => edgeTo(to, each))) {
        const forVersion = edge.relaxed & ~edge.allowed & versions
        if (forVersion !== 0n) terms.parts.add(versionPart(identity, demand.requirement))
      }
    }
  }

  #versionsWhere(node: number, holds: (position: number) => boolean): bigint {
    const {versions} = this.#problem.node(node)
    return versions.reduce((set, {bit}, position) => (holds(position) ? set | bit : set), 0n)
  }

  #learn(learned: Nogood): void {
    for (const node of learned.terms.keys()) {
      const known = this.#learned.get(node)
      if (known === undefined) this.#learned.set(node, [learned])
      else known.push(learned)
    }
  }

  /** Undoes choices up to the last one that a nogood speaks of; false if it speaks of none. */
  #jumpBack({terms}: Nogood): boolean {
    const levels = [...terms.keys()].map(node => this.#selected.get(node)?.level ?? this.#trail.length)
    if (levels.length === 0) return false
    const level = Math.max(...levels)
    while (this.#trail.length > level) this.#undo()
    return true
  }

  #undo(): void {
    const choice = this.#trail.pop()
    if (choice === undefined) return
    this.#selected.delete(choice.node)
    while (this.#needs.length > choice.needs) {
      const need = this.#needs.pop()
      if (need !== undefined) this.#needsOf.get(need.edge.to)?.pop()
    }
    this.#head = choice.head
  }
}

function edgeTo(to: number, demand: Demand): {demand: Demand; edge: Need['edge']}[] {
  const {outcome} = demand
  return outcome.kind === 'edge' && outcome.to === to ? [{demand, edge: outcome}] : []
}

function nogood({terms, parts}: Terms, cause: Cause): Nogood {
  return {terms, parts, cause}
}
