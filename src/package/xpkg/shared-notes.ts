import type {LockedXpkg} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {isDigest} from '../../reference/image-name.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import {
  type FormerSet,
  judgeShared,
  type ObjectHolder,
  type Requirers,
  sharedObjects,
} from '../../resolve/xpkg/shared-objects.js'
import type {XpkgCatalog, XpkgRoot} from '../../resolve/xpkg/xpkg-catalog.js'
import {formerContent, lockedVersion} from './former-content.js'
import type {InstalledFunction} from './unserved-uses.js'

/** What a set is judged by: the one that is locked or installed. */
export interface SharedQuery {
  readonly roots: readonly XpkgRoot[]
  /** The version of Crossplane; without one, the packages have to fit together under the rules of all versions. */
  readonly coreVersion?: string
  /** The lock to keep to. */
  readonly lock?: HeldLock
  /** Whether all of them are installed already, as they are. */
  readonly isInstalled?: boolean
  /** What a cluster has: the objects of its packages, their versions, and the Functions. */
  readonly installed?: {
    readonly holders: readonly ObjectHolder[]
    readonly locked: readonly LockedXpkg[]
    readonly functions: readonly InstalledFunction[]
  }
}

/** Judges objects of several packages by the set before. Throws `ambiguous-owner`. */
export async function sharedNotes(
  packages: readonly SelectedXpkg[],
  {roots, coreVersion, lock, isInstalled = false, installed}: SharedQuery,
  catalog: Pick<XpkgCatalog, 'read'>,
): Promise<readonly Diagnostic[]> {
  const selected = packages.map(({objects = [], ...one}) => ({...one, objects}))
  const others = (installed?.holders ?? []).filter(
    ({repository}) => !selected.some(one => one.repository === repository),
  )
  const holders: readonly ObjectHolder[] = [...selected, ...others]
  const locked = new Map(
    [...(installed?.locked ?? []), ...(lock?.lock.xpkgs ?? [])].map(one => [one.repository, one]),
  )
  const objectsOf: FormerSet['objectsOf'] = async repository => {
    const objects = holders.find(one => one.repository === repository)?.objects ?? []
    const own = selected.find(one => one.repository === repository)
    if (isInstalled || own === undefined) return objects
    const before = locked.get(repository)
    if (before === undefined) return undefined
    if (lockedVersion(before) === own.version) return objects
    const former = await formerContent(before, catalog)
    // One that cannot be read must not keep its set from being changed: it counts as one with the same objects.
    return 'reason' in former ? objects : (former.objects ?? [])
  }
  const besides = others.map(({repository, because = 'is installed'}) => [repository, because] as const)
  const reasons = new Map([...requirersOf(packages, roots), ...besides])
  return await judgeShared(sharedObjects(holders, coreVersion), reasons, {objectsOf, coreVersion})
}

function requirersOf(packages: readonly SelectedXpkg[], roots: readonly XpkgRoot[]): Requirers {
  const requested = new Set(roots.map(({repository}) => repository))
  const byName = new Map<string, string[]>()
  for (const {repository, version, dependencies} of packages)
    for (const {package: name} of dependencies)
      if (!requested.has(name))
        byName.set(name, [
          ...(byName.get(name) ?? []),
          isDigest(version) ? repository : `${repository}:${version}`,
        ])
  return byName
}
