import {explainImpossible} from './explain/explain-impossible.js'
import {explainNeed} from './explain/explain-need.js'
import {positionsIn} from './search/nogood.js'
import {type Demand, type Edge, Problem, READER} from './search/problem.js'
import type {Question} from './question.js'
import {offerOf} from './requirement.js'
import type {Graph, MetNeed, UnmetNeed} from './resolution.js'
import {all, needText, some, tagsOf, versionName} from './explain/words.js'

/**
 * A picture of what was asked for where there is no answer: each package in the first version that suits whoever needs
 * it first, and what then is left unmet.
 */
export function sketch(question: Question): Graph {
  const problem = new Problem(question, new Set())
  const chosen = new Map<number, number>()
  const rootDemands = problem.demands(READER, 0)
  choose(problem, rootDemands, chosen)
  // The map grows while it is walked: breadth-first.
  for (const [node, position] of chosen) choose(problem, problem.demands(node, position), chosen)
  const draw = (from: number, position: number, demand: Demand) =>
    drawNeed({problem, question, chosen}, from, position, demand)
  return {
    packages: [...chosen].map(([node, position]) => ({
      summary: problem.version(node, position).summary,
      needs: problem.demands(node, position).map(demand => draw(node, position, demand)),
    })),
    roots: rootDemands.map(demand => draw(READER, 0, demand)),
  }
}

function choose(problem: Problem, demands: readonly Demand[], chosen: Map<number, number>): void {
  for (const {outcome} of demands) {
    if (outcome.kind !== 'edge' || chosen.has(outcome.to)) continue
    const [position] = positionsIn(outcome.allowed, problem.node(outcome.to))
    if (position !== undefined) chosen.set(outcome.to, position)
  }
}

interface Drawing {
  readonly problem: Problem
  readonly question: Question
  readonly chosen: ReadonlyMap<number, number>
}

function drawNeed(drawing: Drawing, from: number, position: number, demand: Demand): MetNeed | UnmetNeed {
  const {requirement, outcome} = demand
  const unmet = (rule: string, words: string) => ({requirement, by: {kind: 'unmet', rule, words}}) as const
  if (outcome.kind === 'fact') return {requirement, by: outcome}
  if (outcome.kind === 'edge') return drawEdge(drawing, {from, position, demand, edge: outcome})
  if (outcome.kind === 'ambiguous') {
    return unmet('ambiguous-owner', `owned by ${all(outcome.candidates)}: say which you trust`)
  }
  const {problem, question} = drawing
  const [finding] = explainImpossible(needText(requirement), demand, problem, question)
  return unmet(finding?.rule ?? 'missing-group', 'nothing meets it')
}

function drawEdge(
  {problem, question, chosen}: Drawing,
  need: {readonly from: number; readonly position: number; readonly demand: Demand; readonly edge: Edge},
): MetNeed | UnmetNeed {
  const {requirement} = need.demand
  const {to, because, allowed} = need.edge
  const {identity} = problem.node(to)
  if (allowed === 0n) {
    const [finding] = explainNeed(problem, question, need)
    return {
      requirement,
      by: {kind: 'unmet', rule: finding?.rule ?? 'no-version', words: `no version of ${identity} meets it`},
    }
  }
  const position = chosen.get(to) ?? 0
  if ((allowed & (1n << BigInt(position))) === 0n) {
    const words = `only ${some(tagsOf(problem, to, allowed))} of ${identity} meets it, and others need ${versionName(problem, to, position)}`
    return {requirement, by: {kind: 'unmet', rule: 'version-conflict', words}}
  }
  const {summary} = problem.version(to, position)
  const isMismatch = requirement.form === 'crd' && offerOf(requirement, summary) === 'owns'
  return {requirement, by: {kind: 'package', identity, because, isMismatch}}
}
