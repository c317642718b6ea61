import type {Diagnostic} from '../../diagnostic.js'
import {present} from '../../present.js'
import {type Catalog, summaryOfOpen} from '../catalog/catalog.js'
import {collectSummaries} from '../catalog/collect-summaries.js'
import {lockPreferences, rejectOtherBytes} from '../lock/held-lock.js'
import {lockedEntries} from '../lock/locked-entries.js'
import {identifier, type NameRepository} from '../repository-names.js'
import type {RequestedRoots} from '../requested/requested-roots.js'
import type {Root, SolverInput} from '../solver-input.js'
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
  const collected = await collectSummaries(requirements, available, facts, identify, catalog.summaries)
  const yanks = await Promise.all([...packages.values()].map(({identity}) => catalog.yankedOf(identity)))
  const preferences = lock === undefined ? [] : lockPreferences(lock, identify)
  const {summaries, notes} =
    lock === undefined
      ? {summaries: collected.summaries, notes: []}
      : await lockedEntries(lock, preferences, collected.summaries, catalog)
  if (lock !== undefined) rejectOtherBytes(lock, preferences, summaries)
  const input: SolverInput = {
    summaries,
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
