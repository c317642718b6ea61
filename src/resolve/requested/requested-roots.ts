import type {LockedPackage} from '../../declaration/lock.js'
import {formatSummary} from '../../index/package-summary.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import type {InstallTarget} from '../../reference/install-target.js'
import {
  formatPackageReference,
  type PackageReference,
  parsePackageImage,
} from '../../reference/package-reference.js'
import type {Root} from '../solver-input.js'
import {type PackageRequirement, parseCrdRequirement} from '../requirement.js'
import {readPackage} from '../../unpack/read-package.js'
import {expectFormat} from '../../locate/expect-format.js'
import {locatePackage} from '../../locate/locate-package.js'
import {expectSpelled} from '../../locate/near-names.js'
import type {LocatedPackage, LocateOptions, PackagePorts} from '../../locate/located-package.js'
import {type Catalog, type OpenPackage, summaryOfOpen} from '../catalog/catalog.js'
import {type HeldLock, isBinding} from '../lock/held-lock.js'
import type {LockedPackages} from '../lock/locked-packages.js'
import {missingInFolder} from '../lock/missing-in-folder.js'
import type {InstalledPackage, InstalledState} from './installed-package.js'
import type {NameRepository} from '../repository-names.js'
import {
  asWritten,
  floatingName,
  lockedAs,
  newestWithin,
  selectedReference,
  writtenReference,
} from './selected-reference.js'

/** One package or CRD that the user requests. */
export interface RequestedRoot {
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
  readonly opened: ReadonlyMap<string, GivenPackage>
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
  requested: readonly RequestedRoot[],
  context: RootContext,
): Promise<RequestedRoots> {
  const openedPackages = new Map<string, GivenPackage>()
  const roots: Root[] = []
  for (const request of requested) {
    const {root, opened} = await rootOf(request, context)
    roots.push(root)
    if (opened !== undefined) openedPackages.set(`${opened.identity}:${tagOf(opened)}`, opened)
  }
  return {roots, opened: openedPackages}
}

/** The repositories that the user names, with a registry or without. */
export function namedImages({target, asPackage}: RequestedRoot): ImageName[] {
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
  {target, asPackage, range, namespace, name}: RequestedRoot,
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
  const opened = await readRoot(target, {asPackage, range, namespace}, context)
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
  {asPackage, range, namespace}: Pick<RequestedRoot, 'asPackage' | 'range' | 'namespace'>,
  context: RootContext,
): Promise<GivenPackage | undefined> {
  const {nameOf, ports, lock} = context
  const located = async (reference: PackageReference) =>
    expectFormat(await locatePackage(reference, withIdentity(ports, asPackage)), 'stack')
  if (target.kind !== 'image') return identified(await located(target), nameOf)
  const locked = lockedAs(target.name, range, lock, nameOf)
  if (isBinding(lock)) return locked && (await readLocked(target.name, locked, context))
  if (locked === undefined && !isInstalled(target.name, context)) await expectSpelled(target.name, ports)
  if (lock !== undefined && locked !== undefined)
    await expectAvailable(target.name, locked, {...context, lock})
  const selected = await selectedReference(target, range, locked, {...context, namespace})
  return identified(asWritten(await located(selected), target.name), nameOf)
}

/** Without a digest, only a folder or an index can have the locked version. Throws `not-found`. */
async function expectAvailable(
  name: ImageName,
  {identity, tag, digest}: LockedPackage,
  {catalog, ports, lock}: RootContext & {readonly lock: HeldLock},
): Promise<void> {
  if (digest !== undefined || (await catalog.tagsOf(name)).includes(tag)) return
  throw missingInFolder(formatSummary({identity, tag}), identity, lock, ports.folder !== undefined)
}

function isInstalled(name: ImageName, {installed, nameOf}: RootContext): boolean {
  return installed?.packages.some(({identity}) => identity === nameOf(name)) === true
}

async function readLocked(
  requested: ImageName,
  lockedPackage: LockedPackage,
  {ports, locked}: RootContext,
): Promise<GivenPackage | undefined> {
  const opened = await locked.open(lockedPackage)
  if (opened === undefined) return undefined
  const reference = writtenReference(requested, lockedPackage, ports)
  return {...opened, located: {...opened.located, reference}, identity: lockedPackage.identity}
}

function withIdentity(ports: PackagePorts, asPackage: string | undefined): LocateOptions {
  return {...ports, ...(asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)})}
}

function identified(located: LocatedPackage, nameOf: NameRepository): GivenPackage {
  const identity = located.reference === undefined ? located.repositoryPath : nameOf(located.reference)
  return {located, package: readPackage(located.name, located.files, located.folder), identity}
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
