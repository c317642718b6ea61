import type {Diagnostic} from '../../diagnostic.js'
import {grouped} from '../../index/grouped.js'
import {explainImpossible} from './explain-impossible.js'
import type {ActiveEdge, Nogood, Refusal} from '../solver/nogood.js'
import {sharedCrds} from './notes.js'
import type {Places} from '../placement.js'
import type {SolverModel} from '../solver/solver-model.js'
import type {SolverInput} from '../solver-input.js'
import type {Rejection} from '../resolution.js'
import {adviceFor} from './advice.js'
import {explainRequirement} from './explain-requirement.js'
import {all, requirementText, some, tagsOf, versionName, dependentText} from './words.js'
import type {OpenRequirement} from '../solver/open-requirements.js'

/** The most sentences of an explanation: who reads this far has understood, or never will. */
const MAX_FINDINGS = 24

/** Why there is no answer, from what was asked for down to what is wrong. */
export function noSolution(
  model: SolverModel,
  input: SolverInput,
  nogood: Nogood,
  places: Places,
): Rejection {
  const explainer = new Explainer(model, input)
  explainer.explain(nogood)
  const {diagnostics} = explainer
  const shown =
    diagnostics.length <= MAX_FINDINGS
      ? diagnostics
      : [
          ...diagnostics.slice(0, MAX_FINDINGS),
          {
            severity: 'error' as const,
            rule: 'more',
            message: `${diagnostics.length - MAX_FINDINGS} further reasons are left out`,
          },
        ]
  return {
    kind: 'rejected',
    code: 'unresolvable',
    message: `${askedFor(input)} cannot be put together`,
    diagnostics: shown,
    suggestions: adviceFor(diagnostics, nogood.parts, places),
  }
}

/** What is needed for what was asked for, as messages name it. */
function askedFor({roots}: SolverInput): string {
  const names = roots.map(({requirement}) => requirementText(requirement))
  return `what ${some(names)} ${names.length === 1 ? 'needs' : 'need'}`
}

/** Walks a proof from its end to its reasons, each of which is said once. */
class Explainer {
  readonly diagnostics: Diagnostic[] = []
  readonly #model: SolverModel
  readonly #input: SolverInput
  readonly #seen = new Set<Nogood>()
  readonly #said = new Set<string>()

  constructor(model: SolverModel, input: SolverInput) {
    this.#model = model
    this.#input = input
  }

  explain(nogood: Nogood): void {
    if (this.#seen.has(nogood)) return
    this.#seen.add(nogood)
    const {cause} = nogood
    if (cause.kind === 'exhausted') return this.#explainLeft(cause)
    if (cause.kind === 'conflict') return this.#explainRefusal(cause.node, cause.refusal)
    const {node, position, demand} = cause
    const who = dependentText(this.#model, node, position, demand.requirement)
    this.#sayAll(explainImpossible(who, demand, this.#model, this.#input))
  }

  /** A package of which nothing is left. Where one thing rules out every version, that is all there is to say. */
  #explainLeft({node, refusals, edge}: Extract<Nogood['cause'], {readonly kind: 'exhausted'}>): void {
    const [only, ...others] = refusals
    if (others.length > 0) return this.#explainExhausted(node, refusals, edge)
    if (only === undefined) return this.#sayAll(explainRequirement(this.#model, this.#input, edge))
    if (only.kind === 'edge') return this.#sayAll(explainRequirement(this.#model, this.#input, only.edge))
    if (only.kind === 'nogood') return this.explain(only.nogood)
    this.#explainRefusal(node, only)
  }

  #explainExhausted(
    node: number,
    refusals: readonly Refusal[],
    {from, position, requirement}: ActiveEdge,
  ): void {
    const who = dependentText(this.#model, from, position, requirement)
    const {identity, all} = this.#model.node(node)
    const tags = some(tagsOf(this.#model, node, all))
    const message =
      requirement.form === 'package' && requirement.identity === identity
        ? `${who}, and no version of it will do (considered: ${tags})`
        : `${who}, so ${identity} is needed, and no version of it will do (considered: ${tags})`
    this.#say({
      severity: 'error' as const,
      rule: refusals.some(({kind}) => kind === 'edge') ? 'version-conflict' : 'no-version',
      message,
    })
    this.#explainImpossible(node, refusals)
    for (const refusal of refusals) this.#explainRefusal(node, refusal)
  }

  /** Versions that fail for the same need are one sentence. */
  #explainImpossible(node: number, refusals: readonly Refusal[]): void {
    const failures = refusals.flatMap(refusal =>
      refusal.kind === 'nogood' &&
      refusal.nogood.cause.kind === 'impossible' &&
      refusal.nogood.cause.node === node
        ? [{nogood: refusal.nogood, cause: refusal.nogood.cause}]
        : [],
    )
    for (const alike of grouped(failures, ({cause}) => cause.demand.requirement.text).values()) {
      const [first, ...others] = alike
      if (first === undefined || others.length === 0) continue
      for (const {nogood} of alike) this.#seen.add(nogood)
      const {position, demand} = first.cause
      const who = dependentText(this.#model, node, position, demand.requirement)
      const tags = others.map(({cause}) => this.#model.version(node, cause.position).summary.tag)
      const all = `${who} (as ${tags.length === 1 ? 'does' : 'do'} ${some(tags)})`
      this.#sayAll(explainImpossible(all, demand, this.#model, this.#input))
    }
  }

  #explainRefusal(node: number, refusal: Refusal): void {
    if (refusal.kind === 'edge') return this.#explainEdgeRefusal(node, refusal)
    if (refusal.kind === 'rival') return this.#explainRival(node, refusal)
    const {cause} = refusal.nogood
    if (cause.kind === 'exhausted' && cause.node !== node) {
      const {identity} = this.#model.node(node)
      const tags = some(tagsOf(this.#model, node, refusal.versions))
      const other = this.#model.node(cause.node).identity
      this.#say({
        severity: 'error' as const,
        rule: 'no-version',
        message: `with ${tags} of ${identity} no version of ${other} is left, for these reasons`,
      })
    }
    this.explain(refusal.nogood)
  }

  #explainEdgeRefusal(node: number, {edge, versions}: Extract<Refusal, {readonly kind: 'edge'}>): void {
    const {identity, all} = this.#model.node(node)
    // What no version meets is no quarrel of two.
    if ((edge.allowed & all) === 0n) return this.#sayAll(explainRequirement(this.#model, this.#input, edge))
    const who = dependentText(this.#model, edge.from, edge.position, edge.requirement)
    const tags = some(tagsOf(this.#model, node, versions))
    const only = some(tagsOf(this.#model, node, edge.allowed & all))
    this.#say({
      severity: 'error' as const,
      rule: 'version-conflict',
      message: `${who}, which only ${only} of ${identity} can meet: not ${tags}`,
    })
  }

  #explainRival(node: number, {rival, position, versions}: Extract<Refusal, {readonly kind: 'rival'}>): void {
    const {identity, versions: all} = this.#model.node(node)
    const first = all.findIndex(({bit}) => (bit & versions) !== 0n)
    const crds = some(sharedCrds(this.#model, node, first, rival, position))
    const owner = versionName(this.#model, rival, position)
    const tags = some(tagsOf(this.#model, node, versions))
    const does = (versions & (versions - 1n)) === 0n ? 'does' : 'do'
    const message = `${owner} owns ${crds}, and so ${does} ${tags} of ${identity}: two packages never own the same CRD`
    this.#say({severity: 'error' as const, rule: 'ownership-conflict', message})
  }

  #sayAll(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.#say(diagnostic)
  }

  #say(diagnostic: Diagnostic): void {
    if (this.#said.has(diagnostic.message)) return
    this.#said.add(diagnostic.message)
    this.diagnostics.push(diagnostic)
  }
}

/** Needs whose owner nobody has decided on: each with the line that would. */
export function ambiguity(
  model: SolverModel,
  input: SolverInput,
  open: readonly OpenRequirement[],
): Rejection {
  const diagnostics = open.map(({node, position, requirement, candidates}) => ({
    severity: 'error' as const,
    rule: 'ambiguous-owner',
    message: `${dependentText(model, node, position, requirement)}, and ${candidates.length} packages own it: ${all(candidates)}`,
  }))
  const choices = new Map(
    open.map(({requirement, candidates}) => [requirementText({text: requirement.group}), candidates]),
  )
  const suggestions = [...choices].map(
    ([group, packages]) =>
      `Say whom you trust with ${group}: pass --owner ${group}=PACKAGE, or add "${group}": PACKAGE to the declaration's owners, where PACKAGE is ${packages.join(' or ')}.`,
  )
  const message = `${askedFor(input)} has several owners, and it is yours to say which one is right`
  return {kind: 'rejected', code: 'ambiguous-owner', message, diagnostics, suggestions}
}

/** Installs that cannot be where they were asked for. */
export function misplaced(diagnostics: readonly Diagnostic[]): Rejection {
  const isIncomplete = diagnostics.every(({rule}) => rule === 'no-namespace')
  const [first] = diagnostics
  return {
    kind: 'rejected',
    code: isIncomplete ? 'usage' : 'unresolvable',
    message:
      isIncomplete && first !== undefined && diagnostics.length === 1
        ? first.message
        : `what was asked for cannot be installed ${isIncomplete ? 'without a namespace' : 'as it was asked for'}`,
    diagnostics: isIncomplete && diagnostics.length === 1 ? [] : diagnostics,
    suggestions: isIncomplete
      ? ['Pass --namespace NAME.']
      : ['Ask for each Cluster package once, and give installs names of their own.'],
  }
}

export function spentBudget(input: SolverInput, steps: number): Rejection {
  return {
    kind: 'rejected',
    code: 'timeout',
    message: `working out ${askedFor(input)} took too long, and was given up after ${steps} steps`,
    diagnostics: [],
    suggestions: [
      'Give it more time with --solve-timeout, or pin packages to versions: each pin is a choice less.',
    ],
  }
}
