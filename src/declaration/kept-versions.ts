import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import type {Lock, LockedPackage, LockedXpkg} from './lock.js'

/** The versions that CRDs have besides those of their packages, until custom resources are migrated: by the name of the CRD. */
export type KeptVersions = ReadonlyMap<string, readonly JsonObject[]>

/** Fields that this program does not know stay in a lock: so earlier versions of it keep these versions as well. */
const FIELD = 'keptVersions'

/** Reads the versions that a lock keeps. */
export function keptVersions({packages}: Pick<Lock, 'packages'>): KeptVersions {
  return new Map(
    packages.flatMap(({more}) =>
      Object.entries(asObject(more[FIELD])).map(([crd, versions]) => [crd, asObjects(versions)] as const),
    ),
  )
}

/** Returns a lock that keeps these versions, and no others. @param ownerOf - returns the package of a CRD, by its identity. */
export function withKeptVersions(
  lock: Lock,
  kept: KeptVersions,
  ownerOf: (crd: string) => string | undefined,
): Lock {
  const packages = lock.packages.map((lockedPackage): LockedPackage => {
    const own = [...kept].filter(
      ([crd, versions]) => versions.length > 0 && ownerOf(crd) === lockedPackage.identity,
    )
    const {[FIELD]: _former, ...more} = lockedPackage.more
    return {...lockedPackage, more: own.length === 0 ? more : {...more, [FIELD]: Object.fromEntries(own)}}
  })
  return {...lock, packages}
}

/** The versions of CRDs besides those that a package stores, in which objects can be stored: by the name of the CRD. */
export type StoredVersions = ReadonlyMap<string, readonly string[]>

/** Reads the versions in which objects of a package for a current Crossplane can be stored, as `withStoredVersions` writes them. */
export function storedVersions({more}: Pick<LockedXpkg, 'more'>): StoredVersions {
  return new Map(
    Object.entries(asObject(more[FIELD])).map(([crd, versions]) => [
      crd,
      asObjects(versions).map(({name}) => asText(name)),
    ]),
  )
}

/** Returns a locked package with these versions, and no others. */
export function withStoredVersions(xpkg: LockedXpkg, stored: StoredVersions): LockedXpkg {
  const {[FIELD]: _former, ...more} = xpkg.more
  const own = [...stored].filter(([, versions]) => versions.length > 0)
  if (own.length === 0) return {...xpkg, more}
  const kept = own.map(([crd, versions]) => [crd, versions.map(name => ({name}))] as const)
  return {...xpkg, more: {...more, [FIELD]: Object.fromEntries(kept)}}
}
