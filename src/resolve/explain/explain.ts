import type {Diagnostic} from '../../diagnostic.js'
import {listAll, listSome, plural} from '../../text.js'
import {formatSummary} from '../../index/package-summary.js'
import type {Nogood} from '../solver/nogood.js'
import {type OpenRequirement, openRequirements} from '../solver/open-requirements.js'
import {type Constraints, type Demand, ROOT} from '../solver/constraints.js'
import {PartialConstraints} from '../solver/constraint-views.js'
import type {SolverModel} from '../solver/solver-model.js'
import {type Budget, Solver} from '../solver/solver.js'
import type {SolverInput} from '../solver-input.js'
import type {CitedRequirement, Rejection} from '../resolution.js'
import {adviceFor, type AdviceContext} from './advice.js'
import {closedCandidates} from './explain-impossible.js'
import {explainRejection, isDead} from './explain-rejection.js'
import {type MinimalRejection, minimalRejection} from './minimal-rejection.js'
import {dependentText, requirementSubject, requirementText} from './words.js'

/** The maximum number of sentences of an explanation. */
const MAX_DIAGNOSTICS = 24

/** The maximum number of rejections that are searched for: each names other requirements that nothing satisfies. */
const MAX_REJECTIONS = 20

/** The maximum number of solver steps for an explanation: the result then is explained, though not minimal. */
const MAX_STEPS = 10_000

/**
 * Explains why there is no resolution. If a requirement cannot be satisfied at all, the rest is solved without it, so
 * that all missing and ambiguous requirements are reported together. Of conflicts between versions only one is
 * reported.
 */
export function noSolution(
  {
    model,
    input,
    constraints,
  }: {
    readonly model: SolverModel
    readonly input: SolverInput
    /** The inputs and result of a failed resolution. */
    readonly constraints: Constraints
  },
  nogood: Nogood,
  context: AdviceContext & {readonly budget: Budget},
): Rejection {
  const {rejections: rejections, open} = allRejections(constraints, nogood, limited(context.budget))
  const diagnostics = [
    ...rejections.flatMap(rejection => explainRejection(rejection, model, input)),
    ...open.flatMap(requirement => openDiagnostics(model, requirement)),
  ]
  const distinct = [
    ...new Map(diagnostics.map(diagnostic => [diagnostic.message, diagnostic] as const)).values(),
  ]
  const parts = new Set(rejections.flatMap(rejection => [...rejection.parts]))
  return {
    kind: 'rejected',
    code: 'unresolvable',
    message: `cannot resolve ${requestedText(input)}: ${causeOf(rejections)}`,
    diagnostics: shortened(distinct),
    suggestions: [...adviceFor(distinct, parts, context), ...ownerSuggestions(open)],
    cited: rejections.map(({edges}) =>
      edges.map(({node, position, demand}) => citedRequirement(model, node, position, demand)),
    ),
  }
}

function causeOf(rejections: readonly MinimalRejection[]): string {
  const dead = rejections.flatMap(({edges}) => edges.filter(({demand}) => isDead(demand)))
  const texts = [...new Set(dead.map(({demand}) => requirementText(demand.requirement)))]
  return texts.length === 0 ? 'requirements conflict' : `nothing satisfies ${listSome(texts)}`
}

function limited(budget: Budget): Budget {
  return {isSpent: steps => steps > MAX_STEPS || budget.isSpent(steps)}
}

function citedRequirement(
  model: SolverModel,
  node: number,
  position: number,
  {requirement}: Demand,
): CitedRequirement {
  const dependent = node === ROOT ? undefined : model.version(node, position).summary
  return {requirement: requirement.text, requiredBy: dependent && formatSummary(dependent)}
}

function allRejections(
  constraints: Constraints,
  nogood: Nogood,
  budget: Budget,
): {readonly rejections: readonly MinimalRejection[]; readonly open: readonly OpenRequirement[]} {
  const rejections: MinimalRejection[] = []
  const left = new Set<Demand>()
  let proof = nogood
  let steps = 0
  while (rejections.length < MAX_REJECTIONS) {
    const rejection = minimalRejection(constraints, proof, budget)
    const dead = rejection.edges.filter(({demand}) => isDead(demand))
    if (rejections.length === 0 || dead.length > 0) rejections.push(rejection)
    const dropped = dead.length > 0 ? dead : rejection.edges.filter(({node}) => node !== ROOT)
    if (dropped.length === 0) break
    for (const {demand} of dropped) left.add(demand)
    const before = steps
    const others = new PartialConstraints(constraints, demand => !left.has(demand))
    const result = new Solver(others).run({isSpent: more => budget.isSpent(before + more)})
    steps += result.steps
    if (result.kind === 'spent') break
    if (result.kind === 'answer') return {rejections: rejections, open: openIn(constraints, result.selected)}
    proof = result.nogood
  }
  return {rejections: rejections, open: []}
}

function openIn(model: Constraints, selected: ReadonlyMap<number, number>): OpenRequirement[] {
  return openRequirements(model, new Map([...selected].filter(([node]) => model.isPackage(node))))
}

function shortened(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const rest = diagnostics.length - MAX_DIAGNOSTICS
  if (rest <= 0) return diagnostics
  const message = `${rest} more reasons are not shown`
  return [...diagnostics.slice(0, MAX_DIAGNOSTICS), {severity: 'error', rule: 'more', message}]
}

function requestedText({roots}: SolverInput): string {
  return listSome(roots.map(({requirement}) => requirementText(requirement)))
}

/** Requirements whose owner no rule decides, with the line that does. */
export function ambiguity(
  model: SolverModel,
  input: SolverInput,
  open: readonly OpenRequirement[],
): Rejection {
  return {
    kind: 'rejected',
    code: 'ambiguous-owner',
    message: `cannot resolve ${requestedText(input)}: ${plural(open.length, 'a requirement has', 'requirements have')} several possible owners`,
    diagnostics: open.flatMap(requirement => openDiagnostics(model, requirement)),
    suggestions: ownerSuggestions(open),
  }
}

/** The maximum number of candidates in a message. */
const MAX_CANDIDATES = 5

function openDiagnostics(
  model: SolverModel,
  {node, position, requirement, candidates}: OpenRequirement,
): Diagnostic[] {
  const who = dependentText(model, node, position, requirement)
  const message = `${who}, but ${candidates.length} packages own it: ${listSome(candidates, MAX_CANDIDATES)}`
  const subject = {
    ...requirementSubject(model, node, position, requirement),
    candidates: candidates.slice(0, MAX_CANDIDATES),
  }
  return [
    {severity: 'error', rule: 'ambiguous-owner', message, subject},
    ...closedCandidates(requirement, subject.candidates, model),
  ]
}

function ownerSuggestions(open: readonly OpenRequirement[]): string[] {
  const choices = new Map(
    open.map(
      requirement =>
        [requirementText({text: requirement.requirement.group}), requirement.candidates] as const,
    ),
  )
  return [...choices].map(([group, candidates]) => {
    const names = candidates.slice(0, MAX_CANDIDATES)
    const such = candidates.length > names.length ? 'such as ' : ''
    return `Pass --owner ${group}=PACKAGE, or add "${group}: PACKAGE" to owners in the declaration, with the package that you trust: ${such}${listAll(names, 'or')}.`
  })
}

/** Installs that cannot be where they were requested. */
export function misplaced(diagnostics: readonly Diagnostic[]): Rejection {
  const isIncomplete = diagnostics.every(({rule}) => rule === 'no-namespace')
  const [first, ...others] = diagnostics
  const isSingle = isIncomplete && first !== undefined && others.length === 0
  return {
    kind: 'rejected',
    code: isIncomplete ? 'usage' : 'unresolvable',
    message: isSingle
      ? first.message
      : `cannot place the requested packages${isIncomplete ? ' without a namespace' : ''}`,
    diagnostics: isSingle ? [] : diagnostics,
    suggestions: isIncomplete
      ? ['Add namespace to the package in the declaration; without a declaration, pass --namespace.']
      : ['Request each Cluster package once, and give every install its own name.'],
  }
}

export function spentBudget(input: SolverInput, steps: number): Rejection {
  return {
    kind: 'rejected',
    code: 'timeout',
    message: `cannot resolve ${requestedText(input)}: time limit reached after ${steps} steps`,
    diagnostics: [],
    suggestions: ['Increase --solve-timeout, or request fewer possible versions by tags or ranges.'],
  }
}
