import {CrossplaneError, withSuggestions} from '../../errors.js'
import {joinedIndex} from '../../index/joined-index.js'
import type {PackageIndex} from '../../index/package-index.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Found} from '../../index/summaries.js'
import {contentText} from '../../index/summary-of.js'
import {formatImageName} from '../../reference/image-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import type {ExcludedVersion} from '../solver-input.js'
import {readPackage} from '../../unpack/read-package.js'
import {expectFormat} from '../../locate/expect-format.js'
import {pulledPackage} from '../../locate/locate-image.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import type {Catalog, OpenPackage, PackageVersion} from './catalog.js'
import type {NameRepository} from '../repository-names.js'

/** Combines the packages of indexes, each pulled from where it is published, by the digest of its entry. */
export function indexCatalog(
  indexes: readonly PackageIndex[],
  ports: PackagePorts,
  nameOf: NameRepository,
): Catalog {
  const carriers = new Map<PackageSummary, string>()
  // Two entries of the same bytes with different content are both kept: only the package shows which one is right.
  const index = joinedIndex(
    indexes.map(packageIndex => withCarrier(packageIndex, carriers)),
    contentText,
  )
  return {
    summaries: index,
    tagsOf: async name => (await index.ofPackage(nameOf(name))).summaries.map(({tag}) => tag),
    yankedOf: async identity => (await index.ofPackage(identity)).yanked,
    contradictionOf: summary => contradictionOf(summary, carriers.get(summary), ports),
    carrierOf: summary => carriers.get(summary),
    open: summary => openPinned(summary, ports),
  }
}

/** Packages for a current Crossplane satisfy no requirements of others, and their versions are not those of others. */
function withoutXpkgs(answer: Found): Found {
  return {...answer, summaries: answer.summaries.filter(({xpkg}) => xpkg === undefined)}
}

/** An index that records which of its entries were returned. */
function withCarrier(index: PackageIndex, carriers: Map<PackageSummary, string>): PackageIndex {
  const recorded = async (lookup: Promise<Found>) => {
    const answer = withoutXpkgs(await lookup)
    for (const summary of answer.summaries) if (!carriers.has(summary)) carriers.set(summary, index.name)
    return answer
  }
  return {
    name: index.name,
    ofGroup: group => recorded(index.ofGroup(group)),
    ofPackage: identity => recorded(index.ofPackage(identity)),
    all: () => recorded(index.all()),
  }
}

/** An entry without a digest claims none: its package is pulled by tag, and then compared with it. */
async function contradictionOf(
  {identity, tag, digest}: PackageSummary,
  carrier = 'an index',
  {remote}: PackagePorts,
): Promise<ExcludedVersion | undefined> {
  if (digest === undefined) return undefined
  const excluded = (kind: ExcludedVersion['kind'], reason: string) => ({identity, tag, digest, kind, reason})
  const claim = `the entry in ${carrier} has ${digest}`
  try {
    const current = await new RemoteRepository(parsePackageImage(identity), remote).digestOf(tag)
    if (current === digest) return undefined
    return current === undefined
      ? excluded('vanished', `its registry has no tag ${tag}, but ${claim}`)
      : excluded('lying', `its registry has ${current} under this tag, but ${claim}`)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    if (isGone(error.code)) return excluded(GONE[error.code], error.message)
    const name = formatSummary({identity, tag})
    throw withSuggestions(error, [], `cannot check the entry of ${name} in ${carrier}: ${error.message}`)
  }
}

const GONE = {'not-found': 'vanished', 'access-denied': 'private'} as const

function isGone(code: string): code is keyof typeof GONE {
  return Object.hasOwn(GONE, code)
}

/** Reads a version by its digest. Its reference keeps the tag, as the user would write it. */
export async function openPinned(
  version: PackageVersion,
  ports: Pick<PackagePorts, 'remote' | 'platform'>,
): Promise<OpenPackage> {
  const name = parsePackageImage(formatSummary(version))
  const pin = version.digest === undefined ? '' : `@${version.digest}`
  const pulled = await pulledPackage(parsePackageImage(`${formatSummary(version)}${pin}`), ports)
  const located = expectFormat(pulled, 'stack')
  const named = {...located, name: formatImageName(name), reference: name}
  return {located: named, package: readPackage(located.name, located.files)}
}
