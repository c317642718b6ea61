import type {PackageIndex} from './package-index.js'
import type {PackageSummary} from './package-summary.js'
import type {Found, Summaries, YankedVersion} from './summaries.js'

/**
 * Several indexes as one. What an earlier one says of a tag's bytes is not said again by a later one, nor otherwise;
 * the same tag with other bytes is another version. What any of them calls withdrawn is so for all.
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

/** The same for what only answers questions. `versionOf` says what tells versions apart. */
export function joinedSummaries(indexes: readonly Summaries[], versionOf: VersionOf = bytesKey): Summaries {
  const ask = async (question: (index: Summaries) => Promise<Found>) =>
    await Promise.all(indexes.map(question))
  return {
    ofGroup: async group => {
      const founds = await ask(index => index.ofGroup(group))
      const identities = new Set(founds.slice(1).flatMap(({summaries}) => summaries.map(identityOf)))
      // An earlier index may know a version, and not say of it that it owns anything here.
      const known = await Promise.all(
        [...identities].map(identity => ask(index => index.ofPackage(identity))),
      )
      const saidBy = founds.map((_, position) => known.flatMap(each => each[position]?.summaries ?? []))
      return joined(founds, versionOf, saidBy)
    },
    ofPackage: async identity => joined(await ask(index => index.ofPackage(identity)), versionOf),
  }
}

type VersionOf = (summary: PackageSummary) => string

/** @param saidBy - what each index knows, also where it is no answer. */
function joined(
  founds: readonly Found[],
  versionOf: VersionOf,
  saidBy = founds.map(({summaries}) => summaries),
): Found {
  const before = new Set<string>()
  const summaries = founds.flatMap((found, position) => {
    const own = found.summaries.filter(each => !before.has(versionOf(each)))
    for (const each of [...found.summaries, ...(saidBy[position] ?? [])]) before.add(versionOf(each))
    return own
  })
  return {
    summaries,
    unreadable: founds.flatMap(({unreadable}) => unreadable),
    yanked: onlyFirst(founds.flatMap(({yanked}) => yanked)),
  }
}

function onlyFirst(yanked: readonly YankedVersion[]): YankedVersion[] {
  return [...new Map([...yanked].reverse().map(each => [versionKey(each), each])).values()].reverse()
}

function identityOf({identity}: PackageSummary): string {
  return identity
}

/** What tells versions apart: the same tag with other bytes is another one. */
function bytesKey({identity, tag, digest = ''}: PackageSummary): string {
  return [identity, tag, digest].join('\n')
}

/** What a yank is of. */
export function versionKey({identity, tag, version, digest = ''}: PackageSummary | YankedVersion): string {
  return [identity, tag, version, digest].join('\n')
}
