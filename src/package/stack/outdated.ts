import type {LockedPackage} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {present} from '../../present.js'
import {compareVersions, newestStable} from '../../reference/newest-version.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import {parsePackageReference} from '../../reference/package-reference.js'
import type {PackageRequirement} from '../../resolve/requirement.js'
import type {Resolution} from '../../resolve/resolution.js'
import type {ExcludedVersion, SolverInput} from '../../resolve/solver-input.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {withPackages} from '../../locate/package-sources.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {heldBackStart} from '../../resolve/explain/notes.js'
import {unresolved} from '../../resolve/packages/rejection.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {resolvePackages} from '../../resolve/packages/resolve-packages.js'
import type {RequestedRoot} from '../../resolve/requested/requested-roots.js'
import type {OutdatedPackage, OutdatedReport} from '../reports.js'

/** A version to compare: of a lock, or of a cluster. */
type KnownVersion = Pick<LockedPackage, 'identity' | 'tag' | 'digest'>

/** Compares a lock with the resolution in which all of its packages are unlocked. Throws as `resolvePackages` does. */
export async function outdated(
  requested: readonly RequestedRoot[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<OutdatedReport> {
  const {lock: heldLock, ...free} = policy
  if (heldLock === undefined) throw new RangeError('a lock is required')
  const {packages} = heldLock.lock
  const unlocked = (kept: ReadonlySet<string>) => {
    const others = packages.map(({identity}) => identity).filter(identity => !kept.has(identity))
    const upgraded = kept.size === 0 ? ('all' as const) : others
    return {...free, lock: {...heldLock, upgraded, otherwise: 'take' as const}}
  }
  return await comparedVersions(packages, requested, unlocked, ports)
}

/**
 * Compares versions with those that a request resolves to. Throws as `resolvePackages` does.
 * @param policyOf - what decides where the versions of some packages are kept.
 */
export async function comparedVersions(
  versions: readonly KnownVersion[],
  requested: readonly RequestedRoot[],
  policyOf: (kept: ReadonlySet<string>) => ResolutionPolicy,
  ports: PackagePorts,
): Promise<OutdatedReport> {
  const {input, resolution} = await resolvedAround(versions, new Set(), policyOf, requested, ports)
  const pins = new Map(pinsIn(input).map(pin => [pin.identity, pin]))
  const compared = await Promise.all(
    versions.map(async locked => {
      const pin = pins.get(locked.identity)
      const tags = [...offeredTags(locked.identity, input), ...(await publishedTags(pin, input, ports))]
      return comparison(locked, {input, resolution, pin, newest: newestStable(tags)})
    }),
  )
  const packages = compared.flatMap(outdatedPackage =>
    outdatedPackage === undefined ? [] : withoutAbsent(outdatedPackage),
  )
  const notes = resolution.notes.filter(({rule}) => rule !== 'held-back')
  return {packages, current: versions.length - packages.length, notes}
}

/** Resolves a request. Where only versions that were yanked satisfy it, those in use are kept: they are what there is to report. */
async function resolvedAround(
  versions: readonly KnownVersion[],
  kept: ReadonlySet<string>,
  policyOf: (kept: ReadonlySet<string>) => ResolutionPolicy,
  requested: readonly RequestedRoot[],
  ports: PackagePorts,
): Promise<Pick<Available, 'input' | 'resolution'>> {
  const policy = policyOf(kept)
  // Notes on what is held back are the reasons of the report.
  const acknowledged = {...policy.acknowledged, 'held-back': []}
  const result = await resolvePackages(requested, {...policy, acknowledged}, ports)
  if (result.kind !== 'rejected') return result
  const yanked = versions.filter(({identity, tag}) =>
    result.diagnostics.some(
      ({rule, subject}) => rule === 'yanked-version' && subject?.package === identity && subject.tag === tag,
    ),
  )
  const more = new Set([...kept, ...yanked.map(({identity}) => identity)])
  if (more.size === kept.size) throw unresolved(result)
  return await resolvedAround(versions, more, policyOf, requested, ports)
}

/** Omits absent fields: the documents have no null. */
function withoutAbsent(outdatedPackage: OutdatedPackage): OutdatedPackage {
  const present = Object.entries(outdatedPackage).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as unknown as OutdatedPackage
}

interface Available {
  readonly input: SolverInput
  readonly resolution: Resolution
  /** The root that restricts the package, if any. */
  readonly pin: PackageRequirement | undefined
  readonly newest: string | undefined
}

/** Undefined for a package that is up to date. */
function comparison(locked: KnownVersion, available: Available): OutdatedPackage | undefined {
  const {input, resolution, newest} = available
  const {identity, tag} = locked
  const fitting = resolution.packages.find(({summary}) => summary.identity === identity)?.summary
  const yank = yankOf(locked, input)
  const versions = {package: identity, locked: tag, fits: fitting?.tag, newest}
  const block = fitting && blockOf(fitting, available)
  if (fitting === undefined || !isSameVersion(locked, fitting)) {
    const reason = yank && `${tag} was yanked: ${yank.reason}`
    return {...versions, ...(reason === undefined ? block : {reason}), status: 'outdated'}
  }
  if (yank !== undefined) return {...versions, status: 'yanked', reason: yank.reason}
  return block && {...versions, ...block}
}

/** A tag can be published again with other bytes. */
function isSameVersion({tag, digest}: KnownVersion, fitting: PackageSummary): boolean {
  const isSameBytes = digest === undefined || fitting.digest === undefined || digest === fitting.digest
  return tag === fitting.tag && isSameBytes
}

type Block = Pick<OutdatedPackage, 'status' | 'reason' | 'heldBackBy'>

/** Undefined for the newest version. */
function blockOf({identity, tag}: PackageSummary, {pin, resolution, newest}: Available): Block | undefined {
  if (newest === undefined || compareVersions(newest, tag) >= 0) return undefined
  if (pin !== undefined)
    return {status: 'pinned', reason: pinReason(pin), heldBackBy: {requirement: pinText(pin)}}
  return {status: 'held-back', ...heldBack(identity, resolution)}
}

function pinReason({text, range}: PackageRequirement): string {
  return range === undefined ? `${text} is requested` : `${text} is requested within ${range}`
}

function pinText({text, range}: PackageRequirement): string {
  return range === undefined ? text : `${text} ${range}`
}

function heldBack(identity: string, {notes, packages}: Resolution): Omit<Block, 'status'> {
  const note = notes.find(({rule, subject}) => rule === 'held-back' && subject?.package === identity)
  const selected = packages.find(({summary}) => summary.identity === identity)
  if (note === undefined || selected === undefined) return {}
  const {tag = '', requirement, requiredBy} = note.subject ?? {}
  const start = heldBackStart(formatSummary(selected.summary), tag)
  const reason = note.message.slice(note.message.startsWith(start) ? start.length : 0)
  return {reason, heldBackBy: requirement === undefined ? undefined : present({requirement, requiredBy})}
}

/** Roots that restrict their package to a tag, a digest or a range. */
function pinsIn({roots}: SolverInput): PackageRequirement[] {
  return roots.flatMap(({requirement}) => {
    if (requirement.form !== 'package') return []
    const isImage = parsePackageReference(requirement.text).kind === 'image'
    return isImage && (requirement.range !== undefined || isPinned(requirement.text)) ? [requirement] : []
  })
}

/** Reports whether a reference, as it was written, has a tag or digest. */
export function isPinned(text: string): boolean {
  return /[:@]/.test(text.slice(text.lastIndexOf('/') + 1))
}

function yankOf({identity, tag, digest}: KnownVersion, {excluded}: SolverInput): ExcludedVersion | undefined {
  return excluded.find(
    version =>
      version.kind === 'yanked' &&
      version.identity === identity &&
      version.tag === tag &&
      (version.digest === undefined || version.digest === digest),
  )
}

function offeredTags(of: string, {summaries, excluded}: SolverInput): string[] {
  const yanked = excluded.filter(({kind, identity}) => kind === 'yanked' && identity === of)
  const isOffered = ({tag, digest}: PackageSummary) =>
    !yanked.some(
      version => version.tag === tag && (version.digest === undefined || version.digest === digest),
    )
  return summaries.filter(summary => summary.identity === of && isOffered(summary)).map(({tag}) => tag)
}

/** Lists the tags of a pinned package that no index and no folder lists, from its registry. */
async function publishedTags(
  pin: PackageRequirement | undefined,
  {summaries}: SolverInput,
  ports: PackagePorts,
): Promise<readonly string[]> {
  const name = pin && parseImageName(pin.identity)
  if (pin === undefined || name === undefined) return []
  const isListed = summaries.filter(({identity}) => identity === pin.identity).length > 1
  if (isListed || withPackages((await ports.folder?.versions(name)) ?? []).length > 0) return []
  const {offers = () => true} = ports
  return (await tagsIn(name, ports)).filter(tag => offers(pin.identity, tag))
}

async function tagsIn(name: ImageName, {remote}: PackagePorts): Promise<readonly string[]> {
  try {
    return await new RemoteRepository(name, remote).tags()
  } catch (error) {
    if (error instanceof CrossplaneError && UNKNOWN.includes(error.code)) return []
    throw error
  }
}

/** Failures after which no newer version is known. */
const UNKNOWN: readonly string[] = ['not-found', 'access-denied', 'offline']
