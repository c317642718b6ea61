import {grouped} from '../../grouped.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {compareVersions} from '../../reference/newest-version.js'
import type {Rejection} from '../resolution.js'

/** The versions of one package that are compared for a rejection. */
const MAX_VERSIONS = 16

/**
 * Returns the index entries that a rejection rests on, what it cites first: the versions in its graph, the first
 * candidate of each package, and the newest versions of the packages that its diagnostics name. Versions without a digest
 * come from folders, where they were read.
 */
export function restsOn(
  {diagnostics, cited = []}: Pick<Rejection, 'diagnostics' | 'cited'>,
  shown: readonly PackageSummary[],
  candidates: readonly (readonly PackageSummary[])[],
  open: readonly PackageSummary[],
): readonly PackageSummary[] {
  const byName = grouped(open, formatSummary)
  const byIdentity = grouped(open, ({identity}) => identity)
  const citing = cited.flatMap(edges => edges.flatMap(({requiredBy}) => byName.get(requiredBy ?? '') ?? []))
  const named = diagnostics.flatMap(({subject = {}}) => [
    ...(subject.package === undefined ? [] : [subject.package]),
    ...(subject.candidates ?? []),
  ])
  const versions = [...new Set(named)].flatMap(identity =>
    [...(byIdentity.get(identity) ?? [])]
      .sort((a, b) => compareVersions(a.tag, b.tag))
      .slice(0, MAX_VERSIONS),
  )
  const first = candidates.flatMap(candidate => candidate.slice(0, 1))
  const all = new Set([...citing, ...shown, ...first, ...versions])
  return [...all].filter(({digest}) => digest !== undefined)
}
