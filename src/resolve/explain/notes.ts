import type {Diagnostic} from '../../diagnostic.js'
import {crdName, formatSummary} from '../../index/package-summary.js'
import {compareVersions, isStable} from '../../reference/newest-version.js'
import type {FactOrigin} from '../facts.js'
import type {Answered} from './answered.js'
import {ruleFor} from '../solver/owners.js'
import {passedOverNotes} from './passed-over.js'
import {type SolverModel, ROOT} from '../solver/solver-model.js'
import type {SatisfiedRequirement} from '../resolution.js'
import {FACT_WORDS, requirementText, OWNER_WORDS, some, versionName, dependentText} from './words.js'

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

interface OwnedRequirement extends SatisfiedRequirement {
  /** How messages name who has it. */
  readonly who: string
}

function allRequirements({packages, roots}: Answered): OwnedRequirement[] {
  return [
    ...roots.map(requirement => ({...requirement, who: 'what was asked for'})),
    ...packages.flatMap(({summary, requirements}) =>
      requirements.map(requirement => ({...requirement, who: formatSummary(summary)})),
    ),
  ]
}

const FACT_RULES: readonly (readonly [FactOrigin, string])[] = [
  ['assumed', 'assumed'],
  ['crossplane', 'assumed-crossplane'],
  ['kubernetes', 'assumed-kubernetes'],
  ['never-existed', 'never-existed-group'],
]

function factNotes(answered: Answered): Diagnostic[] {
  const requirements = allRequirements(answered)
  return FACT_RULES.flatMap(([origin, rule]) => {
    const satisfied = requirements.filter(({by}) => by.kind === 'fact' && by.fact.origin === origin)
    if (satisfied.length === 0) return []
    const texts = [...new Set(satisfied.map(({requirement}) => requirementText(requirement)))]
    const who = [...new Set(satisfied.map(each => each.who))]
    return [
      {severity: 'note' as const, rule, message: `${some(texts)}, for ${some(who)}: ${FACT_WORDS[origin]}`},
    ]
  })
}

/** Packages that are trusted with a group for no other reason than that nobody else owns what is needed. */
function ownerNotes(answered: Answered): Diagnostic[] {
  const trusted = new Map<string, Set<string>>()
  for (const {requirement, by} of allRequirements(answered)) {
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
  for (const {requirement, by} of allRequirements(answered)) {
    if (by.kind !== 'package' || requirement.form !== 'crd') continue
    if (by.because !== 'locked' && by.because !== 'installed') continue
    const rule = ruleFor(requirement.group, answered.input.owners)
    if (rule === undefined || rule.identity === by.identity) continue
    const message = `${by.identity} stays owner of ${requirement.group} (${OWNER_WORDS[by.because]}), though you trust ${rule.identity} with it: that changes when ${by.identity} is upgraded`
    kept.set(message, {severity: 'note' as const, rule: 'owner-kept', message})
  }
  return [...kept.values()]
}

function mismatchNotes(answered: Answered): Diagnostic[] {
  return allRequirements(answered).flatMap(({requirement, by, who}) => {
    if (by.kind !== 'package' || !by.isMismatch) return []
    const owner = answered.packages.find(({summary}) => summary.identity === by.identity)
    const name = owner === undefined ? by.identity : formatSummary(owner.summary)
    const message = `${who} needs ${requirementText(requirement)}, which ${name} does not serve: accepted, as you asked`
    return [{severity: 'note' as const, rule: 'accepted-mismatch', message}]
  })
}

function heldBackNotes(answered: Answered): Diagnostic[] {
  const {model, selected} = answered
  return [...selected].flatMap(([node, position]) => {
    const newest = newestOf(model, node)
    if (newest === undefined || newest === position || isPreferred(answered, node, position)) return []
    const why = holders(answered, node, newest)
    if (why === undefined) return []
    const {tag} = model.version(node, newest).summary
    return [
      {
        severity: 'note' as const,
        rule: 'held-back',
        message: `${versionName(model, node, position)} is held back, and ${tag} is the newest: ${why}`,
      },
    ]
  })
}

function newestOf(model: SolverModel, node: number): number | undefined {
  const tags = model.node(node).versions.map(({summary}) => summary.tag)
  const newest = tags.filter(isStable).sort(compareVersions)[0]
  return newest === undefined ? undefined : tags.indexOf(newest)
}

function isPreferred({model, input}: Answered, node: number, position: number): boolean {
  const {identity, tag} = model.version(node, position).summary
  return input.preferences.some(
    each => each.identity === identity && each.tag === tag && each.isUpgraded !== true,
  )
}

/** Who does not take the newest version; undefined where the reader has pinned another, and knows. */
function holders({model, input, selected}: Answered, node: number, newest: number): string | undefined {
  const {identity} = model.node(node)
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
      .map(({requirement}) => dependentText(model, from, position, requirement)),
  )
  if (direct.length > 0) return `${some([...new Set(direct)])}, which only other versions serve`
  return ownTrouble(model, selected, node, newest) ?? 'with it there is no answer'
}

/** What of the newest version itself does not fit what was chosen. */
function ownTrouble(
  model: SolverModel,
  selected: ReadonlyMap<number, number>,
  node: number,
  newest: number,
): string | undefined {
  const name = versionName(model, node, newest)
  for (const {requirement, outcome} of model.demands(node, newest)) {
    if (outcome.kind === 'impossible')
      return `${name} needs ${requirementText(requirement)}, which nobody defines`
    if (outcome.kind !== 'edge') continue
    const position = selected.get(outcome.to)
    if (position === undefined || ((1n << BigInt(position)) & outcome.allowed) !== 0n) continue
    const other = versionName(model, outcome.to, position)
    return `${name} needs ${requirementText(requirement)}, and ${other} is needed for others`
  }
  const rival = model.rivals(node).find(each => {
    const position = selected.get(each)
    return position !== undefined && (model.conflicting(node, each, position) & (1n << BigInt(newest))) !== 0n
  })
  if (rival === undefined) return undefined
  const owner = versionName(model, rival, selected.get(rival) ?? 0)
  return `${name} owns what ${owner} owns: ${some(sharedCrds(model, node, newest, rival, selected.get(rival) ?? 0))}`
}

/** Names of the CRDs that two versions both own. */
export function sharedCrds(
  model: SolverModel,
  node: number,
  position: number,
  rival: number,
  rivalPosition: number,
): string[] {
  const names = new Set(model.version(rival, rivalPosition).summary.crds.map(crdName))
  return model
    .version(node, position)
    .summary.crds.map(crdName)
    .filter(name => names.has(name))
}
