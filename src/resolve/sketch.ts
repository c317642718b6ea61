import type {PackageSummary} from '../index/package-summary.js'
import {explainImpossible} from './explain/explain-impossible.js'
import {explainRequirement} from './explain/explain-requirement.js'
import {type ActiveEdge, positionsIn} from './solver/nogood.js'
import {type Demand, SolverModel, ROOT} from './solver/solver-model.js'
import type {SolverInput} from './solver-input.js'
import {offerOf} from './requirement.js'
import type {Graph, SatisfiedRequirement, Rejection, UnsatisfiedRequirement} from './resolution.js'
import {all, requirementText, some, tagsOf, versionName} from './explain/words.js'

/**
 * A picture of what was asked for where there is no answer: each package in the version of it that was chosen, or else
 * in the first that suits whoever needs it first, and what then is left unmet.
 */
export function sketch(input: SolverInput, {selected: before = []}: Pick<Rejection, 'selected'> = {}): Graph {
  const model = new SolverModel(input, new Set())
  const selected = new Map<number, number>()
  const rootDemands = model.demands(ROOT, 0)
  const chooseFor = (demands: readonly Demand[]) => {
    for (const [node, position] of choices(model, demands, before)) {
      if (!selected.has(node)) selected.set(node, position)
    }
  }
  chooseFor(rootDemands)
  // The map grows while it is walked: breadth-first.
  for (const [node, position] of selected) chooseFor(model.demands(node, position))
  const draw = (from: number, position: number, demand: Demand) =>
    drawNeed({model, input, selected}, from, position, demand)
  return {
    packages: [...selected].map(([node, position]) => ({
      summary: model.version(node, position).summary,
      requirements: model.demands(node, position).map(demand => draw(node, position, demand)),
    })),
    roots: rootDemands.map(demand => draw(ROOT, 0, demand)),
  }
}

/** Packages that demands lead to, each with a version. */
function choices(
  model: SolverModel,
  demands: readonly Demand[],
  before: readonly PackageSummary[],
): (readonly [node: number, position: number])[] {
  return demands.flatMap(({outcome}) => {
    if (outcome.kind !== 'edge') return []
    const positions = positionsIn(outcome.allowed, model.node(outcome.to))
    const known = positions.find(each => before.includes(model.version(outcome.to, each).summary))
    const position = known ?? positions[0]
    return position === undefined ? [] : [[outcome.to, position] as const]
  })
}

const UNMET_WORDS: Readonly<Record<string, string>> = {
  'distrusted-owner': 'nobody owns it whom you trust with it',
  'never-existed-group': 'that group never had a kind',
  'stale-version': 'it is there in other versions only',
}

const REFUSED_WORDS: Readonly<Record<string, string>> = {
  'missing-package': 'is to be found',
  'no-version': 'may be chosen',
  scope: 'may be installed for a Cluster package',
}

interface Drawing {
  readonly model: SolverModel
  readonly input: SolverInput
  readonly selected: ReadonlyMap<number, number>
}

function drawNeed(
  drawing: Drawing,
  from: number,
  position: number,
  demand: Demand,
): SatisfiedRequirement | UnsatisfiedRequirement {
  const {requirement, outcome} = demand
  const unsatisfied = (rule: string, words: string) =>
    ({requirement, by: {kind: 'unsatisfied', rule, words}}) as const
  if (outcome.kind === 'fact') return {requirement, by: outcome}
  if (outcome.kind === 'edge') return drawEdge(drawing, {...outcome, from, position, requirement})
  if (outcome.kind === 'ambiguous') {
    return unsatisfied('ambiguous-owner', `owned by ${all(outcome.candidates)}: say which you trust`)
  }
  const {model, input} = drawing
  const [diagnostic] = explainImpossible(requirementText(requirement), demand, model, input)
  return unsatisfied(
    diagnostic?.rule ?? 'missing-group',
    UNMET_WORDS[diagnostic?.rule ?? ''] ?? 'nothing meets it',
  )
}

function drawEdge(
  {model, input, selected}: Drawing,
  edge: ActiveEdge,
): SatisfiedRequirement | UnsatisfiedRequirement {
  const {requirement, to, because, allowed} = edge
  const {identity} = model.node(to)
  if (allowed === 0n) {
    const [diagnostic] = explainRequirement(model, input, edge)
    const rule = diagnostic?.rule ?? 'no-version'
    const words = `no version of ${identity} ${REFUSED_WORDS[rule] ?? 'meets it'}`
    return {requirement, by: {kind: 'unsatisfied', rule, words}}
  }
  const position = selected.get(to) ?? 0
  if ((allowed & (1n << BigInt(position))) === 0n) {
    const words = `only ${some(tagsOf(model, to, allowed))} of ${identity} meets it, and others need ${versionName(model, to, position)}`
    return {requirement, by: {kind: 'unsatisfied', rule: 'version-conflict', words}}
  }
  const {summary} = model.version(to, position)
  const isMismatch = requirement.form === 'crd' && offerOf(requirement, summary) === 'owns'
  return {requirement, by: {kind: 'package', identity, because, isMismatch}}
}
