import type {LockedPackage} from '../../declaration/lock.js'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import {formatImageName, type ImageName, isDigest} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {compareVersions, newestStable} from '../../reference/newest-version.js'
import type {PackageReference} from '../../reference/package-reference.js'
import {isInRange} from '../../reference/version-range.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {withPackages} from '../../locate/package-sources.js'
import {escaped, listSome} from '../../text.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {type HeldLock, lockedPackage} from '../lock/held-lock.js'
import type {InstalledState} from './installed-package.js'
import {identifier, type NameRepository} from '../repository-names.js'

/** What decides which version of a requested package is read. */
interface SelectionContext {
  readonly nameOf: NameRepository
  readonly ports: PackagePorts
  readonly installed: InstalledState | undefined
}

/** The name of a reference without tag and digest. */
export function floatingName(target: PackageReference): ImageName | undefined {
  if (target.kind !== 'image') return undefined
  return target.name.tag === undefined && target.name.digest === undefined ? target.name : undefined
}

/**
 * Returns the locked version of a reference, unless that version is unlocked or the reference selects another one.
 */
export function lockedAs(
  name: ImageName,
  range: string | undefined,
  lock: HeldLock | undefined,
  nameOf: NameRepository,
): LockedPackage | undefined {
  const locked = lock === undefined ? undefined : lockedPackage(lock, nameOf(name), identifier(nameOf))
  if (locked === undefined || (range !== undefined && !isInRange(locked.tag, range))) return undefined
  const isMeant =
    name.digest === undefined ? (name.tag ?? locked.tag) === locked.tag : name.digest === locked.digest
  return isMeant ? locked : undefined
}

/**
 * Returns the reference that is read for a requested one: that of the locked version, else of the installed one, else of
 * the newest version within a range. Throws `not-found`.
 */
export async function selectedReference(
  target: PackageReference,
  range: string | undefined,
  locked: LockedPackage | undefined,
  {namespace, ...context}: SelectionContext & {readonly namespace: string | undefined},
): Promise<PackageReference> {
  if (locked !== undefined) return asLocked(target, locked)
  return asInstalled(target, range, {...context, namespace}) ?? (await inRange(target, range, context.ports))
}

/** A reference without a version by the tag that the cluster has, unless that is being upgraded. */
function asInstalled(
  target: PackageReference,
  range: string | undefined,
  {
    installed,
    nameOf,
    namespace,
  }: Pick<SelectionContext, 'installed' | 'nameOf'> & {readonly namespace: string | undefined},
): PackageReference | undefined {
  const name = floatingName(target)
  if (installed === undefined || name === undefined || range !== undefined) return undefined
  const identity = nameOf(name)
  const ours = installed.packages.filter(
    installedPackage => installedPackage.identity === identity && installedPackage.inventory !== undefined,
  )
  const own = ours.find(installedPackage => installedPackage.namespace === namespace) ?? ours[0]
  if (own === undefined || installed.upgraded.has(identity)) return undefined
  return {kind: 'image', name: {...name, tag: own.tag}}
}

/** A reference to the newest version within a range, as its registry has it. Throws `not-found`. */
async function inRange(
  target: PackageReference,
  range: string | undefined,
  {remote, folder, defaultSource}: PackagePorts,
): Promise<PackageReference> {
  if (target.kind !== 'image' || range === undefined) return target
  const name = defaultSource === undefined ? target.name : nameFromSource(target.name, defaultSource)
  const tags = await tagsIn(name, range, {remote, folder})
  const tag = newestWithin(tags, range)
  if (tag !== undefined) return {kind: 'image', name: {...target.name, tag}}
  const newest = newestStable(tags)
  throw new CrossplaneError(
    'not-found',
    `cannot select a version of ${formatImageName(name)}: none is within ${range}${newest === undefined ? '' : `, and the newest is ${newest}`}`,
    {suggestions: [`List its versions: kubectl crossplane package versions ${formatImageName(name)}`]},
  )
}

/** The tags in the registry; its errors name the package, the range, and the versions of the folder. */
async function tagsIn(
  name: ImageName,
  range: string,
  {remote, folder, defaultSource}: Pick<PackagePorts, 'remote' | 'folder' | 'defaultSource'>,
): Promise<readonly string[]> {
  try {
    return await new RemoteRepository(name, remote).tags()
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const local = withPackages((await folder?.versions(name, defaultSource)) ?? [])
      .map(({tag}) => tag)
      .sort(compareVersions)
    const has =
      local.length === 0
        ? ''
        : `the folder given with --packages has only ${listSome(local.map(escaped))}, and `
    const message = `cannot select a version of ${formatImageName(name)} within ${range}: ${has}${error.message}`
    throw withSuggestions(error, [], message)
  }
}

/** The newest stable version, within a range if there is one. */
export function newestWithin(tags: readonly string[], range: string | undefined): string | undefined {
  return newestStable(range === undefined ? tags : tags.filter(tag => isInRange(tag, range)))
}

/** A reference by the tag and digest that are locked: a moved tag does not break a lock. */
function asLocked(target: PackageReference, {tag, digest}: LockedPackage): PackageReference {
  if (target.kind !== 'image' || target.name.digest !== undefined) return target
  return {
    kind: 'image',
    name: {...target.name, tag, ...(digest !== undefined && isDigest(digest) ? {digest} : {})},
  }
}

/** The digest of the lock is not written into references: the same bytes are rendered with and without a lock. */
export function asWritten(located: LocatedPackage, {digest}: ImageName): LocatedPackage {
  if (located.reference === undefined || digest !== undefined) return located
  const {digest: _locked, ...reference} = located.reference
  return {...located, reference, name: formatImageName(reference)}
}

/** The reference of a locked package as the user wrote it, with the locked tag. */
export function writtenReference(
  requested: ImageName,
  {tag}: LockedPackage,
  {defaultSource}: PackagePorts,
): ImageName {
  const name = defaultSource === undefined ? requested : nameFromSource(requested, defaultSource)
  return name.digest === undefined ? {...name, tag} : name
}
