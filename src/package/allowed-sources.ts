import type {Lock} from '../declaration/lock.js'
import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import type {SourcePolicy} from '../resolve/packages/resolution-policy.js'
import {listNames} from '../text.js'
import {expectFew, expectSource, isAllowedSource} from '../resolve/packages/source-policy.js'
import type {XpkgCatalog} from '../resolve/xpkg/xpkg-catalog.js'

/** The sources that a policy allows. */
export interface AllowedSources {
  readonly teams: readonly SourcePolicy[] | undefined
  /** Whether a cluster has a package already: a policy decides about what a command requests. */
  readonly isInstalled?: (repository: string) => boolean
}

/** A catalog that reads packages, and asks registries for tags, only from allowed sources. */
interface AllowedCatalog extends XpkgCatalog {
  /** Throws `policy-refused` if a package from another source was needed. @param reasons - why nothing else can be selected. */
  expectAllowed(reasons: readonly Diagnostic[]): void
}

/** Restricts a catalog to the sources of a policy. What needs another source is not selected if there is anything else. */
export function fromAllowedSources(
  catalog: XpkgCatalog,
  {teams, isInstalled}: AllowedSources,
): AllowedCatalog {
  const foreign = new Set<string>()
  const check = (repository: string) => {
    if (isInstalled?.(repository) === true || isAllowedSource(repository, teams)) return
    foreign.add(repository)
    const files = (teams ?? []).map(({file}) => file)
    throw new CrossplaneError('not-found', `${listNames(files)} does not allow its source`)
  }
  return {
    ...catalog,
    tags: async repository => {
      check(repository)
      return await catalog.tags(repository)
    },
    read: async (repository, ...version) => {
      check(repository)
      return await catalog.read(repository, ...version)
    },
    digestOf: async (repository, tag) => {
      check(repository)
      return await catalog.digestOf(repository, tag)
    },
    expectAllowed: reasons => {
      for (const repository of foreign) expectSource(repository, teams, reasons)
    },
  }
}

/** Throws `policy-refused` for selected packages that a policy does not allow, or too many of them. */
export function expectAllowedPackages(
  packages: readonly {readonly repository: string}[],
  teams: readonly SourcePolicy[] | undefined,
): void {
  const repositories = packages.map(({repository}) => repository)
  expectFew(repositories, teams)
  for (const repository of repositories) expectSource(repository, teams)
}

/** Does the same for the packages of a lock, of both formats together. */
export function expectAllowedLock(
  {packages, xpkgs = []}: Pick<Lock, 'packages' | 'xpkgs'>,
  teams: readonly SourcePolicy[] | undefined,
): void {
  expectAllowedPackages([...packages.map(({identity}) => ({repository: identity})), ...xpkgs], teams)
}
