import type {Diagnostic} from '../../diagnostic.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {present} from '../../present.js'
import {type Catalog, summaryOfOpen} from '../catalog/catalog.js'
import {type Collected, collectSummaries} from '../catalog/collect-summaries.js'
import {type HeldLock, isBinding, lockPreferences, rejectOtherBytes} from '../lock/held-lock.js'
import {lockedEntries} from '../lock/locked-entries.js'
import {identifier, type NameRepository} from '../repository-names.js'
import type {RequestedRoots} from '../requested/requested-roots.js'
import type {Preference, Root, SolverInput} from '../solver-input.js'
import {foreignVersions} from './source-policy.js'
import type {ResolutionPolicy} from './resolution-policy.js'

/** Collects the summaries that a request leads to, and the rules that decide. Throws `digest-mismatch`. */
export async function solverInput(
  {roots, opened: packages}: RequestedRoots,
  policy: ResolutionPolicy,
  nameOf: NameRepository,
  catalog: Catalog,
): Promise<{readonly input: SolverInput; readonly notes: readonly Diagnostic[]}> {
  const {facts, crossplane, owners, dependencyNamespace, lock} = policy
  const identify = identifier(nameOf)
  const available = [...packages.values()].map(opened => summaryOfOpen(opened, opened.identity))
  // A package that was read already needs no lookup, unless another package requires it, or all versions are
  // compared.
  const isRead = (requirement: Root['requirement']) =>
    requirement.form === 'package' &&
    requirement.tag !== undefined &&
    packages.has(`${requirement.identity}:${requirement.tag}`)
  const requirements = roots
    .map(({requirement}) => requirement)
    .filter(requirement => lock?.upgraded === 'all' || !isRead(requirement))
  const collect = (read: readonly PackageSummary[]) => {
    const whole = read.map(({identity}) => ({form: 'package', text: '', identity}) as const)
    return collectSummaries(
      [...requirements, ...whole],
      [...available, ...read],
      facts,
      identify,
      catalog.summaries,
    )
  }
  const yanks = await Promise.all([...packages.values()].map(({identity}) => catalog.yankedOf(identity)))
  const preferences = lock === undefined ? [] : lockPreferences(lock, identify)
  const {collected, summaries, notes} = await collectLocked(lock, preferences, collect, catalog)
  if (lock !== undefined) rejectOtherBytes(lock, preferences, summaries)
  const input: SolverInput = {
    summaries,
    former: await formerVersions(lock, summaries, catalog),
    unreadable: collected.unreadable,
    roots,
    facts,
    owners: owners.map(({group, identity}) => ({group, identity: identify(identity)})),
    preferences,
    excluded: [
      ...foreignVersions(summaries, policy),
      ...[...collected.yanked, ...yanks.flat()].map(version => ({...version, kind: 'yanked'}) as const),
    ],
    emptyGroups: facts.flatMap(({origin, group}) => (origin === 'never-existed' ? [group] : [])),
    crossplane,
    identify,
    ...present({acknowledged: policy.acknowledged}),
    dependencyNamespace,
  }
  return {input, notes}
}

/**
 * Returns the locked versions to which a request leads no more. Nothing is verified of them, and what has changed since is
 * omitted: the user removed them.
 */
async function formerVersions(
  lock: HeldLock | undefined,
  summaries: readonly PackageSummary[],
  catalog: Pick<Catalog, 'summaries'>,
): Promise<readonly PackageSummary[]> {
  if (lock === undefined || isBinding(lock)) return []
  const current = new Set(summaries.map(formatSummary))
  const former = lock.lock.packages.filter(locked => !current.has(formatSummary(locked)))
  const versions = await Promise.all(
    former.map(async ({identity, tag, digest}) => {
      const listed = await catalog.summaries.ofPackage(identity)
      return listed.summaries.filter(summary => summary.tag === tag && summary.digest === digest)
    }),
  )
  return versions.flat()
}

/** Summaries of the versions that can be selected, and the entries that a lock contradicts. */
interface CollectedEntries {
  readonly collected: Collected
  readonly summaries: readonly PackageSummary[]
  readonly notes: readonly Diagnostic[]
}

/**
 * Collects the versions that can be selected. What a locked version requires is collected by its bytes if its entry is
 * wrong: an index that leaves requirements out must not make a locked request impossible.
 */
async function collectLocked(
  lock: HeldLock | undefined,
  preferences: readonly Preference[],
  collect: (read: readonly PackageSummary[]) => Promise<Collected>,
  catalog: Catalog,
): Promise<CollectedEntries> {
  const read: PackageSummary[] = []
  const notes: Diagnostic[] = []
  for (;;) {
    const collected = await collect(read)
    // Under a binding lock everything was read by its digest: another summary is another lock.
    if (lock === undefined || isBinding(lock)) return {collected, summaries: collected.summaries, notes}
    const unread = preferences.filter(({identity}) => !read.some(summary => summary.identity === identity))
    const entries = await lockedEntries(lock, unread, collected.summaries, catalog)
    notes.push(...entries.notes)
    if (entries.actual.length === 0) return {collected, summaries: entries.summaries, notes}
    read.push(...entries.actual)
  }
}
