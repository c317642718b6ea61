import type {Resolution} from './resolution.js'

/** A package that owns groups only because there is no other candidate. */
export interface FirstOwner {
  readonly identity: string
  /** Sorted. */
  readonly groups: readonly string[]
}

/** Returns the owners of an answer that neither the user nor a lock, a cluster or a package has named. */
export function firstOwners({
  packages,
  roots,
}: Pick<Resolution, 'packages' | 'roots'>): readonly FirstOwner[] {
  const owned = new Map<string, Set<string>>()
  for (const {requirement, by} of [...roots, ...packages.flatMap(each => each.requirements)]) {
    if (by.kind !== 'package' || by.because !== 'only-candidate' || requirement.form !== 'crd') continue
    owned.set(by.identity, (owned.get(by.identity) ?? new Set()).add(requirement.group))
  }
  return [...owned].map(([identity, groups]) => ({identity, groups: [...groups].sort()}))
}
