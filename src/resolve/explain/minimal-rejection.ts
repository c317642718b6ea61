import {type ActiveEdge, type Nogood, positionsIn, type Rejection} from '../solver/nogood.js'
import {type Constraints, type Demand, ROOT} from '../solver/constraints.js'
import {PartialConstraints} from '../solver/constraint-views.js'
import {type Budget, Solver} from '../solver/solver.js'

/** A requirement of one version of a package that a rejection rests on. */
export interface CitedEdge {
  readonly node: number
  readonly position: number
  readonly demand: Demand
}

/** Versions of two packages that a rejection rests on because they cannot be selected together. */
export interface CitedConflict {
  readonly node: number
  readonly versions: bigint
  readonly rival: number
  readonly position: number
}

/** Requirements that have no resolution together, and have one without any of them; breadth-first from the roots. */
export interface MinimalRejection {
  readonly edges: readonly CitedEdge[]
  readonly conflicts: readonly CitedConflict[]
  /** Version parts of requirements that it rests on. */
  readonly parts: ReadonlySet<string>
}

/**
 * Minimizes the requirements that a proof rests on: each is removed and the rest solved again, those far from the
 * roots first. If the step limit is reached, the rest is still a rejection, though not a minimal one.
 */
export function minimalRejection(model: Constraints, nogood: Nogood, budget: Budget): MinimalRejection {
  const whole = orderedEdges(model, demandsIn(model, nogood))
  let proof = nogood
  let cited = new Set(whole.map(({demand}) => demand))
  let steps = 0
  for (const {demand} of [...whole].reverse()) {
    if (!cited.has(demand)) continue
    if (budget.isSpent(steps)) break
    const others = new Set(cited)
    others.delete(demand)
    const view = new PartialConstraints(model, other => others.has(other))
    const before = steps
    const result = new Solver(view).run({isSpent: more => budget.isSpent(before + more)})
    steps += result.steps + 1
    if (result.kind !== 'none') continue
    proof = result.nogood
    const demands = demandsIn(view, proof)
    cited = new Set([...others].filter(other => demands.has(other)))
  }
  const edges = whole.filter(edge => cited.has(edge.demand))
  return {edges, conflicts: conflictsIn(proof), parts: proof.parts}
}

/** Demands of packages and of the user that a proof rests on, and perhaps a few more. */
function demandsIn(model: Constraints, nogood: Nogood): ReadonlySet<Demand> {
  const demands = new Set<Demand>()
  const addEdge = ({from, to}: ActiveEdge) => {
    for (let position = 0; position < model.node(from).count; position += 1) {
      for (const demand of model.demands(from, position)) {
        if (demand.outcome.kind === 'edge' && demand.outcome.to === to) demands.add(demand)
      }
    }
  }
  for (const {cause} of nogoodsIn(nogood)) {
    if (cause.kind === 'impossible') demands.add(cause.demand)
    if (cause.kind === 'exhausted') addEdge(cause.edge)
    for (const rejection of rejectionsOf(cause)) if (rejection.kind === 'edge') addEdge(rejection.edge)
  }
  return demands
}

function conflictsIn(nogood: Nogood): CitedConflict[] {
  return nogoodsIn(nogood).flatMap(({cause}) => {
    const node = cause.node
    return rejectionsOf(cause).flatMap(rejection =>
      rejection.kind === 'rival'
        ? [{node, versions: rejection.versions, rival: rejection.rival, position: rejection.position}]
        : [],
    )
  })
}

function rejectionsOf(cause: Nogood['cause']): readonly Rejection[] {
  if (cause.kind === 'exhausted') return cause.rejections
  return cause.kind === 'conflict' ? [cause.rejection] : []
}

/** A nogood and all that it was derived from. The set grows while it is walked. */
function nogoodsIn(nogood: Nogood): Nogood[] {
  const nogoods = new Set([nogood])
  for (const {cause} of nogoods) {
    for (const rejection of rejectionsOf(cause))
      if (rejection.kind === 'nogood') nogoods.add(rejection.nogood)
  }
  return [...nogoods]
}

/** Demands as edges, breadth-first from the user; the set of nodes grows while it is walked. */
function orderedEdges(model: Constraints, demands: ReadonlySet<Demand>): CitedEdge[] {
  const edges: CitedEdge[] = []
  const nodes = new Set([ROOT])
  for (const node of nodes) {
    const isChoice = !model.isPackage(node)
    for (const position of positionsIn(model.node(node).all, model.node(node))) {
      for (const demand of model.demands(node, position)) {
        if (!isChoice && !demands.has(demand)) continue
        if (!isChoice) edges.push({node, position, demand})
        if (demand.outcome.kind === 'edge') nodes.add(demand.outcome.to)
      }
    }
  }
  return edges
}
