import {ambiguity, misplaced, noSolution, spentBudget} from './explain/explain.js'
import {firstHittingSet} from './solver/fewest-mismatches.js'
import type {Nogood} from './solver/nogood.js'
import {openRequirements} from './solver/open-requirements.js'
import {answerNotes} from './explain/notes.js'
import {placeInstalls, type Places} from './placement.js'
import {type Demand, SolverModel, ROOT, versionPart} from './solver/solver-model.js'
import type {Preference, SolverInput} from './solver-input.js'
import type {SelectedPackage, SatisfiedRequirement, Rejection, Resolution} from './resolution.js'
import {offerOf} from './requirement.js'
import {type Budget, Solver, type SearchResult} from './solver/solver.js'

export interface SolveOptions extends Places {
  /** Whether the fewest version parts that make an answer possible may be ignored. */
  readonly allowVersionMismatch: boolean
  readonly budget: Budget
}

export type Solved =
  | {readonly kind: 'resolved'; readonly resolution: Resolution; readonly steps: number}
  | (Rejection & {readonly steps: number})

/**
 * What to install so that everything asked for has what it needs, or why that cannot be. The same question gives the
 * same answer, whatever order its summaries, facts, rules and preferences come in. See
 * docs/decisions/0010-resolution.md for what the answer is.
 */
export function solve(input: SolverInput, options: SolveOptions): Solved {
  const placed =
    options.dependencyNamespace === undefined
      ? input
      : {...input, dependencyNamespace: options.dependencyNamespace}
  const run = new SolveRun(placed, options)
  const found = run.keep() ?? run.find(options.allowVersionMismatch)
  return {...answerOf(run, found, placed, options), steps: run.steps}
}

type Found = SearchResult & {readonly model: SolverModel}

class SolveRun {
  readonly #input: SolverInput
  readonly #budget: Budget
  steps = 0

  constructor(input: SolverInput, {budget}: SolveOptions) {
    this.#input = input
    this.#budget = budget
  }

  search(ignored: ReadonlySet<string>): Found {
    const model = new SolverModel(this.#input, ignored)
    const before = this.steps
    const result = new Solver(model).run({isSpent: steps => this.#budget.isSpent(before + steps)})
    this.steps = before + result.steps
    return {...result, model}
  }

  /**
   * The answer with the mismatches that were accepted before between packages which stay: whatever would fit better by
   * now, they are as good as what fits. None where there are no such, or that is no answer any more.
   */
  keep(): Found | undefined {
    const kept = acceptedParts(this.#input.preferences, 'kept')
    if (kept.size === 0) return undefined
    const found = this.search(kept)
    return found.kind === 'none' ? undefined : found
  }

  /** The strict answer; else one with mismatches that were accepted before, and at last with new ones, if any may be. */
  find(allowVersionMismatch: boolean): Found {
    const strict = this.search(new Set())
    if (strict.kind !== 'none') return strict
    const accepted = acceptedParts(this.#input.preferences, 'all')
    const known = accepted.size === 0 ? strict : this.search(accepted)
    if (known.kind !== 'none') return known
    return allowVersionMismatch ? this.relax(strict) : strict
  }

  /** The answer that ignores the fewest version parts: of a proof that there is none, one of its parts must go. */
  relax(strict: Found & {readonly nogood: Nogood}): Found {
    const cores = [strict.nogood.parts]
    for (;;) {
      const ignored = this.#nextIgnored(cores)
      if (ignored === 'spent') return {kind: 'spent', steps: 0, model: strict.model}
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

/** What was accepted before, as version parts; `kept` is what neither side of is to be upgraded. */
function acceptedParts(preferences: readonly Preference[], which: 'kept' | 'all'): ReadonlySet<string> {
  const upgraded = new Set(preferences.filter(each => each.isUpgraded === true).map(each => each.identity))
  const parts = preferences.flatMap(({identity, accepted = []}) =>
    accepted
      .filter(({owner}) => which === 'all' || !(upgraded.has(identity) || upgraded.has(owner)))
      .map(requirement => versionPart(identity, requirement)),
  )
  return new Set(parts)
}

/** Ends a hunt for sets from within. */
class Spent extends Error {}

function answerOf(
  run: SolveRun,
  found: Found,
  input: SolverInput,
  options: SolveOptions,
): {readonly kind: 'resolved'; readonly resolution: Resolution} | Rejection {
  const {model} = found
  if (found.kind === 'spent') return spentBudget(input, run.steps)
  if (found.kind === 'none') return noSolution(model, input, found.nogood, options)
  const open = openRequirements(model, found.selected)
  const packages = selectedPackages(model, found.selected)
  const selected = packages.map(({summary}) => summary)
  if (open.length > 0) return {...ambiguity(model, input, open), selected}
  const roots = model.demands(ROOT, 0).flatMap(demand => satisfied(model, found.selected, demand))
  const {installs, diagnostics} = placeInstalls(input.roots, roots, packages, options)
  if (diagnostics.length > 0) return {...misplaced(diagnostics), selected}
  const notes = answerNotes({model, input, packages, roots, selected: found.selected})
  return {kind: 'resolved', resolution: {packages, roots, installs, notes}}
}

function selectedPackages(model: SolverModel, selected: ReadonlyMap<number, number>): SelectedPackage[] {
  return [...selected].map(([node, position]) => ({
    summary: model.version(node, position).summary,
    requirements: model.demands(node, position).flatMap(demand => satisfied(model, selected, demand)),
  }))
}

function satisfied(
  model: SolverModel,
  selected: ReadonlyMap<number, number>,
  {requirement, outcome}: Demand,
): SatisfiedRequirement[] {
  if (outcome.kind === 'fact') return [{requirement, by: outcome}]
  if (outcome.kind !== 'edge') return []
  const {to, because} = outcome
  const {summary} = model.version(to, selected.get(to) ?? 0)
  const isMismatch = requirement.form === 'crd' && offerOf(requirement, summary) === 'owns'
  return [{requirement, by: {kind: 'package', identity: summary.identity, because, isMismatch}}]
}
