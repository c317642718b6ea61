import {grouped} from '../../grouped.js'
import {type CrdRequirement, type Identify, inAnyVersion, offerOf} from '../requirement.js'
import {crdName, type OwnedCrd, type PackageSummary} from '../../index/package-summary.js'
import type {OwnerRule, Preference, SolverInput} from '../solver-input.js'
import {ownerRuleFor} from './owner-rule.js'
import type {SummaryTable} from './summary-table.js'

/** The rule that decided on an owner, in the order in which the rules apply. */
export type OwnerReason =
  | 'owners' // the user's map
  | 'locked'
  | 'installed'
  | 'root' // the user requested the package
  | 'itself' // the dependent owns it
  | 'depends-on-package' // the same file depends on the package
  | 'only-candidate'

/**
 * The package that owns a CRD of a requirement. Decided before versions, so that no owner is selected for its version.
 */
export type Ownership =
  | {readonly kind: 'owner'; readonly identity: string; readonly because: OwnerReason}
  /** Several requested packages own it in some version: the one whose selected version does is the owner. */
  | {readonly kind: 'roots'; readonly identities: readonly string[]}
  | {readonly kind: 'ambiguous'; readonly candidates: readonly string[]}
  | {readonly kind: 'distrusted'; readonly candidates: readonly string[]; readonly rule: OwnerRule}
  /** A former owner of which no version is left: its group goes to no other package without the user. */
  | {readonly kind: 'orphaned'; readonly former: string; readonly candidates: readonly string[]}
  | {readonly kind: 'no-owner'}

/** The package that a single CRD is assigned to, and by which rule. */
export interface Assignment {
  readonly identity: string
  readonly because: Extract<OwnerReason, 'owners' | 'locked' | 'installed'>
}

/** Decides on owners for one input. A later rule never overrides an earlier one. */
export class Owners {
  readonly #table: SummaryTable
  readonly #rules: readonly OwnerRule[]
  readonly #rootIdentities: readonly string[]
  readonly #preferences: readonly Preference[]
  readonly #preferencesOf: ReadonlyMap<string, readonly Preference[]>
  readonly #identify: Identify
  readonly #candidates = new Map<string, readonly string[]>()
  readonly #assignments = new Map<string, Assignment | undefined>()

  constructor(table: SummaryTable, {owners, roots, preferences, identify}: SolverInput) {
    this.#table = table
    this.#rules = owners
    this.#identify = identify
    const identities = roots.flatMap(({requirement}) =>
      requirement.form === 'package' ? [requirement.identity] : [],
    )
    this.#rootIdentities = [...new Set(identities)]
    // A version that the declaration rules out owns nothing.
    this.#preferences = preferences.filter(preference => table.isLeftByRoots(preference))
    this.#preferencesOf = grouped(this.#preferences, ({identity}) => identity)
  }

  /**
   * Lists packages that own a CRD of the requirement in a version that can be selected, sorted. The required version
   * does not restrict them: an owner with a stale version is still the owner.
   */
  candidates(requirement: CrdRequirement): readonly string[] {
    const key = `${requirement.resource}.${requirement.group}`
    const cached = this.#candidates.get(key)
    if (cached !== undefined) return cached
    const inAny = inAnyVersion(requirement)
    const owners = this.#table
      .ownersOf(requirement.group)
      .filter(identity =>
        this.#table.candidateVersions(identity).some(summary => offerOf(inAny, summary) === 'serves'),
      )
    this.#candidates.set(key, owners)
    return owners
  }

  /** `dependent` is the version whose file has the requirement; undefined for a root. */
  ownerOf(requirement: CrdRequirement, dependent?: PackageSummary): Ownership {
    const candidates = this.candidates(requirement)
    if (candidates.length === 0) return {kind: 'no-owner'}
    const rule = ownerRuleFor(requirement.group, this.#rules)
    if (rule !== undefined) {
      return candidates.includes(rule.identity)
        ? {kind: 'owner', identity: rule.identity, because: 'owners'}
        : {kind: 'distrusted', candidates, rule}
    }
    const before = this.#selectedBefore(requirement, candidates)
    if (before.kind === 'owner') return before
    return (
      this.#orphaned(requirement, candidates, preference => preference.isUpgraded !== true) ??
      this.#requestedOwner(before.candidates) ??
      this.#ownerByFile(requirement, before.candidates, dependent) ??
      this.#unlockedOwner(requirement, candidates) ??
      this.#orphaned(requirement, candidates, preference => preference.isUpgraded === true) ??
      this.#onlyCandidate(candidates, before.candidates)
    )
  }

  #onlyCandidate(candidates: readonly string[], left: readonly string[]): Ownership {
    const [only, ...others] = candidates
    return only !== undefined && others.length === 0
      ? {kind: 'owner', identity: only, because: 'only-candidate'}
      : {kind: 'ambiguous', candidates: left}
  }

  #requestedOwner(candidates: readonly string[]): Ownership | undefined {
    const roots = this.#rootIdentities.filter(rootIdentity => candidates.includes(rootIdentity))
    const [identity, ...others] = roots
    if (identity === undefined) return undefined
    return others.length > 0 ? {kind: 'roots', identities: roots} : {kind: 'owner', identity, because: 'root'}
  }

  /** The dependent itself, or a package that the same file depends on. */
  #ownerByFile(
    requirement: CrdRequirement,
    candidates: readonly string[],
    dependent: PackageSummary | undefined,
  ): Ownership | undefined {
    if (dependent === undefined) return undefined
    const {identity} = dependent
    if (candidates.includes(identity) && offerOf(requirement, dependent) !== 'nothing') {
      return {kind: 'owner', identity, because: 'itself'}
    }
    const named = dependent.dependsOn
      .flatMap(entry => ('package' in entry ? [this.#identify(entry.package)] : []))
      .find(text => candidates.includes(text))
    return named === undefined ? undefined : {kind: 'owner', identity: named, because: 'depends-on-package'}
  }

  /**
   * The owner of a CRD that `owners:`, the lock or the cluster assigns: selecting a version of another package must not
   * take it away, whether or not it is required.
   */
  assignment(crd: OwnedCrd): Assignment | undefined {
    const name = crdName(crd)
    if (this.#assignments.has(name)) return this.#assignments.get(name)
    const assignment = this.#assign(name, crd.group)
    this.#assignments.set(name, assignment)
    return assignment
  }

  #assign(name: string, group: string): Assignment | undefined {
    const owns = ({crds}: PackageSummary) => crds.some(crd => crdName(crd) === name)
    const rule = ownerRuleFor(group, this.#rules)
    if (rule !== undefined) {
      const isOwner = this.#table.candidateVersions(rule.identity).some(owns)
      return isOwner ? {identity: rule.identity, because: 'owners'} : undefined
    }
    for (const because of ['locked', 'installed'] as const) {
      const owning = this.#preferences.filter(preference => {
        const version =
          preference.because === because && preference.isUpgraded !== true && this.#versionOf(preference)
        return version && owns(version)
      })
      const [first, ...others] = new Set(owning.map(({identity}) => identity))
      if (first !== undefined && others.length === 0) return {identity: first, because}
    }
    return undefined
  }

  /** Returns the decision of the lock and then of the cluster: one owner, or the remaining candidates. */
  #selectedBefore(
    requirement: CrdRequirement,
    candidates: readonly string[],
  ):
    | Extract<Ownership, {readonly kind: 'owner'}>
    | {readonly kind: 'open'; readonly candidates: readonly string[]} {
    let left = candidates
    for (const because of ['locked', 'installed'] as const) {
      const before = this.#owningBefore(
        requirement,
        left,
        preference => preference.because === because && !preference.isUpgraded,
      )
      const [identity, ...others] = before
      if (identity !== undefined && others.length === 0) return {kind: 'owner', identity, because}
      if (before.length > 0) left = before
    }
    return {kind: 'open', candidates: left}
  }

  /**
   * Returns the former owner of a package that is being upgraded, if no rule decides: an upgrade alone moves a group
   * to no other package.
   */
  #unlockedOwner(requirement: CrdRequirement, candidates: readonly string[]): Ownership | undefined {
    const [identity, ...others] = this.#owningBefore(
      requirement,
      candidates,
      preference => preference.isUpgraded === true,
    )
    return identity === undefined || others.length > 0
      ? undefined
      : {kind: 'owner', identity, because: 'locked'}
  }

  /** Returns a former owner that is no candidate any more, unless another former owner is one. */
  #orphaned(
    requirement: CrdRequirement,
    candidates: readonly string[],
    isMeant: (preference: Preference) => boolean,
  ): Ownership | undefined {
    const owned = inAnyVersion(requirement)
    const former = this.#preferences.filter(preference => {
      const version = isMeant(preference) ? this.#versionOf(preference) : undefined
      if (version !== undefined) return offerOf(owned, version) !== 'nothing'
      return isMeant(preference) && preference.satisfies?.includes(requirement.text) === true
    })
    const [first] = former.map(({identity}) => identity).sort()
    if (first === undefined || former.some(({identity}) => candidates.includes(identity))) return undefined
    return {kind: 'orphaned', former: first, candidates}
  }

  /**
   * Returns candidates that own a CRD of the requirement in the version that was selected before: CRDs move between
   * packages, so their other versions do not count. If there are none, returns those whose selected version no longer
   * exists. Of several owners of one group, returns those that satisfied this same requirement.
   */
  #owningBefore(
    requirement: CrdRequirement,
    candidates: readonly string[],
    isMeant: (preference: Preference) => boolean,
  ): readonly string[] {
    const owned = inAnyVersion(requirement)
    const before = candidates.flatMap(identity =>
      (this.#preferencesOf.get(identity) ?? []).filter(preference => isMeant(preference)),
    )
    const owning = before.filter(preference => {
      const version = this.#versionOf(preference)
      return version !== undefined && offerOf(owned, version) !== 'nothing'
    })
    const gone = before.filter(preference => this.#versionOf(preference) === undefined)
    const preferences = owning.length > 0 ? owning : gone
    const exact = preferences.filter(({satisfies = []}) => satisfies.includes(requirement.text))
    return [...new Set((exact.length > 0 ? exact : preferences).map(({identity}) => identity))]
  }

  #versionOf({identity, tag, digest}: Preference): PackageSummary | undefined {
    const ofTag = this.#table.all(identity).filter(summary => summary.tag === tag)
    return ofTag.find(summary => digest !== undefined && summary.digest === digest) ?? ofTag[0]
  }
}
