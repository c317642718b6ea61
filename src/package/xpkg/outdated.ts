import type {LockedXpkg} from '../../declaration/lock.js'
import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import {compareVersions} from '../../reference/newest-version.js'
import {yankOf} from '../../resolve/xpkg/passed-over-xpkgs.js'
import {heldBackBy, newestRelease} from '../../resolve/xpkg/held-back.js'
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
  const {repository, tag, digest = ''} = xpkg
  const fitting = closure.packages.find(selected => selected.repository === repository)
  const newest = newestRelease(repository, closure)
  const versions = {
    package: repository,
    locked: tag ?? digest,
    ...present({fits: fitting?.version, newest}),
  }
  const yank = yankOf(xpkg, closure.yanked.get(repository))
  if (fitting === undefined || !isSame(xpkg, fitting)) {
    const reason = yank && `${yank.tag} was yanked: ${yank.reason}`
    return {...versions, status: 'outdated', ...present({reason})}
  }
  if (yank !== undefined) return {...versions, status: 'yanked', reason: yank.reason}
  if (newest === undefined || isNewest(tag, newest)) return undefined
  return {...versions, ...blockOf(repository, newest, closure, coreVersion)}
}

function isNewest(tag: string | undefined, newest: string): boolean {
  return compareVersions(newest, tag ?? '') >= 0
}

function blockOf(
  repository: string,
  newest: string,
  closure: XpkgClosure,
  coreVersion: string | undefined,
): Pick<OutdatedPackage, 'status' | 'reason'> {
  const passed = closure.passedOver.find(one => one.repository === repository && one.version === newest)
  if (passed !== undefined)
    return {status: 'held-back', reason: `${repository}:${newest} cannot be selected: ${passed.reason}`}
  const root = closure.roots.find(other => other.repository === repository)
  const restriction = root?.version ?? root?.constraint
  return restriction === undefined
    ? {status: 'held-back', reason: heldBackBy(repository, newest, closure, coreVersion)}
    : {status: 'pinned', reason: `${repository} ${restriction} is requested`}
}

/** A tag can be published again with other bytes. */
function isSame({tag, digest}: LockedXpkg, fitting: SelectedXpkg): boolean {
  if (isDigest(fitting.version)) return fitting.version === digest
  return tag === fitting.version && (digest === undefined || fitting.digest === digest)
}
