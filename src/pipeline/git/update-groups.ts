import type {Declaration} from '../../declaration/declaration.js'
import type {Lock} from '../../declaration/lock.js'
import type {OutdatedPackage} from '../../package/reports.js'
import type {GitQuery} from './git-request.js'
import {declaredEntries} from '../../plan/declaration/declared-names.js'
import {compareText} from '../../reference/compare-text.js'
import {present} from '../../present.js'
import {isNewer, newestStable} from '../../reference/newest-version.js'
import {isWithin, type UpdateStep} from '../../reference/version-step.js'

/** How packages are grouped: each group becomes one branch. */
export const GROUPINGS = ['family', 'package', 'all'] as const
type Grouping = (typeof GROUPINGS)[number]

/** A package whose version changes: tags, or digests of packages without one; `none` for a package that comes or goes. */
export interface MovedPackage {
  readonly package: string
  readonly from: string
  readonly to: string
}

/** A package that can be updated. */
interface UpdateCandidate extends MovedPackage {
  /** What `package upgrade` takes: with a tag to move the pin. */
  readonly word: string
}

/** Packages that are updated together. */
export interface UpdateGroup {
  /** The repository of one of them, or `all`. */
  readonly name: string
  readonly packages: readonly UpdateCandidate[]
  /** What `package upgrade` takes: these and members of the family that the others can move. */
  readonly words: readonly string[]
  /** What is done instead of an upgrade. */
  readonly request?: GitQuery['request']
}

/** A package that has a newer version and is not updated. */
export interface WaitingPackage {
  readonly package: string
  readonly locked: string
  readonly newest?: string
  readonly reason: string
}

/** A home and how its packages are updated. */
export interface GroupQuery {
  readonly declaration: Pick<Declaration, 'packages' | 'defaultSource' | 'hold'>
  readonly lock: Lock
  readonly by: Grouping
  /** The largest step of an update. */
  readonly within: UpdateStep
  /** The repositories to update; none for all. */
  readonly names: readonly string[]
  /** The tags that were not offered, by repository. */
  readonly refused?: ReadonlyMap<string, ReadonlySet<string>>
}

/** Returns the locked tags, by repository. */
export function lockedTags({packages, xpkgs = []}: Lock): ReadonlyMap<string, string> {
  return new Map([
    ...packages.map(({identity, tag}) => [identity, tag] as const),
    ...xpkgs.flatMap(({repository, tag}) => (tag === undefined ? [] : [[repository, tag] as const])),
  ])
}

/** The groups of the requested packages, those of others, and what is not updated. */
interface UpdateGroups {
  readonly groups: readonly UpdateGroup[]
  readonly others: readonly UpdateGroup[]
  readonly waiting: readonly WaitingPackage[]
}

/** Groups the packages of a report, and says why others are not updated. */
export function updateGroups(report: readonly OutdatedPackage[], query: GroupQuery): UpdateGroups {
  const {declaration, lock, by, names} = query
  const pins = pinsOf(declaration)
  const judged = report.map(one => ({one, candidate: candidateOf(one, pins, query)}))
  const candidates = judged.flatMap(({candidate}) => (typeof candidate === 'string' ? [] : [candidate]))
  const waiting = judged.flatMap(({one, candidate}) =>
    typeof candidate === 'string' ? [waitingPackage(one, candidate)] : [],
  )
  const families = by === 'family' ? familiesOf(lock) : new Map<string, string>()
  const nameOf = (repository: string) => (by === 'all' ? 'all' : (families.get(repository) ?? repository))
  const requested = new Set(names.map(nameOf))
  const groups = new Map<string, UpdateCandidate[]>()
  for (const candidate of candidates) {
    const name = nameOf(candidate.package)
    groups.set(name, [...(groups.get(name) ?? []), candidate])
  }
  // What is held back alone can move with the others of its family.
  const following = (name: string) =>
    report.flatMap(one =>
      one.status === 'held-back' && nameOf(one.package) === name && isFree(one.package, pins, declaration)
        ? [one.package]
        : [],
    )
  const all = [...groups]
    .sort(([one], [other]) => compareText(one, other))
    .map(([name, packages]) => ({
      name,
      packages,
      words: [...packages.map(({word}) => word), ...following(name)],
    }))
  const isRequested = ({name}: UpdateGroup) => requested.size === 0 || requested.has(name)
  return {
    groups: all.filter(isRequested),
    others: all.filter(group => !isRequested(group)),
    waiting: [
      ...waiting.filter(({package: name}) => query.refused?.has(name) !== true),
      ...refusedPackages(query),
    ].sort((one, other) => compareText(one.package, other.package)),
  }
}

/** The packages with a newer version that is not offered. */
function refusedPackages(query: GroupQuery): readonly WaitingPackage[] {
  const {lock, declaration, within, refused = new Map<string, Set<string>>()} = query
  const tags = lockedTags(lock)
  return [...refused].flatMap(([name, versions]) => {
    const locked = tags.get(name) ?? ''
    const newest = newestStable([...versions])
    if (newest === undefined || !isNewer(newest, locked)) return []
    const hold = declaration.hold?.[name]
    const reason = hold === undefined ? refusal(locked, newest, within) : `hold: ${hold}`
    return [{package: name, locked, newest, reason}]
  })
}

/** Joins the reasons of each package: newer versions can wait for others than the one that would be selected. */
export function joinedWaiting(waiting: readonly WaitingPackage[]): readonly WaitingPackage[] {
  const joined = new Map<string, WaitingPackage>()
  for (const one of waiting) {
    const before = joined.get(one.package)
    joined.set(one.package, before === undefined ? one : joinedReasons(before, one))
  }
  return [...joined.values()].sort((one, other) => compareText(one.package, other.package))
}

function joinedReasons(one: WaitingPackage, other: WaitingPackage): WaitingPackage {
  if (one.newest === other.newest && one.reason === other.reason) return one
  const isFirst =
    other.newest === undefined || (one.newest !== undefined && !isNewer(other.newest, one.newest))
  const [first, second] = isFirst ? [one, other] : [other, one]
  return {
    ...first,
    reason: `${first.reason}; ${second.newest ?? 'an older version'} is not selected: ${second.reason}`,
  }
}

/** How the declaration restricts its packages, by repository. */
type Pins = ReadonlyMap<string, 'tag' | 'digest' | 'range'>

function pinsOf({packages, defaultSource}: GroupQuery['declaration']): Pins {
  return new Map(
    declaredEntries({packages}, defaultSource).all.flatMap(({identity, image: {tag, digest}, range}) => {
      const pin =
        digest !== undefined
          ? 'digest'
          : tag !== undefined
            ? 'tag'
            : range !== undefined
              ? 'range'
              : undefined
      return pin === undefined ? [] : [[identity, pin] as const]
    }),
  )
}

function isFree(repository: string, pins: Pins, {hold = {}}: GroupQuery['declaration']): boolean {
  return !pins.has(repository) && !Object.hasOwn(hold, repository)
}

/** The update of a package, or why there is none. */
function candidateOf(
  {package: repository, locked: from, fits, newest, status, reason = ''}: OutdatedPackage,
  pins: Pins,
  {declaration: {hold = {}}}: GroupQuery,
): UpdateCandidate | string {
  if (Object.hasOwn(hold, repository)) return `hold: ${hold[repository]}`
  if (status === 'outdated') {
    if (fits === undefined) return 'no package requires it any more: package lock removes it'
    return {package: repository, from, to: fits, word: repository}
  }
  if (status !== 'pinned' || newest === undefined) return reason
  const pin = pins.get(repository)
  if (pin === 'digest') return 'the declaration pins a digest'
  if (pin !== 'tag') return `the declaration restricts it: ${reason}`
  return {package: repository, from, to: newest, word: `${repository}:${newest}`}
}

/** Returns the packages of a group whose tags are in the declaration. */
export function tagged({packages}: UpdateGroup): UpdateGroup['packages'] {
  return packages.filter(one => one.word !== one.package)
}

/** A group whose packages fit, unless none of them can be updated, and those of which a newer version does not fit. */
export interface FittingGroup {
  readonly group?: UpdateGroup
  readonly waiting: readonly WaitingPackage[]
}

/** Returns a group with the versions that fit where its packages have no tags. */
export function withFitting(group: UpdateGroup, report: readonly OutdatedPackage[]): FittingGroup {
  const outdated = new Map(report.map(one => [one.package, one]))
  const moved = new Map(
    tagged(group).map(one => {
      const {fits = one.from} = outdated.get(one.package) ?? {}
      const isMoved = isNewer(fits, one.from)
      return [one.word, isMoved ? {...one, to: fits, word: `${one.package}:${fits}`} : undefined] as const
    }),
  )
  const packages = group.packages.flatMap(one => (moved.has(one.word) ? (moved.get(one.word) ?? []) : [one]))
  const words = group.words.flatMap(word => (moved.has(word) ? (moved.get(word)?.word ?? []) : [word]))
  const isNewest = (one: UpdateCandidate) => packages.some(({word}) => word === one.word)
  return {
    ...present({group: packages.length === 0 ? undefined : {...group, packages, words}}),
    waiting: tagged(group)
      .filter(one => !isNewest(one))
      .map(({package: name, from, to}) => {
        const reason = outdated.get(name)?.reason ?? `${to} does not fit the other packages`
        return waitingPackage({package: name, locked: from, newest: to}, reason)
      }),
  }
}

function waitingPackage(
  {package: repository, locked, newest}: Pick<OutdatedPackage, 'package' | 'locked' | 'newest'>,
  reason: string,
): WaitingPackage {
  return {package: repository, locked, ...(newest === undefined ? {} : {newest}), reason}
}

/**
 * Returns the family of each package that has one: providers that require each other, as the members of a family require the
 * one that configures them. A family has the name of that one.
 */
function familiesOf({xpkgs = []}: Lock): ReadonlyMap<string, string> {
  const providers = xpkgs.filter(({kind}) => kind === 'Provider')
  const names = new Set(providers.map(({repository}) => repository))
  const families = new Map<string, string>()
  for (const {repository, requires} of providers) {
    for (const required of Object.keys(requires)
      .filter(name => names.has(name))
      .sort(compareText)) {
      const [mine, theirs] = [families.get(repository), families.get(required) ?? required]
      families.set(required, theirs)
      if (mine === undefined) families.set(repository, theirs)
      else for (const [name, family] of families) if (family === mine) families.set(name, theirs)
    }
  }
  return families
}

function refusal(locked: string, newest: string, within: UpdateStep): string {
  return isWithin(locked, newest, within)
    ? 'it has been known for less than --min-age'
    : `the update is larger than --within ${within}`
}

/** Returns the packages of a group as waiting for versions that were not offered, of the ones that all of them together need. */
export function waitingGroup(
  {packages}: UpdateGroup,
  moved: readonly MovedPackage[],
  query: Pick<GroupQuery, 'declaration' | 'lock' | 'within'> & {
    readonly refused: ReadonlyMap<string, ReadonlySet<string>>
  },
): readonly WaitingPackage[] {
  const {declaration, lock, within, refused} = query
  const tags = lockedTags(lock)
  const reasons = moved.flatMap(({package: name, to}) => {
    if (refused.get(name)?.has(to) !== true) return []
    const hold = declaration.hold?.[name]
    const cause = hold === undefined ? refusal(tags.get(name) ?? to, to, within) : `hold: ${hold}`
    return [`it requires ${name} ${to}, which is not selected: ${cause}`]
  })
  const [reason] = reasons
  if (reason === undefined) return []
  return packages.map(one => waitingPackage({package: one.package, locked: one.from, newest: one.to}, reason))
}

/** Returns the packages that have another version in a new lock, also those that others require. */
export function movedPackages(before: Lock, after: Lock): readonly MovedPackage[] {
  const versions = (lock: Lock) =>
    new Map([
      ...lock.packages.map(({identity, tag}) => [identity, tag] as const),
      ...(lock.xpkgs ?? []).map(({repository, tag, digest = ''}) => [repository, tag ?? digest] as const),
    ])
  const [old, next] = [versions(before), versions(after)]
  return [...new Set([...old.keys(), ...next.keys()])].flatMap(name => {
    const [from = 'none', to = 'none'] = [old.get(name), next.get(name)]
    return from === to ? [] : [{package: name, from, to}]
  })
}
