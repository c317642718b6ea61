import {
  keptVersions,
  storedVersions,
  withKeptVersions,
  withStoredVersions,
} from '../../declaration/kept-versions.js'
import {installKey, type Lock, type LockedXpkg} from '../../declaration/lock.js'
import {CRD_KIND, isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {RenderedSets} from '../../package/rendered-sets.js'
import {isMigratable} from '../../plan/git/version-steps.js'
import {objectIn} from '../../plan/folder/object-in-file.js'
import type {InstallSet} from '../../render/install-set.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import type {TreeCluster} from './judge-in-cluster.js'

/** What decides which versions the CRDs of a tree keep. */
export interface KeptSources {
  /** Returns the texts of the tree's files in HEAD; absent if versions that get lost are not kept. */
  readonly before?: () => Promise<readonly string[]>
  /** Returns the texts of the tree's files in HEAD, by path. */
  readonly head?: () => Promise<ReadonlyMap<string, string>>
  readonly cluster?: TreeCluster | undefined
}

/**
 * Returns a lock with the versions that CRDs of the rendered set keep: those that it kept before, and those that the tree
 * loses otherwise. With a cluster, only those in which objects may be stored. Throws the errors of the API.
 */
export async function keepVersions(
  set: Pick<InstallSet, 'objects'>,
  lock: Lock,
  {before, cluster}: KeptSources,
): Promise<Lock> {
  const carried = keptVersions(lock)
  if (before === undefined && carried.size === 0) return lock
  const texts = before === undefined ? [] : await before()
  const crds = new Map(texts.flatMap(text => namedCrd(text)))
  const kept: [string, readonly JsonObject[]][] = []
  for (const {object} of set.objects) {
    if (!isCrd(object)) continue
    const {name} = object.metadata
    const versions = lostVersions(object, [...(carried.get(name) ?? []), ...versionsOf(crds.get(name))])
    const former = crds.get(name)
    if (versions.length === 0 || (former !== undefined && !isMigratable(former, object))) continue
    kept.push([name, await stillStored(name, versions, cluster)])
  }
  return withKeptVersions(lock, new Map(kept), ownerIn(set, lock))
}

/**
 * Returns a lock with the versions in which objects can be stored of xpkgs that only the tree has, such as one that was rendered without a
 * lock: for those of the lock before, it has them already.
 */
export async function rememberTree(
  treeReview: RenderedSets['treeReview'],
  {before, lock}: {readonly before: Lock | undefined; readonly lock: Lock},
  {head}: KeptSources,
): Promise<Lock> {
  const locked = new Set((before?.xpkgs ?? []).map(({repository}) => repository))
  const isLocked = (lock.xpkgs ?? []).every(({repository}) => locked.has(repository))
  if (isLocked || treeReview === undefined || head === undefined) return lock
  const {remembering} = await treeReview(await head(), locked)
  return remembering?.(lock) ?? lock
}

/** Returns a lock without the versions of xpkgs in which a cluster stores no objects. Throws the errors of the API. */
export async function keepStoredVersions(lock: Lock, cluster: TreeCluster | undefined): Promise<Lock> {
  if (cluster === undefined || lock.xpkgs === undefined) return lock
  const xpkgs: LockedXpkg[] = []
  for (const xpkg of lock.xpkgs) {
    const kept: [string, readonly string[]][] = []
    for (const [name, versions] of storedVersions(xpkg)) {
      const live = await cluster.api.get({...CRD_KIND, name})
      const stored = asTexts(asObject(live?.status).storedVersions)
      kept.push([name, live === undefined ? versions : versions.filter(version => stored.includes(version))])
    }
    xpkgs.push(withStoredVersions(xpkg, new Map(kept)))
  }
  return {...lock, xpkgs}
}

function namedCrd(text: string): readonly (readonly [string, JsonObject])[] {
  const crd = objectIn(text, CRD_KIND.kind)
  return crd === undefined ? [] : [[nameOf(crd).name, crd]]
}

function versionsOf(crd: JsonObject | undefined): readonly JsonObject[] {
  return asObjects(asObject(crd?.spec).versions)
}

/** The versions that a CRD lacks, each once. */
function lostVersions(crd: JsonObject, others: readonly JsonObject[]): readonly JsonObject[] {
  const own = new Set(versionsOf(crd).map(({name}) => asText(name)))
  return [...new Map(others.map(version => [asText(version.name), version])).values()].filter(
    ({name}) => !own.has(asText(name)),
  )
}

/** Without a cluster, or the CRD in it, nothing shows that no object is stored in a version. */
async function stillStored(
  name: string,
  versions: readonly JsonObject[],
  cluster: TreeCluster | undefined,
): Promise<readonly JsonObject[]> {
  const live = await cluster?.api.get({...CRD_KIND, name})
  if (live === undefined) return versions
  const stored = asTexts(asObject(live.status).storedVersions)
  return versions.filter(version => stored.includes(asText(version.name)))
}

function ownerIn(
  {objects}: Pick<InstallSet, 'objects'>,
  {packages}: Lock,
): (crd: string) => string | undefined {
  return crd => {
    const owners = objects.find(({object}) => isCrd(object) && object.metadata.name === crd)?.ownedBy ?? []
    const keys = owners.map(installKey)
    return packages.find(({installs}) => installs.some(install => keys.includes(installKey(install))))
      ?.identity
  }
}
