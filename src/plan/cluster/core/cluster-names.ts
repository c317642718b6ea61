import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import {derivedName} from '../../../xpkg/package-name.js'
import type {CoreState} from './core-state.js'

/** Packages that are requested together, and the names that they get in a new cluster. */
interface NamedPackages {
  readonly packages: readonly Pick<ClosurePackage, 'repository' | 'kind' | 'dependencies'>[]
  readonly names: ReadonlyMap<string, string>
}

/**
 * Returns the names of requests in a cluster: one that exists keeps its name where the core makes no second request for it. That is
 * where nothing requires it, or where the core resolves no dependencies.
 * @param declared - the packages whose names a declaration says.
 */
export function clusterNames(
  {packages, names}: NamedPackages,
  core: Pick<CoreState, 'requests' | 'lock'>,
  {declared, isResolved}: {readonly declared: ReadonlySet<string>; readonly isResolved: boolean},
): ReadonlyMap<string, string> {
  const required = new Set(
    packages.flatMap(({repository, dependencies}) =>
      dependencies.flatMap(({package: name}) => (name === repository ? [] : [name])),
    ),
  )
  return new Map(
    packages.map(({repository, kind}) => {
      const name = names.get(repository) ?? ''
      const live = core.requests.filter(one => one.repository === repository && one.kind === kind)
      const isKept = !isResolved || (!required.has(repository) && !isRequiredInLock(repository, core))
      const stays = declared.has(repository) || !isKept || live.some(one => one.name === name)
      return [repository, stays ? name : (live[0]?.name ?? name)]
    }),
  )
}

/** Reports whether a package that the core resolves requires another one. It can have been resolved before, and skip now. */
export function isRequiredInLock(repository: string, {lock}: Pick<CoreState, 'lock'>): boolean {
  return lock.entries.some(
    entry => entry.repository !== repository && entry.dependencies.some(one => one.repository === repository),
  )
}

/** Reports whether a request has a name other than the core would give it. */
export function hasOwnName({
  name,
  repository,
}: {
  readonly name: string
  readonly repository: string
}): boolean {
  return name !== derivedName(repository)
}
