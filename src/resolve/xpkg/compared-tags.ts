import {isDigest} from '../../reference/image-name.js'
import type {ConstraintRules} from '../../xpkg/constraints/constraint-rules.js'
import {candidateVersion} from '../../xpkg/constraints/version.js'
import type {XpkgRepository, XpkgRoot} from './xpkg-catalog.js'

type Repositories = ReadonlyMap<string, XpkgRepository>

/**
 * Returns the tags whose digests decide: where one requirement of a package names bytes, by a digest or a tag that is not
 * a version, and another one a version, only a version with these bytes satisfies both.
 */
export function tagsToCompare(
  repositories: Repositories,
  roots: readonly XpkgRoot[],
  rules: readonly ConstraintRules[],
): ReadonlyMap<string, readonly string[]> {
  const isVersion = (text: string) => rules.every(rule => candidateVersion(text, rule) !== undefined)
  const named = new Map<string, Set<string>>()
  const ranged = new Set<string>()
  const add = (repository: string, text: string) =>
    named.set(repository, (named.get(repository) ?? new Set()).add(text))
  for (const {repository, version} of roots) {
    if (version === undefined || isVersion(version)) ranged.add(repository)
    else add(repository, version)
  }
  for (const [repository, {requiredDigests, isConstrained}] of repositories) {
    for (const digest of requiredDigests) add(repository, digest)
    if (isConstrained) ranged.add(repository)
  }
  return new Map(
    [...named].flatMap(([repository, texts]) => {
      const tags = repositories.get(repository)?.tags
      if (!ranged.has(repository) || tags === undefined || !('value' in tags)) return []
      const aliases = [...texts].filter(text => !isDigest(text))
      return [[repository, [...new Set([...aliases, ...tags.value.filter(isVersion)])]] as const]
    }),
  )
}
