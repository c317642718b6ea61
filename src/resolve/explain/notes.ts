import type {Diagnostic} from '../../diagnostic.js'
import {crdName, formatSummary} from '../../index/package-summary.js'
import {compareVersions, isStable} from '../../reference/newest-version.js'
import type {FactOrigin} from '../facts.js'
import type {Answered} from './answered.js'
import {ruleFor} from '../solver/owners.js'
import {passedOverNotes} from './passed-over.js'
import {type Problem, ROOT} from '../solver/problem.js'
import type {SatisfiedRequirement} from '../resolution.js'
import {FACT_WORDS, needText, OWNER_WORDS, some, versionName, whoNeeds} from './words.js'

/** What a reader should know of an answer: what was assumed, trusted, accepted, held back. */
export function answerNotes(answered: Answered): Diagnostic[] {
  return [
    ...factNotes(answered),
    ...ownerNotes(answered),
    ...keptOwnerNotes(answered),
    ...mismatchNotes(answered),
    ...heldBackNotes(answered),
    ...passedOverNotes(answered),
  ]
}

interface OwnedNeed extends SatisfiedRequirement {
  /** How messages name who has it. */
  readonly who: string
}

function allNeeds({packages, roots}: Answered): OwnedNeed[] {
  return [
    ...roots.map(need => ({...need, who: 'what was asked for'})),
    ...packages.flatMap(({summary, needs}) => needs.map(need => ({...need, who: formatSummary(summary)}))),
  ]
}

const FACT_RULES: readonly (readonly [FactOrigin, string])[] = [
  ['assumed', 'assumed'],
  ['crossplane', 'assumed-crossplane'],
  ['kubernetes', 'assumed-kubernetes'],
  ['never-existed', 'never-existed-group'],
]

function factNotes(answered: Answered): Diagnostic[] {
  const needs = allNeeds(answered)
  return FACT_RULES.flatMap(([origin, rule]) => {
    const met = needs.filter(({by}) => by.kind === 'fact' && by.fact.origin === origin)
    if (met.length === 0) return []
    const texts = [...new Set(met.map(({requirement}) => needText(requirement)))]
    const who = [...new Set(met.map(each => each.who))]
    return [
      {severity: 'note' as const, rule, message: `${some(texts)}, for ${some(who)}: ${FACT_WORDS[origin]}`},
    ]
  })
}

/** Packages that are trusted with a group for no other reason than that nobody else owns what is needed. */
function ownerNotes(answered: Answered): Diagnostic[] {
  const trusted = new Map<string, Set<string>>()
  for (const {requirement, by} of allNeeds(answered)) {
    if (by.kind !== 'package' || by.because !== 'only-candidate' || requirement.form !== 'crd') continue
    const groups = trusted.get(by.identity) ?? new Set()
    trusted.set(by.identity, groups.add(requirement.group))
  }
  return [...trusted].map(([identity, groups]) => ({
    severity: 'note' as const,
    rule: 'owner-first-use',
    message: `${identity} is taken as owner of ${some([...groups].sort())}: nobody else at hand owns what is needed of it`,
  }))
}

/** Packages that own a group because they were chosen before, though the reader trusts another with it by now. */
function keptOwnerNotes(answered: Answered): Diagnostic[] {
  const kept = new Map<string, Diagnostic>()
  for (const {requirement, by} of allNeeds(answered)) {
    if (by.kind !== 'package' || requirement.form !== 'crd') continue
    if (by.because !== 'locked' && by.because !== 'installed') continue
    const rule = ruleFor(requirement.group, answered.question.owners)
    if (rule === undefined || rule.identity === by.identity) continue
    const message = `${by.identity} stays owner of ${requirement.group} (${OWNER_WORDS[by.because]}), though you trust ${rule.identity} with it: that changes when ${by.identity} is upgraded`
    kept.set(message, {severity: 'note' as const, rule: 'owner-kept', message})
  }
  return [...kept.values()]
}

function mismatchNotes(answered: Answered): Diagnostic[] {
  return allNeeds(answered).flatMap(({requirement, by, who}) => {
    if (by.kind !== 'package' || !by.isMismatch) return []
    const owner = answered.packages.find(({summary}) => summary.identity === by.identity)
    const name = owner === undefined ? by.identity : formatSummary(owner.summary)
    const message = `${who} needs ${needText(requirement)}, which ${name} does not serve: accepted, as you asked`
    return [{severity: 'note' as const, rule: 'accepted-mismatch', message}]
  })
}

function heldBackNotes(answered: Answered): Diagnostic[] {
  const {problem, selected} = answered
  return [...selected].flatMap(([node, position]) => {
    const newest = newestOf(problem, node)
    if (newest === undefined || newest === position || isPreferred(answered, node, position)) return []
    const why = holders(answered, node, newest)
    if (why === undefined) return []
    const {tag} = problem.version(node, newest).summary
    return [
      {
        severity: 'note' as const,
        rule: 'held-back',
        message: `${versionName(problem, node, position)} is held back, and ${tag} is the newest: ${why}`,
      },
    ]
  })
}

function newestOf(problem: Problem, node: number): number | undefined {
  const tags = problem.node(node).versions.map(({summary}) => summary.tag)
  const newest = tags.filter(isStable).sort(compareVersions)[0]
  return newest === undefined ? undefined : tags.indexOf(newest)
}

function isPreferred({problem, question}: Answered, node: number, position: number): boolean {
  const {identity, tag} = problem.version(node, position).summary
  return question.preferences.some(
    each => each.identity === identity && each.tag === tag && each.isUpgraded !== true,
  )
}

/** Who does not take the newest version; undefined where the reader has pinned another, and knows. */
function holders({problem, question, selected}: Answered, node: number, newest: number): string | undefined {
  const {identity} = problem.node(node)
  const isPinned = question.roots.some(
    ({need}) =>
      need.form === 'package' &&
      need.identity === identity &&
      (need.tag !== undefined || need.digest !== undefined),
  )
  if (isPinned) return undefined
  const bit = 1n << BigInt(newest)
  const direct = [[ROOT, 0] as const, ...selected].flatMap(([from, position]) =>
    problem
      .demands(from, position)
      .filter(({outcome}) => outcome.kind === 'edge' && outcome.to === node && (outcome.allowed & bit) === 0n)
      .map(({requirement}) => whoNeeds(problem, from, position, requirement)),
  )
  if (direct.length > 0) return `${some([...new Set(direct)])}, which only other versions serve`
  return ownTrouble(problem, selected, node, newest) ?? 'with it there is no answer'
}

/** What of the newest version itself does not fit what was chosen. */
function ownTrouble(
  problem: Problem,
  selected: ReadonlyMap<number, number>,
  node: number,
  newest: number,
): string | undefined {
  const name = versionName(problem, node, newest)
  for (const {requirement, outcome} of problem.demands(node, newest)) {
    if (outcome.kind === 'impossible') return `${name} needs ${needText(requirement)}, which nobody defines`
    if (outcome.kind !== 'edge') continue
    const position = selected.get(outcome.to)
    if (position === undefined || ((1n << BigInt(position)) & outcome.allowed) !== 0n) continue
    const other = versionName(problem, outcome.to, position)
    return `${name} needs ${needText(requirement)}, and ${other} is needed for others`
  }
  const rival = problem.rivals(node).find(each => {
    const position = selected.get(each)
    return position !== undefined && (problem.clashing(node, each, position) & (1n << BigInt(newest))) !== 0n
  })
  if (rival === undefined) return undefined
  const owner = versionName(problem, rival, selected.get(rival) ?? 0)
  return `${name} owns what ${owner} owns: ${some(sharedCrds(problem, node, newest, rival, selected.get(rival) ?? 0))}`
}

/** Names of the CRDs that two versions both own. */
export function sharedCrds(
  problem: Problem,
  node: number,
  position: number,
  rival: number,
  rivalPosition: number,
): string[] {
  const names = new Set(problem.version(rival, rivalPosition).summary.crds.map(crdName))
  return problem
    .version(node, position)
    .summary.crds.map(crdName)
    .filter(name => names.has(name))
}
