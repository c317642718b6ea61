import type {AcknowledgedRule} from '../../declaration/acknowledged.js'
import type {Diagnostic, Subject} from '../../diagnostic.js'
import {present} from '../../present.js'
import {escaped, listSome} from '../../text.js'
import {grouped} from '../../grouped.js'
import {ownerRuleFor} from '../solver/owner-rule.js'
import {crdName, formatSummary} from '../../index/package-summary.js'
import {compareVersions, isStable} from '../../reference/newest-version.js'
import type {FactOrigin} from '../facts.js'
import type {OwnerChange} from '../resolution.js'
import {firstOwners} from '../first-owners.js'
import type {Answered} from './answered.js'
import {sharedCrds} from './explain-rejection.js'
import {passedOverNotes} from './passed-over.js'
import {positionsIn} from '../solver/nogood.js'
import {ROOT} from '../solver/constraints.js'
import type {SolverModel} from '../solver/solver-model.js'
import type {SatisfiedRequirement} from '../resolution.js'
import {
  dependentText,
  FACT_WORDS,
  requirementSubject,
  requirementText,
  versionName,
  versionsName,
} from './words.js'

/**
 * Returns notes on a resolution: on assumed CRDs, owners without alternative, accepted mismatches, and versions that
 * were excluded or held back.
 */
export function answerNotes(answered: Answered): Diagnostic[] {
  return [
    ...factNotes(answered),
    ...ownerNotes(answered),
    ...foreignCrdNotes(answered),
    ...mismatchNotes(answered),
    ...excludedNotes(answered),
    ...heldBackNotes(answered),
    ...passedOverNotes(answered),
  ]
}

interface OwnedRequirement extends SatisfiedRequirement {
  /** The name of the dependent in messages. */
  readonly who: string
}

function allRequirements({packages, roots}: Answered): OwnedRequirement[] {
  return [
    ...roots.map(requirement => ({...requirement, who: 'the request'})),
    ...packages.flatMap(({summary, requirements}) =>
      requirements.map(requirement => ({...requirement, who: formatSummary(summary)})),
    ),
  ]
}

const FACT_RULES: readonly (readonly [FactOrigin, AcknowledgedRule])[] = [
  ['assumed', 'assumed'],
  ['crossplane', 'assumed-crossplane'],
  ['kubernetes', 'assumed-kubernetes'],
  ['never-existed', 'never-existed-group'],
]

function factNotes(answered: Answered): Diagnostic[] {
  const requirements = allRequirements(answered)
  return FACT_RULES.flatMap(([origin, rule]) => {
    const isNew = notAcknowledged(answered, rule)
    const matching = requirements.filter(
      ({by, requirement}) =>
        by.kind === 'fact' && by.fact.origin === origin && isNew(requirementText(requirement)),
    )
    if (matching.length === 0) return []
    const texts = [...new Set(matching.map(({requirement}) => requirementText(requirement)))]
    const who = [...new Set(matching.map(requirement => requirement.who))]
    const message = `${listSome(texts)}, required by ${listSome(who)}: ${FACT_WORDS[origin]}`
    return [{severity: 'note', rule, message} as const]
  })
}

/** Tells texts of notes that the declaration does not acknowledge from others. */
function notAcknowledged({input}: Answered, rule: AcknowledgedRule): (text: string) => boolean {
  const texts = new Set(input.acknowledged?.[rule])
  return text => !texts.has(text)
}

/** Packages that own a group only because there is no other candidate. */
function ownerNotes(answered: Answered): Diagnostic[] {
  const first = firstOwners(answered).filter(({before}) => before === undefined)
  return first.map(({identity, groups}) => ({
    severity: 'note',
    rule: 'owner-first-use',
    message: `${identity} is trusted with ${listSome(groups)}: no other available package provides the required CRDs`,
    subject: {package: identity},
  }))
}

/** CRDs of groups that the user assigns to another package: its rule stops them only where it owns them itself. */
function foreignCrdNotes({input: {owners}, packages}: Answered): Diagnostic[] {
  return packages.flatMap(({summary}) => {
    const foreign = summary.crds.flatMap(crd => {
      const owner = ownerRuleFor(crd.group, owners)?.identity ?? summary.identity
      return owner === summary.identity ? [] : [{name: crdName(crd), owner}]
    })
    return [...grouped(foreign, ({owner}) => owner)].map(([owner, crds]) => ({
      severity: 'note' as const,
      rule: 'owner-not-used',
      message: `${formatSummary(summary)} provides ${listSome(crds.map(({name}) => name))}, but owners assigns the group to ${owner}, and no version of it that provides the CRD is selected`,
      subject: {package: summary.identity, tag: summary.tag},
    }))
  })
}

/** Returns a note for each group that has a different owner than before. */
export function ownerChangeNotes(changes: readonly OwnerChange[]): Diagnostic[] {
  return changes.map(({group, before, after}) => ({
    severity: 'note',
    rule: 'owner-changed',
    message:
      after === undefined
        ? `${before} no longer provides CRDs of ${escaped(group)}: the package is removed`
        : `the owner of CRDs of ${escaped(group)} changes from ${before} to ${after}`,
    subject: {package: after ?? before},
  }))
}

function mismatchNotes(answered: Answered): Diagnostic[] {
  return allRequirements(answered).flatMap(({requirement, by, who}) => {
    if (by.kind !== 'package' || !by.isMismatch) return []
    const owner = answered.packages.find(({summary}) => summary.identity === by.identity)
    const name = owner === undefined ? by.identity : formatSummary(owner.summary)
    const message = `${who} requires ${requirementText(requirement)}, which ${name} does not serve: the mismatch is accepted`
    const subject = {package: by.identity, requirement: requirementText(requirement), requiredBy: who}
    return [{severity: 'note', rule: 'accepted-mismatch', message, subject} as const]
  })
}

/** Returns notes on versions that were only excluded because another package is the owner of one of their CRDs. */
function excludedNotes({model, selected}: Answered): Diagnostic[] {
  return [...selected].flatMap(([node, position]) =>
    model.rivals(node).flatMap(rival => {
      const rivalPosition = selected.get(rival)
      if (rivalPosition === undefined) return []
      const before = (1n << BigInt(position)) - 1n
      const versions = model.conflicting(node, rival, rivalPosition) & before
      const [first] = positionsIn(versions, model.node(node))
      if (first === undefined) return []
      const crds = excludedCrds(model, node, first, rival, rivalPosition)
      const message = `${versionsName(model, node, versions)} is excluded: it owns ${listSome(crds)} of ${versionName(model, rival, rivalPosition)}`
      const subject = {package: model.packageNode(node).identity}
      return [{severity: 'note', rule: 'excluded-version', message, subject} as const]
    }),
  )
}

/** CRDs of a version that another package owns, or that are assigned to it. */
function excludedCrds(
  model: SolverModel,
  node: number,
  position: number,
  rival: number,
  rivalPosition: number,
): string[] {
  const shared = sharedCrds(model, node, position, rival, rivalPosition)
  if (shared.length > 0) return shared
  const {identity} = model.packageNode(rival)
  return model.assigned(model.version(node, position).summary, identity).map(crdName)
}

function heldBackNotes(answered: Answered): Diagnostic[] {
  const {model, selected} = answered
  const isNew = notAcknowledged(answered, 'held-back')
  return [...selected].flatMap(([node, position]) => {
    const newest = newestOf(model, node)
    if (newest === undefined || newest === position || isPreferred(answered, node, position)) return []
    if (!isNew(versionName(model, node, newest))) return []
    const why = holders(answered, node, newest)
    if (why === undefined) return []
    const {identity, tag} = model.version(node, newest).summary
    const message = `${heldBackStart(versionName(model, node, position), tag)}${why.reason}`
    const subject = {package: identity, tag, ...why.by}
    return [{severity: 'note', rule: 'held-back', message, subject} as const]
  })
}

/** Returns the start of a note on a version that is held back: the reason follows. */
export function heldBackStart(version: string, newest: string): string {
  return `${version} is held back; newest version: ${newest}; `
}

/** The newest stable version that can be selected. */
function newestOf(model: SolverModel, node: number): number | undefined {
  const tags = model.packageNode(node).versions.map(({summary}) => summary.tag)
  const newest = tags.filter(isStable).sort(compareVersions)[0]
  return newest === undefined ? undefined : tags.indexOf(newest)
}

function isPreferred({model, input}: Answered, node: number, position: number): boolean {
  const {identity, tag} = model.version(node, position).summary
  return input.preferences.some(
    preference =>
      preference.identity === identity && preference.tag === tag && preference.isUpgraded !== true,
  )
}

/** Why a version was not selected. */
interface Holders {
  readonly reason: string
  /** The first package that accepts only other versions, if any. */
  readonly by?: Pick<Subject, 'requirement' | 'requiredBy'>
}

/** Returns why the newest version was not selected; undefined if the user restricted the package. */
function holders({model, input, selected}: Answered, node: number, newest: number): Holders | undefined {
  const {identity} = model.packageNode(node)
  const isPinned = input.roots.some(
    ({requirement}) =>
      requirement.form === 'package' &&
      requirement.identity === identity &&
      (requirement.tag !== undefined || requirement.digest !== undefined),
  )
  if (isPinned) return undefined
  const bit = 1n << BigInt(newest)
  const direct = [[ROOT, 0] as const, ...selected].flatMap(([from, position]) =>
    model
      .demands(from, position)
      .filter(({outcome}) => outcome.kind === 'edge' && outcome.to === node && (outcome.allowed & bit) === 0n)
      .map(({requirement}) => ({
        text: dependentText(model, from, position, requirement),
        by: requirementSubject(model, from, position, requirement),
      })),
  )
  const [first] = direct
  if (first === undefined) {
    const reason = ownTrouble(model, selected, node, newest)
    return reason === undefined ? undefined : {reason}
  }
  const texts = [...new Set(direct.map(({text}) => text))]
  const {requirement, requiredBy} = first.by
  return {
    reason: `${listSome(texts)}, which only other versions satisfy`,
    by: present({requirement, requiredBy}),
  }
}

/** Returns why the newest version conflicts with the selected versions; undefined if another note reports it. */
function ownTrouble(
  model: SolverModel,
  selected: ReadonlyMap<number, number>,
  node: number,
  newest: number,
): string | undefined {
  const name = versionName(model, node, newest)
  for (const {requirement, outcome} of model.demands(node, newest)) {
    const who = `${name} requires ${requirementText(requirement)}`
    if (outcome.kind === 'impossible') return `${who}, which no package provides`
    if (outcome.kind !== 'edge') continue
    const position = selected.get(outcome.to)
    if (position === undefined || ((1n << BigInt(position)) & outcome.allowed) !== 0n) continue
    return `${who}, which ${versionName(model, outcome.to, position)} does not satisfy`
  }
  const isExcluded = model.rivals(node).some(rival => {
    const position = selected.get(rival)
    return (
      position !== undefined && (model.conflicting(node, rival, position) & (1n << BigInt(newest))) !== 0n
    )
  })
  return isExcluded ? undefined : 'with it, the requirements conflict'
}
