import type {Lock, LockedXpkg} from '../../declaration/lock.js'
import {xpkgChanges} from '../../declaration/lock-changes.js'
import {CrossplaneError} from '../../errors.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {ChangedXpkg} from '../../plan/git/judge-xpkg-crds.js'
import {locatedXpkgs} from '../../resolve/xpkg/located-xpkgs.js'
import type {XpkgCatalog} from '../../resolve/xpkg/xpkg-catalog.js'

/** Reads both versions of the packages that a commit upgrades or downgrades. Throws for new versions that cannot be read. */
export async function changedXpkgs(
  before: Lock | undefined,
  {xpkgs: after = []}: Lock,
  packages: () => Promise<PackagePorts>,
): Promise<readonly ChangedXpkg[]> {
  const {packages: changes} = xpkgChanges(before?.xpkgs ?? [], after)
  const moved = changes.flatMap(({package: repository}) => {
    const [old, next] = [before?.xpkgs, after].map(xpkgs => xpkgs?.find(one => one.repository === repository))
    // Crossplane 2.3 and later do not install the CRDs of Functions.
    return old === undefined || next === undefined || next.kind === 'Function' ? [] : [{old, next}]
  })
  if (moved.length === 0) return []
  const catalog = locatedXpkgs(await packages())
  return await Promise.all(moved.map(({old, next}) => changedXpkg(old, next, catalog)))
}

async function changedXpkg(old: LockedXpkg, next: LockedXpkg, catalog: XpkgCatalog): Promise<ChangedXpkg> {
  return {
    repository: next.repository,
    versions: `${versionOf(old)} -> ${versionOf(next)}`,
    before: await formerObjects(old, catalog),
    after: await objectsOf(next, catalog),
  }
}

function versionOf({tag, digest = ''}: LockedXpkg): string {
  return tag ?? digest
}

async function objectsOf(xpkg: LockedXpkg, catalog: XpkgCatalog) {
  const {objects = []} = await catalog.read(xpkg.repository, versionOf(xpkg), xpkg.digest)
  return objects
}

async function formerObjects(xpkg: LockedXpkg, catalog: XpkgCatalog): Promise<ChangedXpkg['before']> {
  try {
    return await objectsOf(xpkg, catalog)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {reason: error.message}
  }
}
