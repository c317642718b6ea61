import {
  type ActiveEdge,
  type Cause,
  type Nogood,
  firstPosition,
  positionsIn,
  type Rejection,
  Terms,
} from './nogood.js'
import {type Demand, type Edge, type Constraints, ROOT} from './constraints.js'

/** Limits a search: called after each of its steps. */
export interface Budget {
  isSpent(steps: number): boolean
}

/** The result of a search: a version of each required package, or the reason why there is no resolution. */
export type SearchResult =
  | {readonly kind: 'answer'; readonly selected: ReadonlyMap<number, number>; readonly steps: number}
  | {readonly kind: 'none'; readonly nogood: Nogood; readonly steps: number}
  | {readonly kind: 'spent'; readonly steps: number}

interface Choice {
  readonly node: number
  readonly position: number
  readonly bit: bigint
  /** The number of edges before it, and the number of these that were handled. */
  readonly edges: number
  readonly head: number
}

/**
 * Handles edges breadth-first from the roots, in file order, and the versions of each package in their order: the
 * result is the first complete assignment of that order. Each failure results in a nogood, and the search jumps back to
 * the last choice that is part of it. A nogood follows from the input alone, so no solution is skipped.
 * docs/decisions/0010-resolution.md explains why.
 */
export class Solver {
  readonly #model: Constraints
  readonly #trail: Choice[] = []
  readonly #selected = new Map<
    number,
    {readonly level: number; readonly position: number; readonly bit: bigint}
  >()
  readonly #edges: ActiveEdge[] = []
  readonly #edgesTo = new Map<number, ActiveEdge[]>()
  readonly #learned = new Map<number, Nogood[]>()
  #head = 0
  #steps = 0

  constructor(model: Constraints) {
    this.#model = model
  }

  /** Searches from the choices that stand: none at first, and after an answer those that were not taken back. */
  run(budget: Budget): SearchResult {
    let conflict = this.#trail.length === 0 ? this.#select(ROOT, 0, 1n) : undefined
    for (;;) {
      if (conflict !== undefined) {
        this.#learn(conflict)
        if (!this.#jumpBack(conflict)) return {kind: 'none', nogood: conflict, steps: this.#steps}
      }
      const edge = this.#nextEdge()
      if (edge === undefined) return this.#answer()
      this.#steps += 1
      if (budget.isSpent(this.#steps)) return {kind: 'spent', steps: this.#steps}
      conflict = this.#satisfy(edge)
    }
  }

  /**
   * Takes back the choices from the first of these packages on, whose selected versions have more requirements now.
   * What was learned and what was chosen before stays: requirements only rule out more.
   */
  reconsider(nodes: readonly number[]): void {
    const levels = nodes.map(node => this.#selected.get(node)?.level ?? this.#trail.length)
    const first = Math.min(...levels, this.#trail.length)
    while (this.#trail.length > first) this.#undo()
  }

  #answer(): SearchResult {
    const selected = new Map([...this.#selected].map(([node, {position}]) => [node, position]))
    selected.delete(ROOT)
    return {kind: 'answer', selected, steps: this.#steps}
  }

  /** The first edge whose package has no version yet. */
  #nextEdge(): ActiveEdge | undefined {
    for (; this.#head < this.#edges.length; this.#head += 1) {
      const edge = this.#edges[this.#head]
      if (edge !== undefined && !this.#selected.has(edge.to)) return edge
    }
    return undefined
  }

  /** Selects the first version that nothing rejects; returns a conflict if there is none, or if it is impossible. */
  #satisfy(edge: ActiveEdge): Nogood | undefined {
    const {to} = edge
    const {remaining} = this.#rejections(to)
    const position = firstPosition(remaining, this.#model.node(to))
    if (position === undefined) return this.#exhausted(to)
    return this.#select(to, position, 1n << BigInt(position))
  }

  #select(node: number, position: number, bit: bigint): Nogood | undefined {
    const demands = this.#model.demands(node, position)
    const impossible = demands.find(({outcome}) => outcome.kind === 'impossible')
    if (impossible !== undefined) return this.#impossible(node, position, impossible)
    this.#trail.push({node, position, bit, edges: this.#edges.length, head: this.#head})
    this.#selected.set(node, {level: this.#trail.length - 1, position, bit})
    const added = demands.flatMap(demand =>
      demand.outcome.kind === 'edge' ? [{...demand.outcome, from: node, position, demand}] : [],
    )
    // A choice between roots is made when the roots have versions.
    if (node === ROOT) added.sort((a, b) => choices(a) - choices(b))
    for (const edge of added) this.#addEdge(edge)
    for (const edge of added) {
      const conflict = this.#conflictOf(edge)
      if (conflict !== undefined) return conflict
    }
    return undefined
  }

  #addEdge(edge: ActiveEdge): void {
    this.#edges.push(edge)
    const edges = this.#edgesTo.get(edge.to)
    if (edges === undefined) this.#edgesTo.set(edge.to, [edge])
    else edges.push(edge)
  }

  #impossible(node: number, position: number, demand: Demand): Nogood {
    const terms = new Terms()
    terms.add(node, 1n << BigInt(position))
    return nogood(terms, {kind: 'impossible', node, position, demand})
  }

  /** Returns the conflict of a new edge with the selected version of its package, or with all that are left. */
  #conflictOf(edge: ActiveEdge): Nogood | undefined {
    const {to, allowed} = edge
    const selected = this.#selected.get(to)
    if (selected !== undefined) return (selected.bit & allowed) === 0n ? this.#conflicting(edge) : undefined
    const edges = this.#edgesTo.get(to) ?? []
    const left = edges.reduce((set, activeEdge) => set & activeEdge.allowed, this.#model.node(to).all)
    return left === 0n ? this.#exhausted(to) : undefined
  }

  #conflicting(edge: ActiveEdge): Nogood {
    const {to, allowed} = edge
    const versions = this.#model.node(to).all & ~allowed
    const terms = new Terms()
    terms.add(to, versions)
    this.#addEdgeTerm(terms, edge, versions)
    return nogood(terms, {kind: 'conflict', node: to, rejection: {kind: 'edge', versions, edge}})
  }

  /** Returns the conflict of a required package that has no version left. */
  #exhausted(node: number): Nogood {
    const {rejections} = this.#rejections(node)
    const [edge] = this.#edgesTo.get(node) ?? []
    if (edge === undefined) throw new RangeError(`nothing requires package ${node}`)
    const terms = new Terms()
    this.#addEdgeTerm(terms, edge, 0n)
    for (const rejection of rejections) this.#addRejection(terms, node, rejection)
    return nogood(terms, {kind: 'exhausted', node, edge, rejections})
  }

  /**
   * Returns the reasons for which versions of a package are rejected now, each version once, and the remaining
   * versions.
   */
  #rejections(node: number): {remaining: bigint; rejections: Rejection[]} {
    let remaining = this.#model.node(node).all
    const rejections: Rejection[] = []
    for (const rejection of this.#standing(node)) {
      const versions = rejection.versions & remaining
      if (versions === 0n) continue
      remaining &= ~versions
      rejections.push({...rejection, versions})
    }
    return {remaining, rejections}
  }

  *#standing(node: number): Generator<Rejection> {
    const {all} = this.#model.node(node)
    for (const edge of this.#edgesTo.get(node) ?? []) {
      yield {kind: 'edge', versions: all & ~edge.allowed, edge}
    }
    for (const rival of this.#model.rivals(node)) {
      const selected = this.#selected.get(rival)
      if (selected === undefined) continue
      const {position} = selected
      yield {kind: 'rival', versions: this.#model.conflicting(node, rival, position), rival, position}
    }
    for (const learned of this.#learned.get(node) ?? []) {
      if (this.#holds(learned, node)) {
        yield {kind: 'nogood', versions: learned.terms.get(node) ?? 0n, nogood: learned}
      }
    }
  }

  /** Reports whether all terms of a nogood except one hold now. */
  #holds({terms}: Nogood, but: number): boolean {
    for (const [node, versions] of terms) {
      if (node !== but && ((this.#selected.get(node)?.bit ?? 0n) & versions) === 0n) return false
    }
    return true
  }

  #addRejection(terms: Terms, node: number, rejection: Rejection): void {
    if (rejection.kind === 'nogood') return terms.addAll(rejection.nogood, node)
    if (rejection.kind === 'edge') return this.#addEdgeTerm(terms, rejection.edge, rejection.versions)
    const {rival, versions} = rejection
    const others = this.#versionsWhere(
      rival,
      position => (this.#model.conflicting(node, rival, position) & versions) === versions,
    )
    terms.add(rival, others)
  }

  /** Adds every version of the dependent whose edges reject the same versions, so that more is learned at once. */
  #addEdgeTerm(terms: Terms, {from, to}: ActiveEdge, versions: bigint): void {
    if (from === ROOT) return
    const alike = this.#versionsWhere(from, position => {
      const edges = this.#model.demands(from, position).flatMap(demand => edgesOf(demand, to))
      return edges.length > 0 && edges.reduce((set, edge) => set & edge.allowed, versions) === 0n
    })
    terms.add(from, alike)
    for (const position of positionsIn(alike, this.#model.node(from))) {
      for (const demand of this.#model.demands(from, position)) {
        for (const {relaxed, allowed} of edgesOf(demand, to)) {
          const part = this.#model.partOf(from, demand.requirement)
          if (part !== undefined && (relaxed & ~allowed & versions) !== 0n) terms.parts.add(part)
        }
      }
    }
  }

  #versionsWhere(node: number, holds: (position: number) => boolean): bigint {
    let versions = 0n
    for (let position = 0; position < this.#model.node(node).count; position += 1) {
      if (holds(position)) versions |= 1n << BigInt(position)
    }
    return versions
  }

  #learn(learned: Nogood): void {
    for (const node of learned.terms.keys()) {
      const nogoods = this.#learned.get(node)
      if (nogoods === undefined) this.#learned.set(node, [learned])
      else nogoods.push(learned)
    }
  }

  /** Undoes choices up to the last one that is part of a nogood; false if none is. */
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
    while (this.#edges.length > choice.edges) {
      const edge = this.#edges.pop()
      if (edge !== undefined) this.#edgesTo.get(edge.to)?.pop()
    }
    this.#head = choice.head
  }
}

function choices({alternatives}: Edge): number {
  return alternatives === undefined ? 0 : 1
}

function edgesOf({outcome}: Demand, to: number): Edge[] {
  return outcome.kind === 'edge' && outcome.to === to ? [outcome] : []
}

function nogood({terms, parts}: Terms, cause: Cause): Nogood {
  return {terms, parts, cause}
}
