import type {Diagnostic} from '../../diagnostic.js'
import {grouped} from '../../index/grouped.js'
import {explainImpossible} from './explain-impossible.js'
import type {Nogood, Refusal} from '../solver/nogood.js'
import {sharedCrds} from './notes.js'
import type {Places} from '../placement.js'
import type {Problem} from '../solver/problem.js'
import type {Question} from '../question.js'
import type {NoAnswer} from '../resolution.js'
import {adviceFor} from './advice.js'
import {explainNeed} from './explain-need.js'
import {all, needText, some, tagsOf, versionName, whoNeeds} from './words.js'
import type {OpenRequirement} from '../solver/open-need.js'

/** The most sentences of an explanation: who reads this far has understood, or never will. */
const MAX_FINDINGS = 24

/** Why there is no answer, from what was asked for down to what is wrong. */
export function noAnswer(problem: Problem, question: Question, nogood: Nogood, places: Places): NoAnswer {
  const explainer = new Explainer(problem, question)
  explainer.explain(nogood)
  const {findings} = explainer
  const shown =
    findings.length <= MAX_FINDINGS
      ? findings
      : [
          ...findings.slice(0, MAX_FINDINGS),
          {
            severity: 'error' as const,
            rule: 'more',
            message: `${findings.length - MAX_FINDINGS} further reasons are left out`,
          },
        ]
  return {
    kind: 'refused',
    code: 'unresolvable',
    message: `${askedFor(question)} cannot be put together`,
    findings: shown,
    suggestions: adviceFor(findings, nogood.parts, places),
  }
}

/** What is needed for what was asked for, as messages name it. */
function askedFor({roots}: Question): string {
  const names = roots.map(({need}) => needText(need))
  return `what ${some(names)} ${names.length === 1 ? 'needs' : 'need'}`
}

/** Walks a proof from its end to its reasons, each of which is said once. */
class Explainer {
  readonly findings: Diagnostic[] = []
  readonly #problem: Problem
  readonly #question: Question
  readonly #seen = new Set<Nogood>()
  readonly #said = new Set<string>()

  constructor(problem: Problem, question: Question) {
    this.#problem = problem
    this.#question = question
  }

  explain(nogood: Nogood): void {
    if (this.#seen.has(nogood)) return
    this.#seen.add(nogood)
    const {cause} = nogood
    if (cause.kind === 'exhausted') return this.#explainLeft(cause)
    if (cause.kind === 'clash') return this.#explainRefusal(cause.node, cause.refusal)
    const {node, position, demand} = cause
    const who = whoNeeds(this.#problem, node, position, demand.requirement)
    this.#sayAll(explainImpossible(who, demand, this.#problem, this.#question))
  }

  /** A package of which nothing is left. Where one thing rules out every version, that is all there is to say. */
  #explainLeft({node, refusals, need}: Extract<Nogood['cause'], {readonly kind: 'exhausted'}>): void {
    const [only, ...others] = refusals
    if (others.length > 0) return this.#explainExhausted(node, refusals, need)
    if (only === undefined) return this.#sayAll(explainNeed(this.#problem, this.#question, need))
    if (only.kind === 'need') return this.#sayAll(explainNeed(this.#problem, this.#question, only.need))
    if (only.kind === 'nogood') return this.explain(only.nogood)
    this.#explainRefusal(node, only)
  }

  #explainExhausted(node: number, refusals: readonly Refusal[], {from, position, demand}: NeedOf): void {
    const who = whoNeeds(this.#problem, from, position, demand.requirement)
    const {identity, all} = this.#problem.node(node)
    const tags = some(tagsOf(this.#problem, node, all))
    const message =
      demand.requirement.form === 'package' && demand.requirement.identity === identity
        ? `${who}, and no version of it will do (considered: ${tags})`
        : `${who}, so ${identity} is needed, and no version of it will do (considered: ${tags})`
    this.#say({
      severity: 'error' as const,
      rule: refusals.some(({kind}) => kind === 'need') ? 'version-conflict' : 'no-version',
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
      const who = whoNeeds(this.#problem, node, position, demand.requirement)
      const tags = others.map(({cause}) => this.#problem.version(node, cause.position).summary.tag)
      const all = `${who} (as ${tags.length === 1 ? 'does' : 'do'} ${some(tags)})`
      this.#sayAll(explainImpossible(all, demand, this.#problem, this.#question))
    }
  }

  #explainRefusal(node: number, refusal: Refusal): void {
    if (refusal.kind === 'need') return this.#explainNeedRefusal(node, refusal)
    if (refusal.kind === 'rival') return this.#explainRival(node, refusal)
    const {cause} = refusal.nogood
    if (cause.kind === 'exhausted' && cause.node !== node) {
      const {identity} = this.#problem.node(node)
      const tags = some(tagsOf(this.#problem, node, refusal.versions))
      const other = this.#problem.node(cause.node).identity
      this.#say({
        severity: 'error' as const,
        rule: 'no-version',
        message: `with ${tags} of ${identity} no version of ${other} is left, for these reasons`,
      })
    }
    this.explain(refusal.nogood)
  }

  #explainNeedRefusal(node: number, {need, versions}: Extract<Refusal, {readonly kind: 'need'}>): void {
    const {from, position, demand, edge} = need
    const {identity, all} = this.#problem.node(node)
    // What no version meets is no quarrel of two.
    if ((edge.allowed & all) === 0n) return this.#sayAll(explainNeed(this.#problem, this.#question, need))
    const who = whoNeeds(this.#problem, from, position, demand.requirement)
    const tags = some(tagsOf(this.#problem, node, versions))
    const only = some(tagsOf(this.#problem, node, edge.allowed & all))
    this.#say({
      severity: 'error' as const,
      rule: 'version-conflict',
      message: `${who}, which only ${only} of ${identity} can meet: not ${tags}`,
    })
  }

  #explainRival(node: number, {rival, position, versions}: Extract<Refusal, {readonly kind: 'rival'}>): void {
    const {identity, versions: all} = this.#problem.node(node)
    const first = all.findIndex(({bit}) => (bit & versions) !== 0n)
    const crds = some(sharedCrds(this.#problem, node, first, rival, position))
    const owner = versionName(this.#problem, rival, position)
    const tags = some(tagsOf(this.#problem, node, versions))
    const does = (versions & (versions - 1n)) === 0n ? 'does' : 'do'
    const message = `${owner} owns ${crds}, and so ${does} ${tags} of ${identity}: two packages never own the same CRD`
    this.#say({severity: 'error' as const, rule: 'ownership-conflict', message})
  }

  #sayAll(findings: readonly Diagnostic[]): void {
    for (const finding of findings) this.#say(finding)
  }

  #say(finding: Diagnostic): void {
    if (this.#said.has(finding.message)) return
    this.#said.add(finding.message)
    this.findings.push(finding)
  }
}

type NeedOf = Extract<Nogood['cause'], {readonly kind: 'exhausted'}>['need']

/** Needs whose owner nobody has decided on: each with the line that would. */
export function ambiguity(problem: Problem, question: Question, open: readonly OpenRequirement[]): NoAnswer {
  const findings = open.map(({node, position, need, candidates}) => ({
    severity: 'error' as const,
    rule: 'ambiguous-owner',
    message: `${whoNeeds(problem, node, position, need)}, and ${candidates.length} packages own it: ${all(candidates)}`,
  }))
  const choices = new Map(open.map(({need, candidates}) => [needText({text: need.group}), candidates]))
  const suggestions = [...choices].map(
    ([group, packages]) =>
      `Say whom you trust with ${group}: pass --owner ${group}=PACKAGE, or add "${group}": PACKAGE to the declaration's owners, where PACKAGE is ${packages.join(' or ')}.`,
  )
  const message = `${askedFor(question)} has several owners, and it is yours to say which one is right`
  return {kind: 'refused', code: 'ambiguous-owner', message, findings, suggestions}
}

/** Installs that cannot be where they were asked for. */
export function misplaced(findings: readonly Diagnostic[]): NoAnswer {
  const isIncomplete = findings.every(({rule}) => rule === 'no-namespace')
  const [first] = findings
  return {
    kind: 'refused',
    code: isIncomplete ? 'usage' : 'unresolvable',
    message:
      isIncomplete && first !== undefined && findings.length === 1
        ? first.message
        : `what was asked for cannot be installed ${isIncomplete ? 'without a namespace' : 'as it was asked for'}`,
    findings: isIncomplete && findings.length === 1 ? [] : findings,
    suggestions: isIncomplete
      ? ['Pass --namespace NAME.']
      : ['Ask for each Cluster package once, and give installs names of their own.'],
  }
}

export function spentBudget(question: Question, steps: number): NoAnswer {
  return {
    kind: 'refused',
    code: 'timeout',
    message: `working out ${askedFor(question)} took too long, and was given up after ${steps} steps`,
    findings: [],
    suggestions: [
      'Give it more time with --solve-timeout, or pin packages to versions: each pin is a choice less.',
    ],
  }
}
