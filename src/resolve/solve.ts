import {ambiguity, misplaced, noAnswer, spentBudget} from './explain.js'
import {firstHittingSet} from './fewest-mismatches.js'
import type {Nogood} from './nogood.js'
import {openNeeds} from './open-need.js'
import {answerNotes} from './notes.js'
import {placeInstalls, type Places} from './placement.js'
import {type Demand, Problem, READER} from './problem.js'
import type {Question} from './question.js'
import type {ChosenPackage, MetNeed, NoAnswer, Resolution} from './resolution.js'
import {offerOf} from './requirement.js'
import {type Budget, Search, type SearchResult} from './search.js'

export interface SolveOptions extends Places {
  /** Whether the fewest version parts that make an answer possible may be ignored. */
  readonly allowVersionMismatch: boolean
  readonly budget: Budget
}

export type Solved =
  | {readonly kind: 'resolved'; readonly resolution: Resolution; readonly steps: number}
  | (NoAnswer & {readonly steps: number})

/**
 * What to install so that everything asked for has what it needs, or why that cannot be. The same question gives the
 * same answer, whatever order its summaries, facts, rules and preferences come in. See
 * docs/decisions/0010-resolution.md for what the answer is.
 */
export function solve(question: Question, options: SolveOptions): Solved {
  const placed =
    options.dependencyNamespace === undefined
      ? question
      : {...question, dependencyNamespace: options.dependencyNamespace}
  const hunt = new Hunt(placed, options)
  const strict = hunt.search(new Set())
  const found = strict.kind === 'none' && options.allowVersionMismatch ? hunt.relax(strict) : strict
  return {...answerOf(hunt, found, placed, options), steps: hunt.steps}
}

type Found = SearchResult & {readonly problem: Problem}

class Hunt {
  readonly #question: Question
  readonly #budget: Budget
  steps = 0

  constructor(question: Question, {budget}: SolveOptions) {
    this.#question = question
    this.#budget = budget
  }

  search(ignored: ReadonlySet<string>): Found {
    const problem = new Problem(this.#question, ignored)
    const before = this.steps
    const result = new Search(problem).run({isSpent: steps => this.#budget.isSpent(before + steps)})
    this.steps = before + result.steps
    return {...result, problem}
  }

  /** The answer that ignores the fewest version parts: of a proof that there is none, one of its parts must go. */
  relax(strict: Found & {readonly nogood: Nogood}): Found {
    const cores = [strict.nogood.parts]
    for (;;) {
      const ignored = this.#nextIgnored(cores)
      if (ignored === 'spent') return {kind: 'spent', steps: 0, problem: strict.problem}
      if (ignored === undefined) return strict
      const result = this.search(ignored)
      if (result.kind !== 'none') return result
      cores.push(result.nogood.parts)
    }
  }

  #nextIgnored(cores: readonly ReadonlySet<string>[]): ReadonlySet<string> | undefined | 'spent' {
    try {
      return firstHittingSet(cores, () => {
        this.steps += 1
        if (this.#budget.isSpent(this.steps)) throw new Spent()
      })
    } catch (error) {
      if (error instanceof Spent) return 'spent'
      throw error
    }
  }
}

/** Ends a hunt for sets from within. */
class Spent extends Error {}

function answerOf(
  hunt: Hunt,
  found: Found,
  question: Question,
  options: SolveOptions,
): {readonly kind: 'resolved'; readonly resolution: Resolution} | NoAnswer {
  const {problem} = found
  if (found.kind === 'spent') return spentBudget(question, hunt.steps)
  if (found.kind === 'none') return noAnswer(problem, question, found.nogood, options)
  const open = openNeeds(problem, found.chosen)
  const packages = chosenPackages(problem, found.chosen)
  const chosen = packages.map(({summary}) => summary)
  if (open.length > 0) return {...ambiguity(problem, question, open), chosen}
  const roots = problem.demands(READER, 0).flatMap(demand => metNeed(problem, found.chosen, demand))
  const {installs, findings} = placeInstalls(question.roots, roots, packages, options)
  if (findings.length > 0) return {...misplaced(findings), chosen}
  const notes = answerNotes({problem, question, packages, roots, chosen: found.chosen})
  return {kind: 'resolved', resolution: {packages, roots, installs, notes}}
}

function chosenPackages(problem: Problem, chosen: ReadonlyMap<number, number>): ChosenPackage[] {
  return [...chosen].map(([node, position]) => ({
    summary: problem.version(node, position).summary,
    needs: problem.demands(node, position).flatMap(demand => metNeed(problem, chosen, demand)),
  }))
}

function metNeed(
  problem: Problem,
  chosen: ReadonlyMap<number, number>,
  {requirement, outcome}: Demand,
): MetNeed[] {
  if (outcome.kind === 'fact') return [{requirement, by: outcome}]
  if (outcome.kind !== 'edge') return []
  const {to, because} = outcome
  const {summary} = problem.version(to, chosen.get(to) ?? 0)
  const isMismatch = requirement.form === 'crd' && offerOf(requirement, summary) === 'owns'
  return [{requirement, by: {kind: 'package', identity: summary.identity, because, isMismatch}}]
}
