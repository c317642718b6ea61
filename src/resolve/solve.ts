import {ambiguity, misplaced, noSolution, spentBudget} from './explain/explain.js'
import {firstHittingSet} from './solver/fewest-mismatches.js'
import type {Nogood} from './solver/nogood.js'
import {openRequirements} from './solver/open-requirements.js'
import {answerNotes, ownerChangeNotes} from './explain/notes.js'
import {ownerChanges} from './owner-changes.js'
import {placeInstalls, type Places} from './placement.js'
import {type Constraints, type Demand, type Edge, ROOT, versionPart} from './solver/constraints.js'
import {RelaxedConstraints} from './solver/constraint-views.js'
import {SolverModel} from './solver/solver-model.js'
import type {Preference, SolverInput} from './solver-input.js'
import type {SelectedPackage, SatisfiedRequirement, Rejection, Resolution} from './resolution.js'
import {offerOf} from './requirement.js'
import {type Budget, Solver, type SearchResult} from './solver/solver.js'

export interface SolveOptions extends Places {
  /** Whether the fewest version parts that allow a resolution can be ignored. */
  readonly allowVersionMismatch: boolean
  readonly budget: Budget
}

export type Solved =
  | {readonly kind: 'resolved'; readonly resolution: Resolution; readonly steps: number}
  | (Rejection & {readonly steps: number})

/**
 * Selects the packages to install so that the roots have all requirements satisfied, or explains why that is
 * impossible. The same input gives the same result, whatever the order of its summaries, facts, rules and
 * preferences. docs/decisions/0010-resolution.md defines the result.
 */
export function solve(input: SolverInput, options: SolveOptions): Solved {
  const {dependencyNamespace = input.dependencyNamespace} = options
  const run = new SolverRun({...input, dependencyNamespace}, options.budget)
  const solution = run.keep() ?? run.find(options.allowVersionMismatch)
  return {...outcomeOf(run, solution, options), steps: run.steps}
}

/** The maximum number of steps to check whether a suggestion would work. */
const MAX_ADVICE_STEPS = 2_000

/** The result of a search, and its input. */
type Found = SearchResult & {readonly constraints: Constraints}

class SolverRun {
  readonly input: SolverInput
  readonly model: SolverModel
  readonly #budget: Budget
  steps = 0

  constructor(input: SolverInput, budget: Budget) {
    this.input = input
    this.model = new SolverModel(input)
    this.#budget = budget
  }

  search(ignored: ReadonlySet<string>): Found {
    const constraints = new RelaxedConstraints(this.model, ignored)
    const before = this.steps
    const result = new Solver(constraints).run({isSpent: steps => this.#budget.isSpent(before + steps)})
    this.steps = before + result.steps
    return {...result, constraints}
  }

  /**
   * Returns the resolution with the mismatches that were accepted before between packages that stay: it counts as one
   * without mismatches, so that publishing a version changes nothing. Undefined if there are none, or if that is no
   * longer a resolution.
   */
  keep(): Found | undefined {
    const kept = acceptedParts(this.input.preferences, 'kept')
    if (kept.size === 0) return undefined
    const solution = this.search(kept)
    return solution.kind === 'none' ? undefined : solution
  }

  /**
   * Returns the strict resolution; else one with mismatches that were accepted before, and at last with new ones, if
   * allowed.
   */
  find(allowVersionMismatch: boolean): Found {
    const strict = this.search(new Set())
    if (strict.kind !== 'none') return strict
    const accepted = acceptedParts(this.input.preferences, 'all')
    const solution = accepted.size === 0 ? strict : this.search(accepted)
    if (solution.kind !== 'none') return solution
    return allowVersionMismatch ? this.relax(strict) : solution
  }

  /**
   * Returns the resolution that ignores the fewest version parts: of each proof that there is none, one part must be
   * ignored.
   */
  relax(strict: Found & {readonly nogood: Nogood}): Found {
    const cores = [strict.nogood.parts]
    for (;;) {
      const ignored = this.#nextIgnored(cores)
      if (ignored === 'spent') return {kind: 'spent', steps: 0, constraints: strict.constraints}
      if (ignored === undefined) return strict
      const result = this.search(ignored)
      if (result.kind !== 'none') return result
      cores.push(result.nogood.parts)
    }
  }

  /** Reports whether ignoring version parts would give a resolution, as far as a few steps show. */
  isRelaxable(strict: Found & {readonly nogood: Nogood}): boolean {
    const limit = this.steps + MAX_ADVICE_STEPS
    const run = new SolverRun(this.input, {isSpent: steps => steps > limit || this.#budget.isSpent(steps)})
    return run.relax(strict).kind === 'answer'
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

/** Returns the accepted mismatches as version parts; `kept` are those of which neither side is being upgraded. */
function acceptedParts(preferences: readonly Preference[], which: 'kept' | 'all'): ReadonlySet<string> {
  const upgraded = new Set(
    preferences.filter(preference => preference.isUpgraded === true).map(preference => preference.identity),
  )
  const parts = preferences.flatMap(({identity, accepted = []}) =>
    accepted
      .filter(({owner}) => which === 'all' || !(upgraded.has(identity) || upgraded.has(owner)))
      .map(requirement => versionPart(identity, requirement)),
  )
  return new Set(parts)
}

/** Ends the enumeration of sets from within. */
class Spent extends Error {}

function outcomeOf(
  run: SolverRun,
  solution: Found,
  options: SolveOptions,
): {readonly kind: 'resolved'; readonly resolution: Resolution} | Rejection {
  const {model, input} = run
  if (solution.kind === 'spent') return spentBudget(input, run.steps)
  if (solution.kind === 'none') {
    const isRelaxable = () => run.isRelaxable(solution)
    return noSolution({model, input, constraints: solution.constraints}, solution.nogood, {
      ...options,
      isRelaxable,
    })
  }
  const versions = new Map([...solution.selected].filter(([node]) => model.isPackage(node)))
  const open = openRequirements(model, versions)
  const packages = selectedPackages(model, versions)
  const selected = packages.map(({summary}) => summary)
  if (open.length > 0) return {...ambiguity(model, input, open), selected}
  const roots = model.demands(ROOT, 0).flatMap(demand => satisfied(model, versions, demand))
  const {installs, diagnostics} = placeInstalls(input.roots, roots, packages, options)
  if (diagnostics.length > 0) return {...misplaced(diagnostics), selected}
  const changes = ownerChanges(input, {packages})
  const notes = [
    ...answerNotes({model, input, packages, roots, selected: versions}),
    ...ownerChangeNotes(changes),
  ]
  return {kind: 'resolved', resolution: {packages, roots, installs, notes, ownerChanges: changes}}
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
  const {to, because} = edgeToOwner(outcome, selected)
  const {summary} = model.version(to, selected.get(to) ?? 0)
  const isMismatch = requirement.form === 'crd' && offerOf(requirement, summary) === 'owns'
  return [{requirement, by: {kind: 'package', identity: summary.identity, because, isMismatch}}]
}

/**
 * Selects, of an edge to several roots, the root whose selected version serves the requirement, or else owns a CRD that
 * it names.
 */
function edgeToOwner(edge: Edge, selected: ReadonlyMap<number, number>): Edge {
  const {alternatives = [edge]} = edge
  const isSelected = (versions: bigint, to: number) => {
    const position = selected.get(to)
    return position !== undefined && (versions & (1n << BigInt(position))) !== 0n
  }
  return (
    alternatives.find(({allowed, to}) => isSelected(allowed, to)) ??
    alternatives.find(({relaxed, to}) => isSelected(relaxed, to)) ??
    edge
  )
}
