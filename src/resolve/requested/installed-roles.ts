import {grouped} from '../../grouped.js'
import type {InstallId} from '../../reference/install-id.js'
import type {Places} from '../placement.js'
import type {Root} from '../solver-input.js'
import type {InstalledPackage, InstalledState} from './installed-package.js'

/**
 * The part that an install has in a resolution: `named` by the command; `free` to move with these, because only they
 * require it; `fixed` at its version; `apart`, because installs of its package already have different versions; or
 * `ignored`, a request object in a namespace that the command is not about.
 */
export type InstalledRole = 'named' | 'free' | 'fixed' | 'apart' | 'ignored'

/** Returns the role of each installed package. A command changes only what it names. */
export function installedRoles(
  {packages, upgraded}: Pick<InstalledState, 'packages' | 'upgraded'>,
  requested: readonly Root[],
  places: Places,
): ReadonlyMap<InstalledPackage, InstalledRole> {
  const {systemNamespace, contextNamespace, dependencyNamespace} = places
  const own = new Set([
    systemNamespace,
    contextNamespace,
    dependencyNamespace,
    ...requested.map(({namespace}) => namespace),
  ])
  const counted = packages.filter(
    ({inventory, isOnlyWitnessed = false, namespace}) =>
      inventory !== undefined || isOnlyWitnessed || own.has(namespace),
  )
  const divided = dividedIdentities(counted)
  const isNamed = (installedPackage: InstalledPackage) =>
    upgraded.has(installedPackage.identity) || requested.some(root => namesInstall(root, installedPackage))
  const free = movingIds(counted, counted.filter(isNamed))
  const roleOf = (installedPackage: InstalledPackage): InstalledRole => {
    if (!counted.includes(installedPackage)) return 'ignored'
    if (isNamed(installedPackage)) return 'named'
    if (divided.has(installedPackage.identity)) return 'apart'
    return free.has(idOf(installedPackage)) ? 'free' : 'fixed'
  }
  return new Map(packages.map(installedPackage => [installedPackage, roleOf(installedPackage)]))
}

/** A package names all its installs; with a namespace, those in it. */
function namesInstall(
  {requirement, namespace}: Root,
  {identity, namespace: place}: InstalledPackage,
): boolean {
  if (requirement.form !== 'package' || requirement.identity !== identity) return false
  return namespace === undefined || namespace === place
}

function dividedIdentities(packages: readonly InstalledPackage[]): ReadonlySet<string> {
  const byIdentity = grouped(packages, ({identity}) => identity)
  const versionOf = ({tag, digest = ''}: InstalledPackage) => `${tag}@${digest}`
  return new Set(
    [...byIdentity].flatMap(([identity, same]) => (new Set(same.map(versionOf)).size > 1 ? [identity] : [])),
  )
}

/** The named installs, and those that were installed only for them. */
function movingIds(
  packages: readonly InstalledPackage[],
  named: readonly InstalledPackage[],
): ReadonlySet<string> {
  const existing = new Set(packages.map(idOf))
  const moving = new Set(named.map(idOf))
  for (let size = -1; size !== moving.size;) {
    size = moving.size
    for (const installedPackage of packages) {
      const dependents = Object.keys(installedPackage.for).filter(by => existing.has(by))
      if (
        installedPackage.mode === 'auto' &&
        dependents.length > 0 &&
        dependents.every(by => moving.has(by))
      ) {
        moving.add(idOf(installedPackage))
      }
    }
  }
  return moving
}

function idOf({namespace, name}: InstallId): string {
  return `${namespace}/${name}`
}
