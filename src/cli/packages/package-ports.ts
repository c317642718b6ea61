import {relative} from 'node:path'
import {parsePlatform} from '../../fetch/platform.js'
import {CrossplaneError} from '../../errors.js'
import type {LocalNames, PackagePorts} from '../../locate/located-package.js'
import type {RemotePackages} from '../../locate/remote-repository.js'
import type {FoundDeclaration} from '../../pipeline/doctor/declared-sources.js'
import type {DeclaredSources, RequestPorts} from '../../pipeline/request/read-request.js'
import {withPreceding} from '../../reference/mirrors.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {packageFlags} from '../sources/package-flags.js'
import type {pullFlags} from '../sources/pull-flags.js'
import {givenNames, type IndexFlagValue, indexNames} from '../sources/index-name.js'
import {nearestDeclaration} from '../sources/default-declaration.js'
import {checkedSource} from '../sources/default-source.js'
import {givenMirrors} from '../sources/given-mirrors.js'
import type {Progress} from '../shell/progress/step-event.js'
import {cryptography, packageSources, ruleEngine} from '../wire.js'
import {openSurfaces, packageCache} from '../cache/package-cache.js'
import {inputFiles} from '../files/input-files.js'
import {indexOpener} from '../sources/indexes.js'
import {type PackageBases, packageFolderAt} from '../sources/package-folder.js'
import {registries, type RegistryReporter} from '../registry/registries.js'
import {reportedSources} from '../shell/progress/reported-waits.js'
import {clockBudget} from './solve-budget.js'

/** The progress of pulls, and the credentials for them besides those of the user. */
type PullProgress = Progress & Pick<RegistryReporter, 'credentials'>

type PullFlags = FlagValues<typeof pullFlags>

/** Flags that name a folder of packages, and the platform to read of each. */
export type PlaceFlags = Pick<FlagValues<typeof packageFlags>, 'packages' | 'platform'> & {
  /** From the environment it is one text, despite the flag's type. */
  readonly 'packages-base'?: string | readonly string[]
}

/** The ports of a command that resolves packages. */
export function requestPorts(
  flags: PullFlags & IndexFlagValue & PlaceFlags,
  progress: PullProgress,
): RequestPorts {
  // A command can need sources several times; one warning is enough.
  let home: ReturnType<typeof homeSources> | undefined
  const readHome = async () => await (home ??= homeSources(progress))
  return {
    inputs: inputFiles,
    budget: milliseconds =>
      clockBudget(milliseconds, () => progress.report({kind: 'step', name: 'Resolving dependencies'})),
    signatures: {
      cryptography,
      warn: ({rule, message}) => progress.warn(`${message} [${rule}]`),
    },
    rules: ruleEngine,
    // Loaded here: few commands read objects.
    usage: {
      objects: async paths => await (await import('../files/object-files.js')).usagePorts.objects(paths),
      judge: async () => await (await import('../files/object-files.js')).usagePorts.judge(),
    },
    packages: declared => packagePorts(flags, progress, declared, readHome),
  }
}

/** The ports of a command that reads what users depend on of packages. @param program - the version of this program. */
export function surfacePorts(
  flags: PullFlags & IndexFlagValue & PlaceFlags,
  progress: PullProgress,
  program: string,
): RequestPorts {
  return {...requestPorts(flags, progress), surfaces: () => openSurfaces(flags, program)}
}

/** Returns the package sources of a command; nothing is opened before it is used. */
export async function packagePorts(
  flags: PullFlags & IndexFlagValue & PlaceFlags,
  progress: PullProgress,
  declared?: DeclaredSources,
  readHome = async () => await homeSources(progress),
): Promise<PackagePorts> {
  const source = flags['default-source']
  const remote = remotePackages(flags, progress, declared ?? (await readHome()))
  return {
    ...(await folderPorts(flags)),
    sources: reportedSources(packageSources, progress.report),
    remote,
    ...indexPorts(flags, remote, declared),
    localNames: localNames(flags, declared),
    ...(source === undefined ? {} : {defaultSource: checkedSource(source)}),
  }
}

/**
 * The mirrors of the declaration in the working folder, for a command that is given a package in place of it. One that cannot be read
 * stops only commands that it is for.
 */
async function homeSources({warn}: PullProgress): Promise<Pick<DeclaredSources, 'registries'> | undefined> {
  const {content} = (await foundDeclaration()) ?? {}
  if (!(content instanceof CrossplaneError)) return content?.sources
  warn(`packages are read without the mirrors of the declaration: ${content.message} [declaration-unread]`)
  return undefined
}

/** Reads the declaration of the working folder, which commands read if they are given no other. */
export async function foundDeclaration(): Promise<FoundDeclaration | undefined> {
  const file = nearestDeclaration(process.cwd())
  if (file === undefined) return undefined
  const {readFoundDeclaration} = await import('../../pipeline/doctor/declared-sources.js')
  return await readFoundDeclaration(relative(process.cwd(), file), inputFiles)
}

function localNames(flags: PullFlags & IndexFlagValue, declared: DeclaredSources | undefined): LocalNames {
  const load = async () => await import('../completion/known-names.js')
  return {
    indexed: async () => await (await load()).namesInIndexes(allIndexes(flags, declared)),
    cached: async () => (flags['no-cache'] ? [] : await (await load()).namesInCache(flags['cache-dir'])),
  }
}

/** Returns the package sources of a command without registries. */
export async function folderPorts({
  packages,
  'packages-base': bases,
  platform,
}: PlaceFlags): Promise<PackagePorts> {
  return {
    sources: packageSources,
    remote: {},
    ...(packages === undefined ? {} : {folder: await packageFolderAt(packages, givenBases(bases))}),
    ...(platform === undefined ? {} : {platform: parsePlatform(platform)}),
  }
}

function givenBases(value: PlaceFlags['packages-base']): PackageBases {
  return {paths: givenNames(value), areDefault: typeof value === 'string'}
}

/** Indexes of the command line before those of a declaration, each once. */
function allIndexes(flags: IndexFlagValue, declared: DeclaredSources | undefined): readonly string[] {
  return [...new Set([...indexNames(flags), ...(declared?.indexes ?? [])])]
}

function indexPorts(
  flags: PullFlags & IndexFlagValue,
  remote: RemotePackages,
  declared: DeclaredSources | undefined,
): Pick<PackagePorts, 'indexes'> {
  const names = allIndexes(flags, declared)
  if (names.length === 0) return {}
  const open = indexOpener(remote, flags['default-source'] ?? declared?.defaultSource)
  return {indexes: () => Promise.all(names.map(open))}
}

/** Returns the registries, and the cache of the packages pulled from them. */
export function remotePackages(
  flags: PullFlags,
  progress: PullProgress,
  declared?: Pick<DeclaredSources, 'registries'>,
): RemotePackages {
  const {report, warn, pulled} = progress
  const mirrors = withPreceding(givenMirrors(flags), declared?.registries ?? {})
  return {
    ...(flags.offline ? {} : {registry: registries(flags, progress)}),
    mirrors,
    ...(flags['no-cache'] ? {} : {cache: () => packageCache(flags, warn)}),
    report,
    onPulled: pulled,
  }
}
