import {grouped} from '../grouped.js'
import {crdName, type PackageSummary} from '../index/package-summary.js'
import {present} from '../present.js'
import {compareText} from '../reference/compare-text.js'
import type {OwnerChange, Resolution} from './resolution.js'
import type {Preference, SolverInput, UnavailablePackage} from './solver-input.js'

/** Compares the owners of the locked and installed versions with those of a resolution; sorted by group. */
export function ownerChanges(
  {
    preferences,
    summaries,
    former = [],
    owners,
    unavailable = [],
  }: Pick<SolverInput, 'preferences' | 'summaries' | 'former' | 'owners' | 'unavailable'>,
  {packages}: Pick<Resolution, 'packages'>,
): readonly OwnerChange[] {
  const selected = new Set(packages.map(({summary}) => summary.identity))
  const unlocked = new Set(
    preferences.flatMap(preference =>
      preference.because === 'locked' && preference.isUpgraded ? [preference.identity] : [],
    ),
  )
  const after = new Map(packages.flatMap(({summary}) => ownedBy(summary)))
  const before = ownersBefore(preferences, [...summaries, ...former], unavailable)
  const changes = [...before].flatMap(([crd, previous]) => {
    const next = after.get(crd)
    if (next !== undefined && previous.includes(next)) return []
    // An upgrade removes packages without being asked to; other removals are the user's own.
    const isKept = (owner: string) => next === undefined && (selected.has(owner) || !unlocked.has(owner))
    const group = crd.slice(crd.indexOf('.') + 1)
    const isAssigned = owners.some(rule => rule.group === group && rule.identity === next)
    return previous
      .filter(owner => !isKept(owner))
      .map((owner): OwnerChange => ({group, before: owner, ...present({after: next}), isAssigned}))
  })
  const distinct = new Map(
    changes.map(change => [`${change.group} ${change.before} ${change.after ?? ''}`, change]),
  )
  return [...distinct].sort(([a], [b]) => compareText(a, b)).map(([, change]) => change)
}

/** What the lock assigns takes precedence over what is installed. A CRD can have several owners: of several locks. */
function ownersBefore(
  preferences: readonly Preference[],
  summaries: readonly PackageSummary[],
  unavailable: readonly UnavailablePackage[],
): ReadonlyMap<string, readonly string[]> {
  const of = (because: Preference['because']) => {
    const pairs = preferences
      .filter(preference => preference.because === because)
      .flatMap(preference => summaries.filter(summary => isVersion(preference, summary)).flatMap(ownedBy))
    const byCrd = grouped(pairs, ([crd]) => crd)
    return [...byCrd].map(([crd, owned]) => [crd, [...new Set(owned.map(([, owner]) => owner))]] as const)
  }
  const unread = unavailable.flatMap(({identity, crds}) => crds.map(crd => [crd, [identity]] as const))
  return new Map([...unread, ...of('installed'), ...of('locked')])
}

function isVersion({identity, tag, digest}: Preference, summary: PackageSummary): boolean {
  if (summary.identity !== identity || summary.tag !== tag) return false
  return digest === undefined || summary.digest === digest
}

function ownedBy({identity, crds}: PackageSummary): (readonly [crd: string, owner: string])[] {
  return crds.map(crd => [crdName(crd), identity] as const)
}
