import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError, type ErrorCode} from '../errors.js'
import {type FormatName, formatOf} from '../locate/expect-format.js'
import {locatePackage, rejectSecondName} from '../locate/locate-package.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import {expectSpelled} from '../locate/near-names.js'
import {withPackages} from '../locate/package-sources.js'
import {present} from '../present.js'
import type {ImageName} from '../reference/image-name.js'
import {nameFromSource} from '../reference/image-source.js'
import {compareVersions, isStable, newestStable} from '../reference/newest-version.js'
import {type PackageReference, parsePackageImage} from '../reference/package-reference.js'
import type {RequestedInstall} from '../render/requested-install.js'
import {isExclusion} from '../resolve/exclusions.js'
import {isAllowedSource} from '../resolve/packages/source-policy.js'
import type {HeldLock} from '../resolve/lock/held-lock.js'
import type {ReadDeclaration} from '../pipeline/request/given-settings.js'
import type {ReadRequest} from '../pipeline/request/read-request.js'
import {identityOf, repositoryName} from '../reference/repository-name.js'
import {RemoteRepository} from '../locate/remote-repository.js'
import {withDeclaredPlaces} from '../pipeline/request/declared-places.js'
import {count} from '../text.js'
import type {crdOwner} from './crd-owner.js'
import {expectApplicable} from './expect-applicable.js'
import type {RecognizedInstall, RecognizedRequest} from './format.js'

/**
 * Recognizes the packages of a request by their content, of which as little as possible is read: the lock, the folder
 * and the indexes before a registry. One that cannot be read is left to the stacks: resolving it reports why.
 */
export async function recognize(request: ReadRequest): Promise<RecognizedRequest> {
  const {requested, policy} = request
  const ports = namedPorts(request)
  const recognized = await Promise.all(
    requested.map(async install => await recognizeInstall(install, ports, policy)),
  )
  const {declaration, isRemoval = false, flagNames = new Set()} = request
  if (!isRemoval) {
    const {defaultSource} = ports
    await withDeclaredPlaces(declaration, () =>
      Promise.resolve(recognized).then(all => expectAvailable(all, defaultSource)),
    )
    // With --git, flags are in the declaration already, on lines that its file does not have.
    expectKnownApplicable(recognized, flagNames)
  }
  const unused =
    declaration === undefined ? [] : await unusedSettings(declaration, recognized, request, ports)
  const partOf = (format: FormatName) =>
    recognized.flatMap(({format: own = 'stack', ...install}) => (own === format ? [install] : []))
  return {...request, parts: {stack: partOf('stack'), xpkg: partOf('xpkg')}, unused}
}

/** Of a removal, returns the settings that go with it; otherwise, they are an error. */
async function unusedSettings(
  declaration: ReadDeclaration,
  recognized: readonly Recognized[],
  {isRemoval = false}: ReadRequest,
  {defaultSource}: PackagePorts,
): Promise<readonly string[]> {
  const {expectEffect, settingsWithoutEffect} = await import('./expect-effect.js')
  if (isRemoval) return settingsWithoutEffect(declaration, recognized)
  expectEffect(declaration, recognized, defaultSource)
  return []
}

/** A package that could not be read can be of any format. */
function expectKnownApplicable(recognized: readonly Recognized[], flagNames: ReadonlySet<string>): void {
  const formats = recognized.flatMap(({format}) => format ?? [])
  if (formats.length < recognized.length) return
  const hasCrd = recognized.some(({requested: {target}}) => target.kind === 'crd')
  expectApplicable(formats, flagNames, hasCrd ? [] : ['owner'])
}

/** Throws the errors of several packages that registries do not have; that of one is left to its resolution. */
function expectAvailable(recognized: readonly Recognized[], defaultSource: string | undefined): void {
  const diagnostics = recognized.flatMap(({requested: {target}, error}): readonly Diagnostic[] => {
    if (error === undefined || target.kind !== 'image') return []
    const subject = {package: repositoryName(target.name, defaultSource)}
    return [{severity: 'error', rule: 'unresolvable', message: error.message, subject}]
  })
  const [first] = recognized.flatMap(({error}) => error ?? [])
  if (first === undefined || diagnostics.length < 2) return
  const message = `cannot read ${count(diagnostics.length, 'package')}`
  const suggestions = [...new Set(recognized.flatMap(({error}) => error?.suggestions ?? []))]
  throw new CrossplaneError(first.code, message, {diagnostics, suggestions})
}

/** Returns the ports of a request, with its default source. */
export function namedPorts({
  policy: {defaultSource},
  packages,
}: Pick<ReadRequest, 'policy' | 'packages'>): PackagePorts {
  return {...packages, ...present({defaultSource: packages.defaultSource ?? defaultSource})}
}

/** Without a format, the package could not be read. */
type Recognized = RecognizedInstall & {
  readonly format: FormatName | undefined
  /** Why no registry has it. */
  readonly error?: CrossplaneError
}

async function recognizeInstall(
  requested: RequestedInstall,
  ports: PackagePorts,
  policy: ReadRequest['policy'],
): Promise<Recognized> {
  const {target, asPackage} = requested
  if (target.kind === 'crd') {
    const owner = await crdOwnerOf(target.crd, ports, policy)
    return owner === undefined ? {requested, format: undefined} : {requested, format: 'xpkg', owner}
  }
  if (target.kind === 'image') {
    rejectSecondName(target.name, asPackage === undefined ? undefined : parsePackageImage(asPackage))
    const format = await formatOfImage(target.name, ports, policy)
    return format instanceof CrossplaneError
      ? {requested, format: undefined, error: format}
      : {requested, format}
  }
  if (await isStackFolder(target, ports)) return {requested, format: 'stack'}
  const name = asPackage === undefined ? undefined : parsePackageImage(asPackage)
  const located = await locatedOrNone(() => locatePackage(target, {...ports, ...present({asPackage: name})}))
  return located === undefined
    ? {requested, format: undefined}
    : {requested, format: formatOf(located), located}
}

/** Loaded here: packages with .registry/ do not need it. */
async function crdOwnerOf(...query: Parameters<typeof crdOwner>): ReturnType<typeof crdOwner> {
  return await (await import('./crd-owner.js')).crdOwner(...query)
}

/** A folder is recognized without reading its files. */
async function isStackFolder({kind, path}: LocalReference, {sources}: PackagePorts): Promise<boolean> {
  if (kind !== 'directory') return false
  const directory = await sources.directory(path).catch(() => undefined)
  return directory !== undefined && (await directory.entry('.registry')).kind !== 'absent'
}

type LocalReference = Exclude<PackageReference, {readonly kind: 'image'}>

async function formatOfImage(
  name: ImageName,
  ports: PackagePorts,
  {lock, teams}: ReadRequest['policy'],
): Promise<FormatName | CrossplaneError | undefined> {
  const locked = lock === undefined ? undefined : formatInLock(name, ports, lock)
  // A binding lock decides alone: no other source may be read.
  if (locked !== undefined || lock?.otherwise === 'reject') return locked
  const inFolder = await formatInFolder(name, ports)
  if (inFolder !== undefined) return inFolder
  const indexed = await formatInIndexes(name, ports)
  if (indexed !== undefined) return indexed
  // Resolving it reports it: the registry is not contacted.
  if (!isAllowedSource(repositoryName(name, ports.defaultSource), teams)) return undefined
  return await formatInRegistry(name, ports)
}

/** How many versions are read besides the newest one. */
const MAX_OLDER = 3

/** A newest version that cannot be read does not show the format, but an older one does. */
async function formatInRegistry(
  name: ImageName,
  ports: PackagePorts,
): Promise<FormatName | CrossplaneError | undefined> {
  // A misspelled name must not reach a registry.
  if (!(await isSpelled(name, ports))) return undefined
  const newest = await formatOrError(() => locateImage(name, ports))
  if (typeof newest === 'string') return newest
  const missing = MISSING.includes(newest.code) ? newest : undefined
  const isNamed = name.tag !== undefined || name.digest !== undefined
  if (isNamed || !isExclusion(newest.code)) return missing
  for (const tag of await olderVersions(name, ports)) {
    const format = await formatOrError(() => locateImage({...name, tag}, ports))
    if (typeof format === 'string') return format
  }
  return missing
}

const MISSING: readonly ErrorCode[] = ['not-found', 'access-denied']

async function isSpelled(name: ImageName, ports: PackagePorts): Promise<boolean> {
  try {
    await expectSpelled(name, ports)
    return true
  } catch (error) {
    if (error instanceof CrossplaneError) return false
    throw error
  }
}

async function locateImage(name: ImageName, ports: PackagePorts): Promise<LocatedPackage> {
  return await locatePackage({kind: 'image', name}, ports)
}

async function olderVersions(
  name: ImageName,
  {defaultSource, remote}: PackagePorts,
): Promise<readonly string[]> {
  const full = defaultSource === undefined ? name : nameFromSource(name, defaultSource)
  // A missing repository has no older versions.
  const tags = await new RemoteRepository(full, remote).tags().catch((error: unknown) => {
    if (error instanceof CrossplaneError) return []
    throw error
  })
  return tags
    .filter(isStable)
    .sort(compareVersions)
    .slice(1, 1 + MAX_OLDER)
}

async function formatOrError(locate: () => Promise<LocatedPackage>): Promise<FormatName | CrossplaneError> {
  try {
    return formatOf(await locate())
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}

function formatInLock(
  name: ImageName,
  {defaultSource}: PackagePorts,
  {lock}: HeldLock,
): FormatName | undefined {
  const repository = repositoryName(name, defaultSource)
  if (lock.xpkgs?.some(xpkg => xpkg.repository === repository) === true) return 'xpkg'
  const identity = identityOf(name, defaultSource)
  return lock.packages.some(locked => locked.identity === identity) ? 'stack' : undefined
}

/** Undefined if the folder does not have the version, or only its content shows its format. */
async function formatInFolder(
  name: ImageName,
  {folder, defaultSource}: PackagePorts,
): Promise<FormatName | undefined> {
  if (name.digest !== undefined) return undefined
  const versions = (await folder?.versions(name, defaultSource)) ?? []
  const tag = name.tag ?? newestStable(withPackages(versions).map(version => version.tag))
  const version = versions.find(other => other.tag === tag)
  if (version?.isXpkg === true) return 'xpkg'
  return version?.at.kind === 'directory' ? 'stack' : undefined
}

/** Undefined for a version that no index has. */
async function formatInIndexes(
  name: ImageName,
  {indexes, defaultSource}: PackagePorts,
): Promise<FormatName | undefined> {
  const identity = identityOf(name, defaultSource)
  const founds = await Promise.all(((await indexes?.()) ?? []).map(index => index.ofPackage(identity)))
  const summaries = founds.flatMap(({summaries: own}) => own)
  const tag = name.tag ?? newestStable(summaries.map(summary => summary.tag))
  const entry = summaries.find(summary => summary.tag === tag)
  if (entry === undefined) return undefined
  return entry.xpkg === undefined ? 'stack' : 'xpkg'
}

async function locatedOrNone(locate: () => Promise<LocatedPackage>): Promise<LocatedPackage | undefined> {
  try {
    return await locate()
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}
