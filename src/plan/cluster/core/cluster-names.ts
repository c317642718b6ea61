import type {Diagnostic} from '../../../diagnostic.js'
import {requestName} from '../../../reference/named.js'
import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import {escaped} from '../../../text.js'
import {derivedName} from '../../../xpkg/package-name.js'
import type {CoreRequest, CoreState, LockEntry} from '../state/core-state.js'
import {resolverCommandIn} from './resolver-change.js'

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

function isRequiredInLock(repository: string, core: Pick<CoreState, 'lock'>): boolean {
  return requirersInLock(repository, core).length > 0
}

function requirersInLock(repository: string, {lock}: Pick<CoreState, 'lock'>): readonly LockEntry[] {
  return lock.entries.filter(
    entry => entry.repository !== repository && entry.dependencies.some(one => one.repository === repository),
  )
}

/**
 * Returns why the version of a package must not change under its name: the Lock has a package that requires it, also if that skips the
 * resolver now, and for a moment the core would miss the old version.
 */
export function lockRejections(
  {kind, name, repository}: Pick<CoreRequest, 'kind' | 'name' | 'repository'>,
  core: Pick<CoreState, 'requests' | 'lock'>,
): readonly Diagnostic[] {
  if (name === derivedName(repository) || !isRequiredInLock(repository, core)) return []
  const request = escaped(requestName({kind, name}))
  const isSkipping = core.requests.some(({isResolved}) => !isResolved)
  return [
    {
      severity: 'error',
      rule: 'xpkg-other-name',
      message: `the Lock of Crossplane has a package that requires ${escaped(repository)}, which is requested as ${request}: a change of its version would make Crossplane install it twice`,
      suggestions: [
        ...(isSkipping ? [resolverCommandIn(core, 'off')] : []),
        'kubectl get lock.pkg.crossplane.io lock --output yaml',
        `Keep the installed version of ${request} while the Lock has a package that requires it.`,
      ],
    },
  ]
}
