import type {ResourceKind} from '../../../cluster/api/cluster-api.js'
import {claimManager, isAppliedBy} from '../../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {escaped} from '../../../text.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, asTexts, type JsonValue} from '../../../yaml/json-value.js'
import type {LostInstance} from '../../uninstall-impact.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {otherUsers} from './crd-users.js'
import {isSameInstall, whyKept} from '../state/ownership.js'

/** The instances of a CRD that lose their controller when installs are removed. */
export interface LostScope {
  readonly crd: ObjectName
  /** In a version that is served. */
  readonly kind: ResourceKind
  /** The namespaces of the instances; absent for all. */
  readonly within?: ReadonlySet<string>
  /** The namespaces whose instances keep a controller. */
  readonly servedIn: ReadonlySet<string>
}

/** Who deletes CRDs. */
export interface LostOptions {
  /** Whether all CRDs are kept. */
  readonly keepsCrds?: boolean | undefined
  /** Whether a package manager removes the install: it also deletes CRDs that the install did not create. */
  readonly isManaged?: boolean | undefined
}

/** The parts of a snapshot that decide whether CRDs are used. */
export type CrdUses = Pick<ClusterSnapshot, 'inventories' | 'live' | 'recorded'>

/**
 * Returns the instances of a CRD that lose their controller. If the CRD is deleted, too, these are all that no other
 * install serves; otherwise, a Namespaced install serves those in its namespace. Undefined if there are none, or if no
 * version is served.
 */
export function lostScope(
  crd: InventoryObject,
  removed: readonly Inventory[],
  uses: CrdUses,
  options: LostOptions = {},
): LostScope | undefined {
  const key = objectKey(crd)
  const liveCrd = uses.live.get(key)
  const kind = liveCrd && servedKind(liveCrd.spec)
  if (liveCrd === undefined || kind === undefined) return undefined
  const others = servingInstalls(liveCrd, key, removed, uses)
  if (others.some(({scope}) => scope === 'Cluster')) return undefined
  const own = removed.filter(({objects}) => objects.some(object => objectKey(object) === key))
  const isAll =
    isDeleted(liveCrd, crd, {removed, uses}, options) || own.some(({install}) => install.scope === 'Cluster')
  return {
    crd: {apiVersion: crd.apiVersion, kind: crd.kind, name: crd.name},
    kind,
    ...(isAll ? {} : {within: new Set(own.map(({install}) => install.namespace))}),
    servedIn: new Set(others.map(({namespace}) => namespace)),
  }
}

/** Reports whether an instance is among those that lose their controller. */
export function isLost({metadata}: KubernetesObject, {within, servedIn}: LostScope): boolean {
  const {namespace} = metadata
  if (namespace === undefined) return within === undefined
  return !servedIn.has(namespace) && within?.has(namespace) !== false
}

/** Reports whether a CRD is deleted with the removed installs. */
function isDeleted(
  liveCrd: KubernetesObject,
  crd: InventoryObject,
  {removed, uses}: {readonly removed: readonly Inventory[]; readonly uses: CrdUses},
  {keepsCrds = false, isManaged = false}: LostOptions,
): boolean {
  if (keepsCrds || !(isManaged || isCreated(liveCrd, objectKey(crd), removed))) return false
  const installs = removed.map(({install}) => install)
  return otherUsers(liveCrd, crd, installs, uses).length === 0
}

/** Reports whether one of the removed installs created a CRD. */
function isCreated(liveCrd: KubernetesObject, key: string, removed: readonly Inventory[]): boolean {
  return removed.some(inventory =>
    inventory.objects.some(
      object => objectKey(object) === key && whyKept(liveCrd, {inventory, object}) === undefined,
    ),
  )
}

/** The installs that stay and serve instances of a CRD. */
export function servingInstalls(
  liveCrd: KubernetesObject,
  key: string,
  removed: readonly Inventory[],
  {inventories}: CrdUses,
): readonly Inventory['install'][] {
  return inventories
    .filter(({install}) => !removed.some(inventory => isSameInstall(inventory.install, install)))
    .filter(({objects}) => objects.some(object => objectKey(object) === key))
    .map(({install}) => install)
    .filter(
      // Anyone who may edit ConfigMaps can name a CRD in an inventory: the claim has to be on the CRD.
      install => isAppliedBy(liveCrd, claimManager(install)),
    )
}

/** The kind that a CRD defines, in a version that is served. */
export function servedKind(spec: JsonValue | undefined): ResourceKind | undefined {
  const {group, names, versions} = asObject(spec)
  const served = asObjects(versions).find(version => version.served === true)
  if (served === undefined) return undefined
  return {apiVersion: `${asText(group)}/${asText(served.name)}`, kind: asText(asObject(names).kind)}
}

/** Describes an instance for users; an instance of which only the metadata is known has no policies. */
export function lostInstance({metadata, spec}: KubernetesObject): LostInstance {
  const {reclaimPolicy, deletionPolicy} = asObject(spec)
  const finalizers = asTexts(metadata.finalizers)
  return {
    ...(metadata.namespace === undefined ? {} : {namespace: escaped(metadata.namespace)}),
    name: escaped(metadata.name),
    ...(typeof reclaimPolicy === 'string' ? {reclaimPolicy: escaped(reclaimPolicy)} : {}),
    ...(typeof deletionPolicy === 'string' ? {deletionPolicy: escaped(deletionPolicy)} : {}),
    ...(finalizers.length === 0 ? {} : {finalizers: finalizers.map(escaped)}),
  }
}

/** An instance in a message: `team/mine (reclaimPolicy Retain, finalizer x)`. */
export function lostInstanceText(instance: LostInstance): string {
  const {namespace, name} = instance
  const facts = instanceFacts(instance)
  const text = namespace === undefined ? name : `${namespace}/${name}`
  return facts === '' ? text : `${text} (${facts})`
}

/** The effects of deleting an instance; empty if none are known. */
export function instanceFacts({reclaimPolicy, deletionPolicy, finalizers = []}: LostInstance): string {
  return [
    ...(reclaimPolicy === undefined ? [] : [`reclaimPolicy ${reclaimPolicy}`]),
    ...(deletionPolicy === undefined ? [] : [`deletionPolicy ${deletionPolicy}`]),
    ...finalizers.slice(0, SHOWN_FINALIZERS).map(finalizer => `finalizer ${finalizer}`),
  ].join(', ')
}

const SHOWN_FINALIZERS = 3
