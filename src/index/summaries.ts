import {grouped} from '../grouped.js'
import type {PackageSummary} from './package-summary.js'

/** Looks up summaries in a folder, an index in a registry, or an index file. */
export interface Summaries {
  /** Returns all versions of packages that own a CRD of exactly this group, in no order. */
  ofGroup(group: string): Promise<Found>
  /** Returns all versions of one package, in no order. */
  ofPackage(identity: string): Promise<Found>
}

export interface Found {
  readonly summaries: readonly PackageSummary[]
  /** Packages that cannot be read, so that their CRDs are unknown. */
  readonly unreadable: readonly UnreadablePackage[]
  /** Yanked versions; they may be among the summaries. */
  readonly yanked: readonly YankedVersion[]
}

/** A yanked version. `reason` is one sentence without a period. */
export interface YankedVersion {
  readonly identity: string
  readonly tag: string
  readonly version: string
  readonly digest: string
  readonly reason: string
}

export interface UnreadablePackage {
  readonly identity: string
  readonly tag: string
  /** One sentence without a period. */
  readonly reason: string
}

/** Looks up summaries in a list. */
export function listedSummaries({summaries, unreadable, yanked}: Found): Summaries {
  const byIdentity = grouped(summaries, ({identity}) => identity)
  const ofGroups = summaries.flatMap(summary =>
    [...new Set(summary.crds.map(({group}) => group))].map(group => ({group, summary})),
  )
  const byGroup = grouped(ofGroups, ({group}) => group)
  const unreadableOf = grouped(unreadable, ({identity}) => identity)
  const yankedOf = grouped(yanked, ({identity}) => identity)
  return {
    ofGroup: group =>
      Promise.resolve({
        summaries: (byGroup.get(group) ?? []).map(({summary}) => summary),
        unreadable,
        yanked,
      }),
    ofPackage: identity =>
      Promise.resolve({
        summaries: byIdentity.get(identity) ?? [],
        unreadable: unreadableOf.get(identity) ?? [],
        yanked: yankedOf.get(identity) ?? [],
      }),
  }
}
