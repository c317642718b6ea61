import type {LockedXpkg} from '../../declaration/lock.js'
import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import {compareVersions} from '../../reference/newest-version.js'
import {yankOf} from '../../resolve/xpkg/passed-over-xpkgs.js'
import {heldBackBy, holderOf, newestRelease} from '../../resolve/xpkg/held-back.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import type {XpkgClosure} from './closure.js'
import type {OutdatedPackage} from '../reports.js'

/** Compares the locked packages with a closure in which all of them are unlocked; those up to date are omitted. */
export function xpkgOutdated(
  locked: readonly LockedXpkg[],
  closure: XpkgClosure,
  coreVersion: string | undefined,
): readonly OutdatedPackage[] {
  return locked.flatMap(xpkg => comparison(xpkg, closure, coreVersion) ?? [])
}

function comparison(
  xpkg: LockedXpkg,
  closure: XpkgClosure,
  coreVersion: string | undefined,
): OutdatedPackage | undefined {
  const {repository} = xpkg
  const fitting = closure.packages.find(selected => selected.repository === repository)
  const newest = newestRelease(repository, closure)
  const versions = {
    package: repository,
    locked: versionOf(xpkg),
    ...present({fits: fitting?.version, newest}),
  }
  const yank = yankOf(xpkg, closure.yanked.get(repository))
  const block = fitting && blockOf(fitting, newest, closure, coreVersion)
  if (fitting === undefined || !isSame(xpkg, fitting)) {
    const reason = yank && `${yank.tag} was yanked: ${yank.reason}`
    return {...versions, ...(reason === undefined ? block : {reason}), status: 'outdated'}
  }
  if (yank !== undefined) return {...versions, status: 'yanked', reason: yank.reason}
  return block && {...versions, ...block}
}

function versionOf({tag, digest = ''}: LockedXpkg): string {
  return tag ?? digest
}

/** Undefined for the newest version. */
function blockOf(
  {repository, version}: SelectedXpkg,
  newest: string | undefined,
  closure: XpkgClosure,
  coreVersion: string | undefined,
): Pick<OutdatedPackage, 'status' | 'reason' | 'heldBackBy'> | undefined {
  if (newest === undefined || compareVersions(newest, version) >= 0) return undefined
  const passed = closure.passedOver.find(one => one.repository === repository && one.version === newest)
  if (passed !== undefined)
    return {status: 'held-back', reason: `${repository}:${newest} cannot be selected: ${passed.reason}`}
  const root = closure.roots.find(other => other.repository === repository)
  const restriction = root?.version ?? root?.constraint
  if (restriction !== undefined) {
    const requirement = `${repository} ${restriction}`
    return {status: 'pinned', reason: `${requirement} is requested`, heldBackBy: {requirement}}
  }
  return {
    status: 'held-back',
    reason: heldBackBy(repository, newest, closure, coreVersion),
    ...present({heldBackBy: holderOf(repository, newest, closure, coreVersion)}),
  }
}

/** A tag can be published again with other bytes. */
function isSame({tag, digest}: LockedXpkg, fitting: SelectedXpkg): boolean {
  if (isDigest(fitting.version)) return fitting.version === digest
  return tag === fitting.version && (digest === undefined || fitting.digest === digest)
}
