import {type ImageName, parseImageName} from '../../reference/image-name.js'
import type {InstallTarget} from '../../reference/install-target.js'
import {newestStable} from '../../reference/newest-version.js'
import {
  formatPackageReference,
  type PackageReference,
  parsePackageImage,
} from '../../reference/package-reference.js'
import type {Root} from '../../resolve/solver-input.js'
import {parseCrdRequirement} from '../../resolve/requirement.js'
import {readPackage} from '../../unpack/read-package.js'
import {locatePackage} from '../locate/locate-package.js'
import type {PackagePorts} from '../locate/located-package.js'
import {type Catalog, type OpenPackage, summaryOfOpen} from './catalog.js'
import {type HeldLock, lockedTag} from './held-lock.js'
import {identifier, type NameRepository} from './repository-names.js'

/** One thing that is asked for. */
export interface Requested {
  readonly target: InstallTarget
  readonly asPackage?: string
  readonly namespace?: string
  readonly name?: string
}

/** What a question begins with: what is asked for, and the packages that had to be read to know what is meant. */
export interface RequestedRoots {
  readonly roots: readonly Root[]
  /** By identity and tag. */
  readonly given: ReadonlyMap<string, GivenPackage>
}

/** A package that nothing else can take the place of. */
interface GivenPackage extends OpenPackage {
  readonly identity: string
}

interface RootContext {
  readonly nameOf: NameRepository
  readonly catalog: Catalog
  readonly ports: PackagePorts
  readonly lock: HeldLock | undefined
}

/** Roots in the order in which they are asked for. Throws as locating and unpacking do. */
export async function rootsOf(
  requested: readonly Requested[],
  context: RootContext,
): Promise<RequestedRoots> {
  const given = new Map<string, GivenPackage>()
  const roots: Root[] = []
  for (const each of requested) roots.push(await rootOf(each, given, context))
  return {roots, given}
}

/** The repositories that a person names with a registry or without. */
export function namedImages({target, asPackage}: Requested): ImageName[] {
  if (target.kind === 'image') return [target.name]
  const name = asPackage === undefined ? undefined : parseImageName(asPackage)
  return name === undefined ? [] : [name]
}

/** A root, whose package is read first where it is the only one that can be meant: so its faults are told as such. */
async function rootOf(
  {target, asPackage, namespace, name}: Requested,
  given: Map<string, GivenPackage>,
  {nameOf, catalog, ports, lock}: RootContext,
): Promise<Root> {
  const place = {...(namespace === undefined ? {} : {namespace}), ...(name === undefined ? {} : {name})}
  if (target.kind === 'crd') return {requirement: parseCrdRequirement(target.crd), ...place}
  const text = formatPackageReference(target)
  const floating = floatingName(target)
  if (floating !== undefined && newestStable(await catalog.tagsOf(floating)) !== undefined) {
    return {requirement: {form: 'package', text, identity: nameOf(floating)}, ...place}
  }
  const options = {...ports, ...(asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)})}
  const located = await locatePackage(asLocked(target, lock, nameOf), options)
  const opened = {located, package: readPackage(located.name, located.files)}
  const identity = located.reference === undefined ? located.repositoryPath : nameOf(located.reference)
  const {tag} = summaryOfOpen(opened, identity)
  given.set(`${identity}:${tag}`, {...opened, identity})
  return {requirement: {form: 'package', text, identity, tag}, ...place}
}

/** The repository of a reference that leaves open which version is meant. */
function floatingName(target: PackageReference): ImageName | undefined {
  if (target.kind !== 'image') return undefined
  return target.name.tag === undefined && target.name.digest === undefined ? target.name : undefined
}

/** A reference that floats, with the tag by which it is locked, unless it may move. */
function asLocked(
  target: PackageReference,
  lock: HeldLock | undefined,
  nameOf: NameRepository,
): PackageReference {
  const name = floatingName(target)
  if (name === undefined || lock === undefined) return target
  const tag = lockedTag(lock, nameOf(name), identifier(nameOf))
  return tag === undefined ? target : {kind: 'image', name: {...name, tag}}
}
