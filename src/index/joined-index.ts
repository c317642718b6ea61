import type {PackageIndex} from './package-index.js'
import type {PackageSummary} from './package-summary.js'
import type {Found, Summaries, YankedVersion} from './summaries.js'

/**
 * Joins several indexes. Of the entries of one tag and digest, the one in the earliest index counts; the same tag with
 * another digest is another version. A version that one of the indexes yanks is yanked.
 */
export function joinedIndex(indexes: readonly PackageIndex[], versionOf: VersionOf = bytesKey): PackageIndex {
  const [only] = indexes
  if (only !== undefined && indexes.length === 1) return only
  return {
    name: indexes.map(({name}) => name).join(', '),
    ...joinedSummaries(indexes, versionOf),
    all: async () => joined(await Promise.all(indexes.map(index => index.all())), versionOf),
  }
}

/** Joins lookups in the same way. `versionOf` identifies a version. */
export function joinedSummaries(indexes: readonly Summaries[], versionOf: VersionOf = bytesKey): Summaries {
  const lookUp = async (question: (index: Summaries) => Promise<Found>) =>
    await Promise.all(indexes.map(question))
  return {
    ofGroup: async group => {
      const founds = await lookUp(index => index.ofGroup(group))
      const identities = new Set(founds.slice(1).flatMap(({summaries}) => summaries.map(identityOf)))
      // An earlier index may have an entry of the version that owns no CRD of this group.
      const lists = await Promise.all(
        [...identities].map(identity => lookUp(index => index.ofPackage(identity))),
      )
      const entriesOf = founds.map((_, position) => lists.flatMap(list => list[position]?.summaries ?? []))
      return joined(founds, versionOf, entriesOf)
    },
    ofPackage: async identity => joined(await lookUp(index => index.ofPackage(identity)), versionOf),
  }
}

type VersionOf = (summary: PackageSummary) => string

/** @param entriesOf - the entries of each index, also those that do not match. */
function joined(
  founds: readonly Found[],
  versionOf: VersionOf,
  entriesOf = founds.map(({summaries}) => summaries),
): Found {
  const before = new Set<string>()
  const summaries = founds.flatMap((answer, position) => {
    const own = answer.summaries.filter(summary => !before.has(versionOf(summary)))
    for (const summary of [...answer.summaries, ...(entriesOf[position] ?? [])])
      before.add(versionOf(summary))
    return own
  })
  return {
    summaries,
    unreadable: founds.flatMap(({unreadable}) => unreadable),
    yanked: onlyFirst(founds.flatMap(({yanked}) => yanked)),
  }
}

function onlyFirst(yanked: readonly YankedVersion[]): YankedVersion[] {
  return [...new Map([...yanked].reverse().map(version => [versionKey(version), version])).values()].reverse()
}

function identityOf({identity}: PackageSummary): string {
  return identity
}

/** Identifies a version: the same tag with another digest is another one. */
function bytesKey({identity, tag, digest = ''}: PackageSummary): string {
  return [identity, tag, digest].join('\n')
}

/** Identifies the version that a yank applies to. */
export function versionKey({identity, tag, version, digest = ''}: PackageSummary | YankedVersion): string {
  return [identity, tag, version, digest].join('\n')
}
