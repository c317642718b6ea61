import {asObject, asObjects, type JsonObject} from '../yaml/json-value.js'
import type {Lock, LockedPackage} from './lock.js'

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
