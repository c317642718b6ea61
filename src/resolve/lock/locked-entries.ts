import type {LockedPackage} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {grouped} from '../../grouped.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Preference} from '../solver-input.js'
import {type Catalog, summaryOfOpen} from '../catalog/catalog.js'
import type {HeldLock} from './held-lock.js'
import {summaryHash} from './lock-of.js'

/** The summaries of a resolution under a lock. */
export interface LockedEntries {
  readonly summaries: readonly PackageSummary[]
  /** The locked versions that were read, since no entry describes them rightly. */
  readonly actual: readonly PackageSummary[]
  /** The entries that the lock or the locked bytes contradict. */
  readonly notes: readonly Diagnostic[]
}

/**
 * Corrects the entries of locked versions, so that no index changes what is locked: an entry of the locked digest whose
 * content is not the locked one is dropped, and a locked version that no entry describes is read by its digest, also if
 * its tag has moved. One that was deleted is omitted.
 */
export async function lockedEntries(
  {lock}: HeldLock,
  preferences: readonly Preference[],
  summaries: readonly PackageSummary[],
  catalog: Pick<Catalog, 'open' | 'carrierOf'>,
): Promise<LockedEntries> {
  const byName = grouped(summaries, formatSummary)
  const kept = new Set(
    preferences.filter(preference => preference.isUpgraded !== true).map(({identity}) => identity),
  )
  const corrections = await Promise.all(
    lock.packages
      .filter(({identity, digest}) => kept.has(identity) && digest !== undefined)
      .map(locked => correctionOf(locked, byName.get(formatSummary(locked)) ?? [], catalog)),
  )
  const dropped = new Set(corrections.flatMap(({wrong}) => wrong))
  const actual = corrections.flatMap(correction => correction.actual ?? [])
  return {
    summaries: [...summaries.filter(summary => !dropped.has(summary)), ...actual],
    actual,
    notes: [...dropped].map(summary => noteOn(summary, catalog)),
  }
}

interface Correction {
  readonly wrong: readonly PackageSummary[]
  readonly actual?: PackageSummary
}

async function correctionOf(
  locked: LockedPackage,
  entries: readonly PackageSummary[],
  catalog: Pick<Catalog, 'open'>,
): Promise<Correction> {
  if (entries.length === 0 || entries.some(({digest}) => digest === undefined)) return {wrong: []}
  const same = entries.filter(({digest}) => digest === locked.digest)
  const [confirmed] = same.filter(summary => summaryHash(summary) === locked.summaryHash)
  if (confirmed !== undefined) return {wrong: same.filter(summary => summary !== confirmed)}
  const actual = await summaryOfLocked(locked, catalog)
  return actual === undefined ? {wrong: []} : {wrong: same, actual}
}

async function summaryOfLocked(
  locked: LockedPackage,
  catalog: Pick<Catalog, 'open'>,
): Promise<PackageSummary | undefined> {
  try {
    return summaryOfOpen(await catalog.open(locked), locked.identity)
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  }
}

function noteOn(entry: PackageSummary, {carrierOf}: Pick<Catalog, 'carrierOf'>): Diagnostic {
  const {identity, tag} = entry
  const carrier = carrierOf(entry) ?? 'an index'
  const message = `${formatSummary(entry)} is locked, but its entry in ${carrier} is wrong about the content of this digest: the entry is ignored`
  return {severity: 'note', rule: 'lying-version', message, subject: {package: identity, tag}}
}
