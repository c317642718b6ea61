import type {Resolution} from './resolution.js'

/** A package that owns groups only because there is no other candidate. */
export interface FirstOwner {
  readonly identity: string
  /** Sorted. */
  readonly groups: readonly string[]
}

/**
 * Returns the owners of an answer that neither the user nor a lock, a cluster or a package has named, and those that take
 * a group over from another package without the user's assignment.
 */
export function firstOwners({
  packages,
  roots,
  ownerChanges = [],
}: Pick<Resolution, 'packages' | 'roots'> &
  Partial<Pick<Resolution, 'ownerChanges'>>): readonly FirstOwner[] {
  const owned = new Map<string, Set<string>>()
  const add = (identity: string, group: string) =>
    owned.set(identity, (owned.get(identity) ?? new Set()).add(group))
  for (const {requirement, by} of [
    ...roots,
    ...packages.flatMap(selectedPackage => selectedPackage.requirements),
  ]) {
    if (by.kind !== 'package' || by.because !== 'only-candidate' || requirement.form !== 'crd') continue
    add(by.identity, requirement.group)
  }
  for (const {group, after} of ownerChanges.filter(({isAssigned}) => !isAssigned)) {
    if (after === undefined) continue
    add(after, group)
  }
  return [...owned].map(([identity, groups]) => ({identity, groups: [...groups].sort()}))
}
