import {digestOf} from '../../fetch/image-parts.js'
import {CrossplaneError} from '../../../src/errors.js'
import {formatSummary, type PackageSummary} from '../../../src/index/package-summary.js'
import {listedSummaries} from '../../../src/index/summaries.js'
import type {YankedVersion} from '../../../src/index/summaries.js'
import type {Catalog} from '../../../src/resolve/catalog/catalog.js'
import {packageOf} from './opened-package.js'

/** Gives a summary the digest that its content has in these tests. */
export function published(summary: PackageSummary): PackageSummary {
  return {...summary, digest: digestOf(Buffer.from(JSON.stringify(summary)))}
}

/** What is wrong in an index: entries that no registry confirms, versions that it lacks, and yanks. */
interface WrongIndex {
  readonly forged: readonly PackageSummary[]
  readonly removed?: readonly PackageSummary[]
  readonly yanked?: readonly YankedVersion[]
}

/** The catalog of a registry that has exactly these packages, and of an index of them. */
export function indexed(
  packages: readonly PackageSummary[],
  {forged, removed = [], yanked = []}: WrongIndex,
): Catalog {
  const entries = [...forged, ...packages.filter(summary => !removed.includes(summary))]
  return {
    ...registryOf(packages),
    summaries: listedSummaries({summaries: entries, unreadable: [], yanked}),
    tagsOf: () => Promise.resolve([]),
    yankedOf: () => Promise.resolve([]),
    carrierOf: () => undefined,
  }
}

/** A catalog over a registry that has exactly these packages, whatever entries of an index claim. */
export function registryOf(packages: readonly PackageSummary[]): Pick<Catalog, 'open' | 'contradictionOf'> {
  const byTag = new Map(packages.map(each => [formatSummary(each), each]))
  const byDigest = new Map(packages.map(each => [`${each.identity}@${each.digest ?? ''}`, each]))
  return {
    contradictionOf: ({identity, tag, digest}) => {
      const found = byTag.get(`${identity}:${tag}`)?.digest
      if (found === digest) return Promise.resolve(undefined)
      const kind = 'lying'
      return Promise.resolve({
        identity,
        tag,
        digest,
        kind,
        reason: `its registry has ${found ?? 'no such tag'}`,
      })
    },
    open: version => {
      const found = byDigest.get(`${version.identity}@${version.digest ?? ''}`)
      if (found === undefined) return Promise.reject(new CrossplaneError('not-found', 'no such digest'))
      const {located, package: read} = packageOf(found)
      const reference = {path: version.identity, tag: version.tag}
      return Promise.resolve({
        located: {...located, reference, digest: version.digest as 'sha256:'},
        package: read,
      })
    },
  }
}
