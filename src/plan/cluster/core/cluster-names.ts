import type {Diagnostic} from '../../../diagnostic.js'
import {requestName} from '../../../reference/named.js'
import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import {escaped, shellWord} from '../../../text.js'
import {derivedName} from '../../../xpkg/package-name.js'
import {asObject} from '../../../yaml/json-value.js'
import type {CoreRequest, CoreState, LockEntry} from './core-state.js'

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
  const removals = requirersInLock(repository, core).flatMap(entry => {
    const requirer = core.requests.find(one => one.repository === entry.repository && !one.isResolved)
    return requirer === undefined ? [] : removalOf(entry, requirer)
  })
  return [
    {
      severity: 'error',
      rule: 'xpkg-other-name',
      message: `the Lock of Crossplane has a package that requires ${escaped(repository)}, which is requested as ${request}: a change of its version would make Crossplane install it twice`,
      suggestions: [
        'kubectl get lock.pkg.crossplane.io lock --output yaml',
        ...removals,
        `Keep the installed version of ${request} while the Lock has a package that requires it.`,
      ],
    },
  ]
}

/**
 * A revision that is inactive for a moment leaves the Lock, and does not come back if its request skips the resolver. The kind is that of
 * the request: in the Lock it is any text.
 */
function removalOf({name}: LockEntry, {kind, object}: CoreRequest): readonly string[] {
  const revision = shellWord(requestName({kind: `${kind}Revision`, name}))
  const isManual = asObject(object.spec).revisionActivationPolicy === 'Manual'
  return [
    `kubectl patch ${revision} --type merge --patch '{"spec":{"desiredState":"Inactive"}}'`,
    ...(isManual
      ? [
          `Set it to Active again afterwards, as its activation policy is Manual: kubectl patch ${revision} --type merge --patch '{"spec":{"desiredState":"Active"}}'`,
        ]
      : []),
  ]
}
