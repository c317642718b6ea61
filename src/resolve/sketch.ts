import {listAll, listSome} from '../text.js'
import type {PackageSummary} from '../index/package-summary.js'
import {explainImpossible} from './explain/explain-impossible.js'
import {explainRequirement} from './explain/explain-requirement.js'
import {positionsIn} from './solver/nogood.js'
import {type Demand, type Edge, ROOT} from './solver/constraints.js'
import {SolverModel} from './solver/solver-model.js'
import type {SolverInput} from './solver-input.js'
import {offerOf} from './requirement.js'
import type {Graph, SatisfiedRequirement, Rejection, UnsatisfiedRequirement} from './resolution.js'
import {requirementText, tagsOf, versionName} from './explain/words.js'

/**
 * Returns a graph of the request if there is no resolution: each package in the version that was selected, or else in
 * the first that satisfies its first dependent, and the remaining unsatisfied requirements.
 */
export function sketch(input: SolverInput, {selected: before = []}: Pick<Rejection, 'selected'> = {}): Graph {
  const model = new SolverModel(input)
  const selected = new Map<number, number>()
  const rootDemands = model.demands(ROOT, 0)
  const selectFor = (demands: readonly Demand[]) => {
    for (const [node, position] of choices(model, demands, before)) {
      if (!selected.has(node)) selected.set(node, position)
    }
  }
  selectFor(rootDemands)
  // The map grows while it is walked: breadth-first.
  for (const [node, position] of selected) selectFor(model.demands(node, position))
  const draw = (from: number, position: number, demand: Demand) =>
    drawDemand({model, input, selected}, from, position, demand)
  return {
    packages: [...selected].map(([node, position]) => ({
      summary: model.version(node, position).summary,
      requirements: model.demands(node, position).map(demand => draw(node, position, demand)),
    })),
    roots: rootDemands.map(demand => draw(ROOT, 0, demand)),
  }
}

/** Packages that demands lead to, each with a version. Several possible owners are roots, and selected as such. */
function choices(
  model: SolverModel,
  demands: readonly Demand[],
  before: readonly PackageSummary[],
): (readonly [node: number, position: number])[] {
  return demands.flatMap(({outcome}) => {
    if (outcome.kind !== 'edge' || outcome.alternatives !== undefined) return []
    const positions = positionsIn(outcome.allowed, model.node(outcome.to))
    const expanded = positions.find(candidate =>
      before.includes(model.version(outcome.to, candidate).summary),
    )
    const position = expanded ?? positions[0]
    return position === undefined ? [] : [[outcome.to, position] as const]
  })
}

const UNSATISFIED_WORDS: Readonly<Record<string, string>> = {
  'distrusted-owner': 'owners assigns the group to another package',
  'former-owner': 'its former owner has no version that can be selected',
  'never-existed-group': 'that group never had a CRD',
  'stale-version': 'it exists only in other versions',
  'no-version': 'no version that owns it can be selected',
  'crossplane-version': 'another release of Crossplane provides it',
}

const REJECTED_WORDS: Readonly<Record<string, string>> = {
  'missing-package': 'was found',
  'no-version': 'can be selected',
  scope: 'can be installed for a Cluster package',
}

/** The maximum number of candidates on a line. */
const MAX_CANDIDATES = 5

interface Drawing {
  readonly model: SolverModel
  readonly input: SolverInput
  readonly selected: ReadonlyMap<number, number>
}

function drawDemand(
  drawing: Drawing,
  from: number,
  position: number,
  demand: Demand,
): SatisfiedRequirement | UnsatisfiedRequirement {
  const {requirement, outcome} = demand
  if (outcome.kind === 'fact') return {requirement, by: outcome}
  if (outcome.kind === 'ambiguous') {
    const words = `owned by ${listSome(outcome.candidates, MAX_CANDIDATES)}: assign the group in owners`
    return {requirement, by: {kind: 'unsatisfied', rule: 'ambiguous-owner', words}}
  }
  if (outcome.kind === 'edge') {
    const drawn = (outcome.alternatives ?? [outcome]).map(edge =>
      drawEdge(drawing, from, position, demand, edge),
    )
    const [first] = drawn
    const satisfied = drawn.find(({by}) => by.kind !== 'unsatisfied') ?? first
    if (satisfied !== undefined) return satisfied
  }
  const {model, input} = drawing
  const [diagnostic] = explainImpossible(requirementText(requirement), demand, model, input)
  const rule = diagnostic?.rule ?? 'missing-group'
  const words = UNSATISFIED_WORDS[rule] ?? 'no package provides it'
  return {requirement, by: {kind: 'unsatisfied', rule, words}}
}

function drawEdge(
  {model, input, selected}: Drawing,
  from: number,
  at: number,
  demand: Demand,
  edge: Edge,
): SatisfiedRequirement | UnsatisfiedRequirement {
  const {requirement} = demand
  const {to, because, allowed} = edge
  const {identity} = model.packageNode(to)
  if (allowed === 0n) {
    const who = requirementText(requirement)
    const [diagnostic] = explainRequirement(who, {node: from, position: at, demand}, {edge, model, input})
    const rule = diagnostic?.rule ?? 'no-version'
    const words = `no version of ${identity} ${REJECTED_WORDS[rule] ?? 'satisfies it'}`
    return {requirement, by: {kind: 'unsatisfied', rule, words}}
  }
  const position = selected.get(to) ?? 0
  if ((allowed & (1n << BigInt(position))) === 0n) {
    const tags = listAll(tagsOf(model, to, allowed).slice(0, MAX_CANDIDATES), 'or')
    const words = `requires ${identity} ${tags}, but ${versionName(model, to, position)} is selected for others`
    return {requirement, by: {kind: 'unsatisfied', rule: 'version-conflict', words}}
  }
  const {summary} = model.version(to, position)
  const isMismatch = requirement.form === 'crd' && offerOf(requirement, summary) === 'owns'
  return {requirement, by: {kind: 'package', identity, because, isMismatch}}
}
