import type {PackageSummary} from '../index/package-summary.js'
import {explainImpossible} from './explain/explain-impossible.js'
import {explainNeed} from './explain/explain-need.js'
import {positionsIn} from './solver/nogood.js'
import {type Demand, type Edge, Problem, ROOT} from './solver/problem.js'
import type {Question} from './question.js'
import {offerOf} from './requirement.js'
import type {Graph, SatisfiedRequirement, NoAnswer, UnsatisfiedRequirement} from './resolution.js'
import {all, needText, some, tagsOf, versionName} from './explain/words.js'

/**
 * A picture of what was asked for where there is no answer: each package in the version of it that was chosen, or else
 * in the first that suits whoever needs it first, and what then is left unmet.
 */
export function sketch(question: Question, {selected: before = []}: Pick<NoAnswer, 'selected'> = {}): Graph {
  const problem = new Problem(question, new Set())
  const selected = new Map<number, number>()
  const rootDemands = problem.demands(ROOT, 0)
  const chooseFor = (demands: readonly Demand[]) => {
    for (const [node, position] of choices(problem, demands, before)) {
      if (!selected.has(node)) selected.set(node, position)
    }
  }
  chooseFor(rootDemands)
  // The map grows while it is walked: breadth-first.
  for (const [node, position] of selected) chooseFor(problem.demands(node, position))
  const draw = (from: number, position: number, demand: Demand) =>
    drawNeed({problem, question, selected}, from, position, demand)
  return {
    packages: [...selected].map(([node, position]) => ({
      summary: problem.version(node, position).summary,
      needs: problem.demands(node, position).map(demand => draw(node, position, demand)),
    })),
    roots: rootDemands.map(demand => draw(ROOT, 0, demand)),
  }
}

/** Packages that demands lead to, each with a version. */
function choices(
  problem: Problem,
  demands: readonly Demand[],
  before: readonly PackageSummary[],
): (readonly [node: number, position: number])[] {
  return demands.flatMap(({outcome}) => {
    if (outcome.kind !== 'edge') return []
    const positions = positionsIn(outcome.allowed, problem.node(outcome.to))
    const known = positions.find(each => before.includes(problem.version(outcome.to, each).summary))
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
  readonly problem: Problem
  readonly question: Question
  readonly selected: ReadonlyMap<number, number>
}

function drawNeed(
  drawing: Drawing,
  from: number,
  position: number,
  demand: Demand,
): SatisfiedRequirement | UnsatisfiedRequirement {
  const {requirement, outcome} = demand
  const unmet = (rule: string, words: string) => ({requirement, by: {kind: 'unmet', rule, words}}) as const
  if (outcome.kind === 'fact') return {requirement, by: outcome}
  if (outcome.kind === 'edge') return drawEdge(drawing, {from, position, demand, edge: outcome})
  if (outcome.kind === 'ambiguous') {
    return unmet('ambiguous-owner', `owned by ${all(outcome.candidates)}: say which you trust`)
  }
  const {problem, question} = drawing
  const [finding] = explainImpossible(needText(requirement), demand, problem, question)
  return unmet(finding?.rule ?? 'missing-group', UNMET_WORDS[finding?.rule ?? ''] ?? 'nothing meets it')
}

function drawEdge(
  {problem, question, selected}: Drawing,
  need: {readonly from: number; readonly position: number; readonly demand: Demand; readonly edge: Edge},
): SatisfiedRequirement | UnsatisfiedRequirement {
  const {requirement} = need.demand
  const {to, because, allowed} = need.edge
  const {identity} = problem.node(to)
  if (allowed === 0n) {
    const [finding] = explainNeed(problem, question, need)
    const rule = finding?.rule ?? 'no-version'
    const words = `no version of ${identity} ${REFUSED_WORDS[rule] ?? 'meets it'}`
    return {requirement, by: {kind: 'unmet', rule, words}}
  }
  const position = selected.get(to) ?? 0
  if ((allowed & (1n << BigInt(position))) === 0n) {
    const words = `only ${some(tagsOf(problem, to, allowed))} of ${identity} meets it, and others need ${versionName(problem, to, position)}`
    return {requirement, by: {kind: 'unmet', rule: 'version-conflict', words}}
  }
  const {summary} = problem.version(to, position)
  const isMismatch = requirement.form === 'crd' && offerOf(requirement, summary) === 'owns'
  return {requirement, by: {kind: 'package', identity, because, isMismatch}}
}
