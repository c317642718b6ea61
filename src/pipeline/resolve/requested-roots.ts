import {CrossplaneError} from '../../errors.js'
import type {LockedPackage} from '../../declaration/lock.js'
import {formatImageName, type ImageName, isDigest, parseImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import type {InstallTarget} from '../../reference/install-target.js'
import {newestStable} from '../../reference/newest-version.js'
import {
  formatPackageReference,
  type PackageReference,
  parsePackageImage,
} from '../../reference/package-reference.js'
import {isInRange} from '../../reference/version-range.js'
import type {Root} from '../../resolve/solver-input.js'
import {type PackageRequirement, parseCrdRequirement} from '../../resolve/requirement.js'
import {readPackage} from '../../unpack/read-package.js'
import {RemoteRepository} from '../locate/remote-repository.js'
import {locatePackage} from '../locate/locate-package.js'
import type {LocatedPackage, LocateOptions, PackagePorts} from '../locate/located-package.js'
import {type Catalog, type OpenPackage, summaryOfOpen} from './catalog.js'
import {type HeldLock, isBinding, lockedPackage} from './held-lock.js'
import type {LockedPackages} from './locked-packages.js'
import type {InstalledPackage, InstalledState} from './installed-packages.js'
import {identifier, type NameRepository} from './repository-names.js'

/** One package or CRD that the user requests. */
export interface Requested {
  readonly target: InstallTarget
  /** A semver range for a package without a tag. */
  readonly range?: string
  readonly asPackage?: string
  readonly namespace?: string
  readonly name?: string
  /** The install whose request this repeats: only its version can change. */
  readonly former?: InstalledPackage
}

/** The roots of a query, and the packages that had to be read to determine them. */
export interface RequestedRoots {
  readonly roots: readonly Root[]
  /** By identity and tag. */
  readonly given: ReadonlyMap<string, GivenPackage>
}

/** A package that was read already; no entry of an index takes its place. */
interface GivenPackage extends OpenPackage {
  readonly identity: string
}

interface RootContext {
  readonly nameOf: NameRepository
  readonly catalog: Pick<Catalog, 'tagsOf'>
  readonly ports: PackagePorts
  readonly lock: HeldLock | undefined
  readonly locked: LockedPackages
  readonly installed: InstalledState | undefined
}

/** Returns roots in the order of the request. Throws as locating and unpacking do. */
export async function rootsOf(
  requested: readonly Requested[],
  context: RootContext,
): Promise<RequestedRoots> {
  const given = new Map<string, GivenPackage>()
  const roots: Root[] = []
  for (const each of requested) {
    const {root, opened} = await rootOf(each, context)
    roots.push(root)
    if (opened !== undefined) given.set(`${opened.identity}:${tagOf(opened)}`, opened)
  }
  return {roots, given}
}

/** The repositories that the user names, with a registry or without. */
export function namedImages({target, asPackage}: Requested): ImageName[] {
  if (target.kind === 'image') return [target.name]
  const name = asPackage === undefined ? undefined : parseImageName(asPackage)
  return name === undefined ? [] : [name]
}

interface ReadRoot {
  readonly root: Root
  readonly opened?: GivenPackage
}

/**
 * If the reference selects exactly one package, it is read at once, so that its diagnostics are reported as its own.
 */
async function rootOf(
  {target, asPackage, range, namespace, name}: Requested,
  context: RootContext,
): Promise<ReadRoot> {
  const place = {namespace, name}
  if (target.kind === 'crd') return {root: {requirement: parseCrdRequirement(target.crd), ...place}}
  const text = formatPackageReference(target)
  const floating = floatingName(target)
  if (floating !== undefined && (await isInCatalog(floating, range, context))) {
    const requirement = {form: 'package', text, identity: context.nameOf(floating), range} as const
    return {root: {requirement, ...place}}
  }
  const opened = await readRoot(target, asPackage, range, context)
  if (opened === undefined) {
    return {root: {requirement: {...unlockedRequirement(target, text, context), range}, ...place}}
  }
  const {identity} = opened
  return {root: {requirement: {form: 'package', text, identity, tag: tagOf(opened)}, ...place}, opened}
}

async function isInCatalog(
  name: ImageName,
  range: string | undefined,
  {catalog, lock, ports}: RootContext,
): Promise<boolean> {
  // A binding lock names the version; its source only decides how its reference is written.
  if (isBinding(lock)) return ports.indexes !== undefined || ports.folder !== undefined
  return newestWithin(await catalog.tagsOf(name), range) !== undefined
}

/** Undefined for a package that a binding lock does not have. */
async function readRoot(
  target: PackageReference,
  asPackage: string | undefined,
  range: string | undefined,
  context: RootContext,
): Promise<GivenPackage | undefined> {
  const {nameOf, ports, lock} = context
  if (target.kind !== 'image')
    return identified(await locatePackage(target, withIdentity(ports, asPackage)), nameOf)
  const known = lockedAs(target.name, range, lock, nameOf)
  if (isBinding(lock)) return known && (await readLocked(target.name, known, context))
  const meant =
    known === undefined
      ? (asInstalled(target, range, context) ?? (await inRange(target, range, ports)))
      : asLocked(target, known)
  const found = await locatePackage(meant, withIdentity(ports, asPackage))
  return identified(asWritten(found, target.name), nameOf)
}

async function readLocked(
  written: ImageName,
  known: LockedPackage,
  {ports, locked}: RootContext,
): Promise<GivenPackage | undefined> {
  const opened = await locked.open(known)
  if (opened === undefined) return undefined
  const reference = referenceOf(written, known, ports)
  return {...opened, located: {...opened.located, reference}, identity: known.identity}
}

function withIdentity(ports: PackagePorts, asPackage: string | undefined): LocateOptions {
  return {...ports, ...(asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)})}
}

function identified(located: LocatedPackage, nameOf: NameRepository): GivenPackage {
  const identity = located.reference === undefined ? located.repositoryPath : nameOf(located.reference)
  return {located, package: readPackage(located.name, located.files), identity}
}

function tagOf(opened: GivenPackage): string {
  return summaryOfOpen(opened, opened.identity).tag
}

/** The requirement of a package that the lock does not have: the solver reports that it is missing. */
function unlockedRequirement(
  target: PackageReference,
  text: string,
  {nameOf}: RootContext,
): PackageRequirement {
  if (target.kind !== 'image') return {form: 'package', text, identity: text}
  const {tag, digest} = target.name
  return {form: 'package', text, identity: nameOf(target.name), tag, digest}
}

/** The name of a reference without tag and digest. */
function floatingName(target: PackageReference): ImageName | undefined {
  if (target.kind !== 'image') return undefined
  return target.name.tag === undefined && target.name.digest === undefined ? target.name : undefined
}

/**
 * Returns the locked version of a reference, unless that version is unlocked or the reference selects another one.
 */
function lockedAs(
  name: ImageName,
  range: string | undefined,
  lock: HeldLock | undefined,
  nameOf: NameRepository,
): LockedPackage | undefined {
  const found = lock === undefined ? undefined : lockedPackage(lock, nameOf(name), identifier(nameOf))
  if (found === undefined || (range !== undefined && !isInRange(found.tag, range))) return undefined
  const isMeant =
    name.digest === undefined ? (name.tag ?? found.tag) === found.tag : name.digest === found.digest
  return isMeant ? found : undefined
}

/** A reference without a version by the tag that the cluster has, unless that is being upgraded. */
function asInstalled(
  target: PackageReference,
  range: string | undefined,
  {installed, nameOf}: RootContext,
): PackageReference | undefined {
  const name = floatingName(target)
  if (installed === undefined || name === undefined || range !== undefined) return undefined
  const identity = nameOf(name)
  const found = installed.packages.find(each => each.identity === identity)
  if (found === undefined || installed.upgraded.has(identity)) return undefined
  return {kind: 'image', name: {...name, tag: found.tag}}
}

/** A reference to the newest version within a range, as its registry has it. Throws `not-found`. */
async function inRange(
  target: PackageReference,
  range: string | undefined,
  {remote, defaultSource}: PackagePorts,
): Promise<PackageReference> {
  if (target.kind !== 'image' || range === undefined) return target
  const name = defaultSource === undefined ? target.name : nameFromSource(target.name, defaultSource)
  const tags = await new RemoteRepository(name, remote).tags()
  const tag = newestWithin(tags, range)
  if (tag !== undefined) return {kind: 'image', name: {...target.name, tag}}
  const newest = newestStable(tags)
  throw new CrossplaneError(
    'not-found',
    `cannot select a version of ${formatImageName(name)}: none is within ${range}${newest === undefined ? '' : `, and the newest is ${newest}`}`,
    {suggestions: [`List its versions: kubectl crossplane package versions ${formatImageName(name)}`]},
  )
}

/** The newest stable version, within a range if there is one. */
function newestWithin(tags: readonly string[], range: string | undefined): string | undefined {
  return newestStable(range === undefined ? tags : tags.filter(tag => isInRange(tag, range)))
}

/** A reference by the tag and digest that are locked: a moved tag does not break a lock. */
function asLocked(target: PackageReference, locked: LockedPackage | undefined): PackageReference {
  if (target.kind !== 'image' || locked === undefined || target.name.digest !== undefined) return target
  const {tag, digest} = locked
  return {
    kind: 'image',
    name: {...target.name, tag, ...(digest !== undefined && isDigest(digest) ? {digest} : {})},
  }
}

/** The digest of the lock is not written into references: the same bytes are rendered with and without a lock. */
function asWritten(located: LocatedPackage, {digest}: ImageName): LocatedPackage {
  if (located.reference === undefined || digest !== undefined) return located
  const {digest: _locked, ...reference} = located.reference
  return {...located, reference, name: formatImageName(reference)}
}

function referenceOf(written: ImageName, {tag}: LockedPackage, {defaultSource}: PackagePorts): ImageName {
  const name = defaultSource === undefined ? written : nameFromSource(written, defaultSource)
  return name.digest === undefined ? {...name, tag} : name
}
