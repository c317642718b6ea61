import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {PackageIndex} from '../../index/package-index.js'
import type {PackageSummary} from '../../index/package-summary.js'
import type {YankedVersion} from '../../index/summaries.js'
import type {FormatName} from '../../locate/expect-format.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {parseImageName} from '../../reference/image-name.js'
import {isNewer, newestStable} from '../../reference/newest-version.js'

/** Where newer versions are looked up: in an index if there is one, otherwise in the tags of the repository. */
export interface UpdatePorts extends Pick<PackagePorts, 'remote'> {
  readonly index?: PackageIndex
  /** Reports each lookup that fails: the registry is asked. Otherwise, what is not in the cache is unknown. */
  readonly isStrict: boolean
  /** A repository can have versions of both formats; those of another one are no updates. */
  readonly format: FormatName
}

/** An installed version of a package. */
export interface InstalledVersion {
  readonly identity: string
  readonly tag: string
}

/** The newest stable versions of packages, and why those of others are unknown. */
export interface NewestVersions {
  /** By identity. */
  readonly versions: ReadonlyMap<string, string>
  readonly warnings: readonly Diagnostic[]
}

const CONCURRENT_LOOKUPS = 8

/** Looks up the newest stable version of each package, once; a failure is a warning, and the others are looked up. */
export async function newestVersions(
  identities: readonly string[],
  ports: UpdatePorts,
): Promise<NewestVersions> {
  const versions = new Map<string, string>()
  const failures = new Map<string, Diagnostic>()
  const names = [...new Set(identities)].sort()
  await mapConcurrent(names, CONCURRENT_LOOKUPS, async identity => {
    try {
      const newest = newestStable(await offeredTags(identity, ports))
      if (newest !== undefined) versions.set(identity, newest)
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      if (ports.isStrict || !UNCACHED.includes(error.code)) failures.set(identity, warningOf(error))
    }
  })
  return {versions, warnings: names.flatMap(identity => failures.get(identity) ?? [])}
}

/** Returns the newest version of an installed package if it is newer than the installed one. */
export function availableUpdate(
  {identity, tag}: InstalledVersion,
  {versions}: NewestVersions,
): string | undefined {
  const newest = versions.get(identity)
  return newest !== undefined && isNewer(newest, tag) ? newest : undefined
}

async function offeredTags(
  identity: string,
  {index, remote, format}: UpdatePorts,
): Promise<readonly string[]> {
  if (index !== undefined) {
    const {summaries, yanked} = await index.ofPackage(identity)
    return summaries
      .filter(summary => isOffered(summary, identity, format) && !isYanked(summary, yanked))
      .map(({tag}) => tag)
  }
  const name = parseImageName(identity)
  return name === undefined ? [] : await new RemoteRepository(name, remote).tags()
}

function isOffered({identity, xpkg}: PackageSummary, requested: string, format: FormatName): boolean {
  return identity === requested && (xpkg === undefined ? 'stack' : 'xpkg') === format
}

function isYanked({identity, tag, digest}: PackageSummary, yanked: readonly YankedVersion[]): boolean {
  return yanked.some(
    version => version.identity === identity && version.tag === tag && version.digest === digest,
  )
}

function warningOf({message}: CrossplaneError): Diagnostic {
  return {severity: 'warning', rule: 'newest-unknown', message}
}

/** Failures of a lookup in the cache alone, after which no newer version is known. */
const UNCACHED: readonly string[] = ['not-found', 'offline']
