import {grouped} from '../../index/grouped.js'
import {type CrdRequirement, type Identify, inAnyVersion, offerOf} from '../requirement.js'
import type {PackageSummary} from '../../index/package-summary.js'
import type {OwnerRule, Preference, SolverInput} from '../solver-input.js'
import type {SummaryTable} from './summary-table.js'

/** Why a package is the one that owns what a need names. */
export type OwnerReason =
  | 'itself' // who needs it owns it
  | 'root' // it was asked for
  | 'depends-on-package' // the same file depends on it
  | 'locked'
  | 'installed'
  | 'owners' // the reader said so
  | 'only-candidate'

/** Which package owns what a need names: found without looking at versions, so that none is chosen for its version. */
export type Ownership =
  | {readonly kind: 'owner'; readonly identity: string; readonly because: OwnerReason}
  | {readonly kind: 'ambiguous'; readonly candidates: readonly string[]}
  | {readonly kind: 'distrusted'; readonly candidates: readonly string[]; readonly rule: OwnerRule}
  | {readonly kind: 'nobody'}

/** Decides on owners for one question. */
export class Owners {
  readonly #table: SummaryTable
  readonly #rules: readonly OwnerRule[]
  readonly #rootIdentities: readonly string[]
  readonly #preferences: ReadonlyMap<string, readonly Preference[]>
  readonly #identify: Identify
  readonly #candidates = new Map<string, readonly string[]>()

  constructor(table: SummaryTable, {owners, roots, preferences, identify}: SolverInput) {
    this.#table = table
    this.#rules = owners
    this.#identify = identify
    this.#rootIdentities = roots.flatMap(({requirement}) =>
      requirement.form === 'package' ? [requirement.identity] : [],
    )
    this.#preferences = grouped(preferences, ({identity}) => identity)
  }

  /** Packages that own what a need names in any version, sorted: the version asked for never narrows them. */
  candidates(requirement: CrdRequirement): readonly string[] {
    const key = `${requirement.resource}.${requirement.group}`
    const known = this.#candidates.get(key)
    if (known !== undefined) return known
    const requested = inAnyVersion(requirement)
    const found = this.#table
      .ownersOf(requirement.group)
      .filter(identity => this.#table.all(identity).some(summary => offerOf(requested, summary) === 'serves'))
    this.#candidates.set(key, found)
    return found
  }

  /** `requirer` is the version whose file says so; none for what the reader asks for. */
  ownerOf(requirement: CrdRequirement, dependent?: PackageSummary): Ownership {
    if (dependent !== undefined && offerOf(requirement, dependent) !== 'nothing') {
      return {kind: 'owner', identity: dependent.identity, because: 'itself'}
    }
    const candidates = this.candidates(requirement)
    if (candidates.length === 0) return {kind: 'nobody'}
    const choices: readonly (readonly [OwnerReason, readonly string[]])[] = [
      ['root', this.#rootIdentities],
      ['depends-on-package', this.#dependedOn(dependent)],
      ['locked', this.#selectedBefore('locked', requirement, candidates)],
      ['installed', this.#selectedBefore('installed', requirement, candidates)],
    ]
    for (const [because, preferred] of choices) {
      const identity = preferred.find(each => candidates.includes(each))
      if (identity !== undefined) return {kind: 'owner', identity, because}
    }
    return this.#trusted(requirement, candidates)
  }

  #dependedOn(dependent: PackageSummary | undefined): string[] {
    const entries = dependent?.dependsOn ?? []
    return entries.flatMap(entry => ('package' in entry ? [this.#identify(entry.package)] : []))
  }

  /**
   * Packages that were chosen before and own what a need names in the version that was chosen: what they own in another
   * says nothing, because kinds move from one package to another. It only counts where that version is gone. Of several
   * the one counts that the reader trusts, and one that is to be upgraded leaves a group to whom the reader trusts.
   */
  #selectedBefore(
    because: Preference['because'],
    requirement: CrdRequirement,
    candidates: readonly string[],
  ): string[] {
    const rule = ruleFor(requirement.group, this.#rules)
    const owned = inAnyVersion(requirement)
    const before = candidates
      .flatMap(identity => this.#preferences.get(identity) ?? [])
      .filter(
        ({because: reason, identity, isUpgraded = false}) =>
          reason === because && !(isUpgraded && rule !== undefined && rule.identity !== identity),
      )
    const versionOf = ({identity, tag}: Preference) =>
      this.#table.all(identity).find(summary => summary.tag === tag)
    const owning = before.filter(each => {
      const version = versionOf(each)
      return version !== undefined && offerOf(owned, version) !== 'nothing'
    })
    const gone = before.filter(each => versionOf(each) === undefined)
    const identities = (owning.length > 0 ? owning : gone).map(({identity}) => identity)
    return identities.filter(identity => identity === rule?.identity).concat(identities)
  }

  #trusted(requirement: CrdRequirement, candidates: readonly string[]): Ownership {
    const rule = ruleFor(requirement.group, this.#rules)
    const [only, ...others] = candidates
    if (rule !== undefined) {
      return candidates.includes(rule.identity)
        ? {kind: 'owner', identity: rule.identity, because: 'owners'}
        : {kind: 'distrusted', candidates, rule}
    }
    if (only !== undefined && others.length === 0) {
      return {kind: 'owner', identity: only, because: 'only-candidate'}
    }
    return {kind: 'ambiguous', candidates}
  }
}

/** What the reader says of a group: the group itself before what it ends in, a longer end before a shorter one. */
export function ruleFor(group: string, rules: readonly OwnerRule[]): OwnerRule | undefined {
  const matching = rules.filter(rule =>
    rule.group.startsWith('*.') ? group.endsWith(rule.group.slice(1)) : rule.group === group,
  )
  const weight = (rule: OwnerRule) => (rule.group === group ? Infinity : rule.group.length)
  return matching.sort((a, b) => weight(b) - weight(a))[0]
}
