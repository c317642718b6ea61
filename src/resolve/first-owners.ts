import {present} from '../present.js'
import type {OwnerChange, Resolution} from './resolution.js'

/** A package that owns groups only because there is no other candidate, or that takes them over from another package. */
export interface FirstOwner {
  readonly identity: string
  /** Sorted. */
  readonly groups: readonly string[]
  /** The package that owned the groups before; absent for a first use. */
  readonly before?: string
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
  const owners = new NewOwners()
  for (const {group, before, after, isAssigned} of ownerChanges) {
    if (after !== undefined && !isAssigned) owners.add(after, group, before)
  }
  for (const {requirement, by} of [
    ...roots,
    ...packages.flatMap(selectedPackage => selectedPackage.requirements),
  ]) {
    if (by.kind !== 'package' || by.because !== 'only-candidate' || requirement.form !== 'crd') continue
    owners.add(by.identity, requirement.group)
  }
  return owners.list()
}

/** Adds the owners that take a group over because the user assigns it: they need no confirmation, but are shown. */
export function shownOwners(
  firstOwners: readonly FirstOwner[],
  changes: readonly OwnerChange[] = [],
): readonly FirstOwner[] {
  const owners = new NewOwners()
  for (const {group, before, after, isAssigned} of changes) {
    if (after !== undefined && isAssigned) owners.add(after, group, before)
  }
  return [...firstOwners, ...owners.list()]
}

/** Collects owners; a group that is taken over is no first use. */
class NewOwners {
  readonly #owners = new Map<string, {identity: string; groups: Set<string>; before?: string}>()
  readonly #seen = new Set<string>()

  add(identity: string, group: string, before?: string): void {
    if (this.#seen.has(`${identity} ${group}`)) return
    this.#seen.add(`${identity} ${group}`)
    const key = `${identity} ${before ?? ''}`
    const owner = this.#owners.get(key) ?? {identity, groups: new Set(), ...present({before})}
    this.#owners.set(key, owner)
    owner.groups.add(group)
  }

  list(): readonly FirstOwner[] {
    const listed = [...this.#owners.values()].map(owner => ({...owner, groups: [...owner.groups].sort()}))
    return [
      ...listed.filter(({before}) => before === undefined),
      ...listed.filter(({before}) => before !== undefined),
    ]
  }
}
