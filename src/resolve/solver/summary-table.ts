import {grouped} from '../../grouped.js'
import {crdName, type PackageSummary} from '../../index/package-summary.js'
import {contentText, summaryText} from '../../index/summary-of.js'
import {compareText} from '../../reference/compare-text.js'
import {compareVersions, isStable} from '../../reference/newest-version.js'
import {isAllowedBy} from '../requirement.js'
import {
  type ExcludedVersion,
  isIgnored,
  type Preference,
  type SolverInput,
  type Root,
} from '../solver-input.js'

/** One version of a package, at its place in the order in which versions are tried. */
export interface Version {
  readonly summary: PackageSummary
  /** Its bit in a set of versions of the package. */
  readonly bit: bigint
}

/** The versions of one package that can be selected, in order, and the others with the reason. */
export interface Versions {
  readonly versions: readonly Version[]
  readonly rejected: readonly {
    readonly summary: PackageSummary
    readonly reason: string
    readonly rule: string
  }[]
}

/** Rules of versions that cannot be selected now, but possibly later. */
const UNDECIDED: readonly string[] = ['private-version', 'version-twice']

/** Summaries by package and by group, independent of their order in the input. */
export class SummaryTable {
  readonly #byIdentity = new Map<string, PackageSummary[]>()
  readonly #ownersOf = new Map<string, Set<string>>()
  readonly #ownersOfCrd = new Map<string, Set<string>>()
  readonly #input: SolverInput
  readonly #excluded: ReadonlyMap<string, readonly ExcludedVersion[]>
  readonly #versions = new Map<string, Versions>()

  constructor(input: SolverInput) {
    this.#input = input
    this.#excluded = grouped(input.excluded, ({identity, tag}) => `${identity}:${tag}`)
    for (const summary of input.summaries) this.#add(summary)
  }

  #add(summary: PackageSummary): void {
    const summaries = this.#byIdentity.get(summary.identity)
    if (summaries === undefined) this.#byIdentity.set(summary.identity, [summary])
    else summaries.push(summary)
    // An entry that contradicts its package, or that a policy does not allow, is not a candidate.
    if (this.#isIgnored(summary)) return
    for (const crd of summary.crds) {
      include(this.#ownersOf, crd.group, summary.identity)
      include(this.#ownersOfCrd, crdName(crd), summary.identity)
    }
  }

  /** Packages of which some version owns a CRD of exactly this group, sorted. */
  ownersOf(group: string): string[] {
    return [...(this.#ownersOf.get(group) ?? [])].sort()
  }

  /** Other packages of which some version owns a CRD that some version of this one owns, sorted. */
  rivalsOf(identity: string): string[] {
    const names = new Set(this.all(identity).flatMap(({crds}) => crds.map(crdName)))
    const owners = [...names].flatMap(name => [...(this.#ownersOfCrd.get(name) ?? [])])
    return [...new Set(owners)].filter(owner => owner !== identity).sort()
  }

  /** Reports whether there is any summary of a package. */
  has(identity: string): boolean {
    return this.#byIdentity.has(identity)
  }

  /** Returns every version that is not ignored, whether or not it can be selected. */
  all(identity: string): PackageSummary[] {
    const summaries = this.#byIdentity.get(identity) ?? []
    return summaries.filter(summary => !this.#isIgnored(summary))
  }

  #isIgnored(summary: PackageSummary): boolean {
    const exclusion = this.#exclusionOf(summary)
    return exclusion !== undefined && isIgnored(exclusion)
  }

  /**
   * Versions that make a package a candidate for owning something: those that can be selected, and those that could be
   * once the user logs in or names a digest. No package becomes the only candidate because a login is missing.
   */
  candidateVersions(identity: string): PackageSummary[] {
    const {versions, rejected} = this.versions(identity)
    const summaries = [
      ...versions.map(({summary}) => summary),
      ...rejected.filter(({rule}) => UNDECIDED.includes(rule)).map(({summary}) => summary),
    ]
    return summaries.filter(summary => this.isLeftByRoots(summary))
  }

  /** Reports whether the tags, digests and ranges of the roots leave a version to select. */
  isLeftByRoots(summary: Pick<PackageSummary, 'identity' | 'tag' | 'digest'>): boolean {
    return this.#input.roots.every(
      ({requirement}) =>
        requirement.form !== 'package' ||
        requirement.identity !== summary.identity ||
        isAllowedBy(requirement, summary),
    )
  }

  /** Versions in the order in which they are tried: locked, installed, the newest stable ones; others by name only. */
  versions(identity: string): Versions {
    const cached = this.#versions.get(identity)
    if (cached !== undefined) return cached
    const versions = this.#sortVersions(identity)
    this.#versions.set(identity, versions)
    return versions
  }

  #sortVersions(identity: string): Versions {
    const {roots, preferences} = this.#input
    const preferred = preferences.filter(
      preference => preference.identity === identity && preference.isUpgraded !== true,
    )
    const rejected: {summary: PackageSummary; reason: string; rule: string}[] = []
    const allowed: PackageSummary[] = []
    for (const summary of this.#distinct(identity, rejected)) {
      const rejection = this.#rejection(summary, preferred, roots)
      if (rejection === undefined) allowed.push(summary)
      else rejected.push({summary, ...rejection})
    }
    allowed.sort((a, b) => rankOf(a, preferred) - rankOf(b, preferred) || compareVersions(a.tag, b.tag))
    rejected.sort((a, b) => compareVersions(a.summary.tag, b.summary.tag) || (a.reason < b.reason ? -1 : 1))
    return {
      versions: allowed.map((summary, index) => ({summary, bit: 1n << BigInt(index)})),
      rejected,
    }
  }

  /** Returns each version once. Two of one tag with different content are rejected, unless a digest decides. */
  #distinct(
    identity: string,
    rejected: {summary: PackageSummary; reason: string; rule: string}[],
  ): PackageSummary[] {
    const byTag = grouped(this.#byIdentity.get(identity) ?? [], ({tag}) => tag)
    const pinned = this.#pinnedDigests(identity)
    return [...byTag.values()].flatMap(same => {
      if (same.length === 1) return same
      const distinct = distinctContents(same)
      const pinnedVersions = distinct.filter(({digest}) => digest !== undefined && pinned.has(digest))
      const open = distinct.filter(summary => this.#exclusionOf(summary) === undefined)
      if (pinnedVersions.length === 0 && open.length <= 1) return distinct
      const others =
        pinnedVersions.length === 0 ? open : distinct.filter(summary => !pinnedVersions.includes(summary))
      const reason = pinnedVersions.length === 0 ? twinReason(open) : undefined
      rejected.push(
        ...others.map(summary => ({summary, reason: reason ?? otherDigest(summary), rule: 'version-twice'})),
      )
      return pinnedVersions.length === 0
        ? distinct.filter(summary => !open.includes(summary))
        : pinnedVersions
    })
  }

  /** Digests that the user requests or that were selected before. */
  #pinnedDigests(identity: string): ReadonlySet<string | undefined> {
    const {roots, preferences} = this.#input
    const requested = roots.flatMap(({requirement}) => (requirement.form === 'package' ? [requirement] : []))
    const selected = preferences.filter(({isUpgraded}) => isUpgraded !== true)
    const pins: readonly {readonly identity: string; readonly digest?: string}[] = [...requested, ...selected]
    return new Set(pins.filter(pin => pin.identity === identity).map(({digest}) => digest))
  }

  #rejection(
    summary: PackageSummary,
    preferred: readonly Preference[],
    roots: readonly Root[],
  ): {reason: string; rule: string} | undefined {
    const isPreferred = preferred.some(({tag}) => tag === summary.tag)
    const exclusion = this.#exclusionOf(summary)
    if (exclusion !== undefined && !(exclusion.kind === 'yanked' && isPreferred)) {
      const {kind, reason} = exclusion
      return {reason: kind === 'yanked' ? `it was yanked: ${reason}` : reason, rule: `${kind}-version`}
    }
    if (isStable(summary.tag) || isPreferred) return undefined
    if (roots.some(root => isNamedBy(root, summary))) return undefined
    return {reason: 'it is not a stable version and was not requested by its tag', rule: 'unstable-version'}
  }

  #exclusionOf({identity, tag, digest}: PackageSummary): ExcludedVersion | undefined {
    const excluded = this.#excluded.get(`${identity}:${tag}`) ?? []
    return excluded.find(version => version.digest === undefined || version.digest === digest)
  }
}

/** Returns one summary for each content: of those that differ in their descriptions, the first by their texts. */
function distinctContents(same: readonly PackageSummary[]): readonly PackageSummary[] {
  const sorted = same
    .map(summary => [summaryText(summary), summary] as const)
    .sort(([a], [b]) => compareText(b, a))
  return [...new Map(sorted.map(([, summary]) => [contentText(summary), summary])).values()]
}

/** Explains why versions with the same tag are rejected: which of them is right is unknown until they are read. */
function twinReason(twins: readonly PackageSummary[]): string {
  const digests = [...new Set(twins.flatMap(({digest}) => digest ?? []))].sort()
  const which = digests.length === 0 ? '' : `: ${digests.join(', ')}`
  const claim =
    digests.length === 1
      ? 'index entries of this tag contradict each other'
      : 'packages with different content have this tag'
  return `${twins.length} ${claim}${which}`
}

function otherDigest({digest = 'a folder'}: PackageSummary): string {
  return `${digest} also has this tag, but another digest was requested or locked`
}

function include(sets: Map<string, Set<string>>, key: string, member: string): void {
  const members = sets.get(key)
  if (members === undefined) sets.set(key, new Set([member]))
  else members.add(member)
}

function isNamedBy({requirement}: Root, {identity, tag, digest}: PackageSummary): boolean {
  if (requirement.form !== 'package' || requirement.identity !== identity) return false
  return requirement.digest === undefined ? requirement.tag === tag : requirement.digest === digest
}

const PREFERENCES: readonly Preference['because'][] = ['locked', 'installed']

/** Ranks locked versions before installed ones before the rest; those that only a name selects come last. */
function rankOf({tag}: PackageSummary, preferred: readonly Preference[]): number {
  const ranks = preferred
    .filter(preference => preference.tag === tag)
    .map(({because}) => PREFERENCES.indexOf(because))
  if (ranks.length > 0) return Math.min(...ranks)
  return PREFERENCES.length + (isStable(tag) ? 0 : 1)
}
