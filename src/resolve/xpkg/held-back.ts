import {isStable, newestStable} from '../../reference/newest-version.js'
import {coreRules} from '../../xpkg/constraints/constraint-rules.js'
import {readConstraint, satisfies} from '../../xpkg/constraints/constraint.js'
import {candidateVersion} from '../../xpkg/constraints/version.js'
import type {SelectedXpkg} from './resolve-xpkgs.js'

/** A resolution of packages for a current Crossplane, and the tags that were listed for it. */
interface Resolved {
  readonly packages: readonly SelectedXpkg[]
  readonly tags: ReadonlyMap<string, readonly string[]>
}

/** Returns the newest release of a repository; undefined if its tags were not listed. */
export function newestRelease(repository: string, {tags}: Pick<Resolved, 'tags'>): string | undefined {
  const complete = (tags.get(repository) ?? []).filter(
    tag => isStable(tag) && candidateVersion(tag, 'v3') !== undefined,
  )
  return newestStable(complete)
}

/** Explains why a version of a selected package is not the selected one. */
export function heldBackBy(
  repository: string,
  version: string,
  resolved: Pick<Resolved, 'packages'>,
  coreVersion: string | undefined,
): string {
  const holder = holderOf(repository, version, resolved, coreVersion)
  if (holder === undefined) return `${version} does not fit the other packages`
  return `${holder.requiredBy} requires ${holder.requirement}`
}

/** Returns the first requirement of a selected package that a version does not satisfy. */
export function holderOf(
  repository: string,
  version: string,
  {packages}: Pick<Resolved, 'packages'>,
  coreVersion: string | undefined,
): {readonly requiredBy: string; readonly requirement: string} | undefined {
  const accepts = (constraint: string) =>
    coreRules(coreVersion).every(rules => {
      const [read, candidate] = [readConstraint(constraint, rules), candidateVersion(version, rules)]
      return read !== undefined && candidate !== undefined && satisfies(read, candidate)
    })
  for (const {repository: by, version: at, dependencies} of packages) {
    const excluding = dependencies.find(
      ({package: name, version: text}) => name === repository && !accepts(text),
    )
    if (excluding !== undefined)
      return {requiredBy: `${by}:${at}`, requirement: `${repository} ${excluding.version}`}
  }
  return undefined
}
