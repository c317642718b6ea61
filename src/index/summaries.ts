import {grouped} from './grouped.js'
import type {PackageSummary} from './package-summary.js'

/** Where summaries are looked up: a folder, an index in a registry, a file that was exported from one. */
export interface Summaries {
  /** Every version of every package that owns a CRD of exactly this group, in no order. */
  ofGroup(group: string): Promise<Found>
  /** Every version of one package, in no order. */
  ofPackage(identity: string): Promise<Found>
}

export interface Found {
  readonly summaries: readonly PackageSummary[]
  /** What is there and could not be read, so that nobody knows what it owns. */
  readonly unreadable: readonly UnreadablePackage[]
  /** Versions that their publisher withdrew; they may stand among the summaries all the same. */
  readonly yanked: readonly YankedVersion[]
}

/** A version that is no longer to be chosen. `reason` is one sentence, without a full stop. */
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
  /** One sentence, without a full stop. */
  readonly reason: string
}

/** The summaries of a list that is at hand as a whole. */
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
