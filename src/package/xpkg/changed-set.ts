import {type StoredVersions, storedVersions, withStoredVersions} from '../../declaration/kept-versions.js'
import {type Lock, type LockedXpkg, lockedName} from '../../declaration/lock.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {ChangedXpkg, XpkgSetChange, XpkgVersion} from '../../plan/git/xpkg-losses.js'
import {locatedXpkgs} from '../../resolve/xpkg/located-xpkgs.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import type {XpkgCatalog} from '../../resolve/xpkg/xpkg-catalog.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {crdSpecs} from '../../xpkg/content/crd-specs.js'
import {present} from '../../present.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import {ownVersions} from '../../crd/convert/convert-crd.js'
import {asText} from '../../yaml/json-value.js'
import type {ReadRequest} from '../../pipeline/request/read-request.js'
import {formerContent, lockedVersion} from './former-content.js'
import {packageFiles} from './package-files.js'
import type {XpkgClosure} from './closure.js'

/** A change of a set, and the files of its new versions, which have the schemas. */
export interface ChangedXpkgSet {
  readonly set: XpkgSetChange
  readonly filesOf: (repository: string) => Promise<readonly PackageFile[]>
}

/** Compares a resolution with the lock before, and offers the files of what it selected. */
export async function changeOf(
  before: readonly LockedXpkg[],
  {packages, names, roots}: Pick<XpkgClosure, 'packages' | 'names' | 'roots'>,
  {packages: ports, policy: {coreVersion}}: Pick<ReadRequest, 'packages' | 'policy'>,
): Promise<ChangedXpkgSet> {
  const set = await changedSet(before, {packages, names}, locatedXpkgs(ports), coreVersion)
  return {set, filesOf: filesOfSelected({packages, roots}, ports)}
}

/** Reads the files of selected packages, by repository; none of others. */
export function filesOfSelected(
  {packages, roots}: Pick<XpkgClosure, 'packages' | 'roots'>,
  ports: PackagePorts,
): ChangedXpkgSet['filesOf'] {
  return async repository => {
    const selected = packages.find(one => one.repository === repository)
    return selected === undefined ? [] : await packageFiles(selected, roots, ports)
  }
}

/** A package as it was in use before. */
export type FormerXpkg = Pick<LockedXpkg, 'repository' | 'name' | 'tag' | 'digest' | 'more'>

/** Compares a resolution with what was in use before; reads the former version of each package that changes. */
export async function changedSet(
  before: readonly FormerXpkg[],
  {packages: after, names}: Pick<XpkgClosure, 'packages' | 'names'>,
  catalog: Pick<XpkgCatalog, 'read'>,
  coreVersion?: string,
): Promise<XpkgSetChange> {
  const installed = (version: SelectedXpkg) => ({
    ...versionOf(version, coreVersion),
    ...present({name: names.get(version.repository)}),
  })
  const next = new Map(after.map(one => [one.repository, one]))
  const changed = before.filter(old => {
    const now = next.get(old.repository)
    return now === undefined || now.version !== lockedVersion(old) || isRebuilt(old, now)
  })
  const changes = await Promise.all(
    changed.map(async (old): Promise<ChangedXpkg> => {
      const {repository} = old
      const now = next.get(repository)
      const versions = now === undefined ? lockedVersion(old) : `${lockedVersion(old)} -> ${now.version}`
      const former = await formerContent(old, catalog)
      return {
        ...{repository, versions, kept: storedVersions(old)},
        before: 'reason' in former ? former : {...versionOf(former, coreVersion), name: lockedName(old)},
        ...(now === undefined ? {} : {after: installed(now)}),
      }
    }),
  )
  return {changes, after: after.map(one => ({repository: one.repository, ...installed(one)}))}
}

/** The versions of locked packages, and why others could not be read. */
export interface LockedVersions {
  readonly read: XpkgSetChange['after']
  /** As `REPOSITORY: REASON`. */
  readonly unread: readonly string[]
}

/** Reads locked packages that stay as they are. */
export async function lockedVersions(
  locked: readonly LockedXpkg[],
  catalog: Pick<XpkgCatalog, 'read'>,
  coreVersion?: string,
): Promise<LockedVersions> {
  const contents = await Promise.all(
    locked.map(async xpkg => {
      const content = await formerContent(xpkg, catalog)
      return {repository: xpkg.repository, name: lockedName(xpkg), content}
    }),
  )
  return {
    read: contents.flatMap(({repository, name, content}) =>
      'reason' in content ? [] : [{repository, name, ...versionOf(content, coreVersion)}],
    ),
    unread: contents.flatMap(({repository, content}) =>
      'reason' in content ? [`${repository}: ${content.reason}`] : [],
    ),
  }
}

function isRebuilt({digest}: Pick<LockedXpkg, 'digest'>, now: SelectedXpkg): boolean {
  return digest !== undefined && now.digest !== undefined && digest !== now.digest
}

function versionOf(
  {kind, capabilities = [], objects = []}: Omit<SelectedXpkg, 'repository' | 'version' | 'dependencies'>,
  coreVersion: string | undefined,
): XpkgVersion {
  // Crossplane 2.3 and later do not install the objects of Functions.
  const isInert = kind === 'Function' && isSince(coreVersion, SINCE.newRules)
  return {kind, capabilities, objects: isInert ? [] : objects}
}

/**
 * Returns a lock whose xpkgs have the versions in which objects can be stored: those that the lock before has, and those that
 * the versions before stored. They stay until a commit that sees the cluster drops them.
 */
export function rememberingStored(lock: Lock, {changes}: XpkgSetChange): Lock {
  if (lock.xpkgs === undefined) return lock
  const xpkgs = lock.xpkgs.map(xpkg => {
    const change = changes.find(({repository}) => repository === xpkg.repository)
    return change?.after === undefined ? xpkg : withStoredVersions(xpkg, storedAfter(change, change.after))
  })
  return {...lock, xpkgs}
}

function storedAfter({before, kept}: ChangedXpkg, {objects}: XpkgVersion): StoredVersions {
  const former = 'reason' in before ? new Map<string, never>() : crdSpecs(before.objects)
  return new Map(
    [...crdSpecs(objects)].map(([crd, spec]) => {
      const stored = new Set([...(kept.get(crd) ?? []), ...storedIn(former.get(crd))])
      for (const version of storedIn(spec)) stored.delete(version)
      return [crd, [...stored].sort()]
    }),
  )
}

function storedIn(spec: Parameters<typeof ownVersions>[0] | undefined): readonly string[] {
  return spec === undefined
    ? []
    : ownVersions(spec).flatMap(({name, storage}) => (storage === true ? [asText(name)] : []))
}
