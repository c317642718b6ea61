import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {type IgnoredInventory, namedInstall} from '../../cluster/inventory/ignored-inventory.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {
  INVENTORY_SELECTOR,
  inventoryName,
  MAX_CHUNK_BYTES,
} from '../../cluster/inventory/inventory-config-maps.js'
import {NamespaceInventories} from '../../cluster/inventory/namespace-inventories.js'
import {inventoryStanding, rolesOf, witnessesIn} from '../../cluster/inventory/standing.js'
import type {SystemRole, SystemRoles} from '../../cluster/inventory/system-role.js'
import {CrossplaneError} from '../../errors.js'
import type {ClusterSnapshot, UnreadableInventory} from '../../plan/cluster/state/cluster-snapshot.js'
import type {InstallId} from '../../reference/install-id.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {ifAllowed} from '../objects/denied-reads.js'
import {readOneInventory} from './read-one-inventory.js'
import {readSystemRoles} from './read-system-roles.js'

const CONFIG_MAP = {apiVersion: 'v1', kind: 'ConfigMap'}

/** Inventories are small: few requests read hundreds. Of ConfigMaps of any content, only as many as fit into memory. */
const PAGES = {pageSize: 200, ifLarge: {pageBytes: 4 * 1024 * 1024, pageSize: 25}}

/**
 * The maximum number of ConfigMaps to list, besides those that the system roles account for. Anyone who may create
 * ConfigMaps in one namespace can create thousands; beyond this number, only the inventories of system roles are read.
 */
const MAX_UNACCOUNTED = 1000
const MAX_PER_ROLE = 4
/** The same in bytes of data: a thousand ConfigMaps can have a gigabyte. */
const MAX_UNACCOUNTED_BYTES = 64 * 1024 * 1024

/** The inventories of a cluster. */
export type ReadInventories = Pick<
  ClusterSnapshot,
  'inventories' | 'unreadable' | 'ignored' | 'floodedBy' | 'roles'
>

/** An inventory, and whether it counts. */
export type SeenInventory =
  | {readonly standing: 'witnessed'; readonly inventory: Inventory}
  | {readonly standing: 'unverified'; readonly inventory: Inventory}
  | IgnoredInventory
  | (UnreadableInventory & {readonly standing: 'unreadable'})
  | {readonly standing: 'flooded'; readonly namespace: string}

/** Reads the inventories of a cluster, or of one namespace. Throws the errors of the API. */
export async function readInventories(api: ClusterApi, namespace?: string): Promise<ReadInventories> {
  return await collected(api, namespace, await readSystemRoles(api))
}

/** The same to show them: for a user who may not read roles, inventories count unverified. */
export async function readShownInventories(
  api: ClusterApi,
  namespace?: string,
): Promise<ReadInventories & {readonly isVerified: boolean}> {
  const roles = await readableRoles(api)
  return {...(await collected(api, namespace, roles)), isVerified: roles !== undefined}
}

/** The system roles of all installs; undefined if the user may not list them. Throws the other errors of the API. */
export async function readableRoles(api: ClusterApi): Promise<SystemRoles | undefined> {
  return await ifAllowed<SystemRoles | undefined>(() => readSystemRoles(api), undefined)
}

async function collected(
  api: ClusterApi,
  namespace: string | undefined,
  roles: SystemRoles | undefined,
): Promise<ReadInventories> {
  const inventories: Inventory[] = []
  const unreadable: UnreadableInventory[] = []
  const ignored: IgnoredInventory[] = []
  let floodedBy: string | undefined
  for await (const inventory of inventoriesIn(api, namespace, roles)) {
    if (inventory.standing === 'flooded') floodedBy = inventory.namespace
    else if (inventory.standing === 'unreadable') unreadable.push(inventory)
    else if (inventory.standing === 'witnessed' || inventory.standing === 'unverified')
      inventories.push(inventory.inventory)
    else ignored.push(inventory)
  }
  return {inventories, unreadable, ignored, ...present({floodedBy}), roles: roles ?? new Map()}
}

/**
 * Reads the same inventories one by one, so that a broken one does not hide others, and names those that are missing. One
 * list has all parts as of one moment, and those of a namespace in a row, so that only these are kept in memory. Throws the
 * errors of the API.
 */
export async function* inventoriesIn(
  api: Pick<ClusterApi, 'list' | 'get'>,
  namespace: string | undefined,
  roles: SystemRoles | undefined,
): AsyncIterable<SeenInventory> {
  const options = {namespace, labelSelector: INVENTORY_SELECTOR, managersOnly: true, ...PAGES}
  const installs = [...(roles?.values() ?? [])].flatMap(same => same.slice(0, 1))
  const own = installs.filter(role => (namespace ?? role.namespace) === role.namespace)
  const left = new Map(own.map(role => [placeOf(role), role]))
  const isRead = (place: string) => (name: string) => roles === undefined || left.has(`${place}/${name}`)
  const [maximum, maximumBytes] = [
    MAX_UNACCOUNTED + MAX_PER_ROLE * left.size,
    MAX_UNACCOUNTED_BYTES + MAX_PER_ROLE * MAX_CHUNK_BYTES * left.size,
  ]
  let parts = new NamespaceInventories('')
  let [listed, bytes] = [0, 0]
  for await (const configMap of api.list(CONFIG_MAP, options)) {
    const {namespace: place = ''} = configMap.metadata
    if (place !== parts.namespace) {
      yield* readEach(parts, roles)
      forget(parts, left)
      parts = new NamespaceInventories(place, isRead(place))
    }
    bytes += sizeOf(configMap)
    if (roles !== undefined && (++listed > maximum || bytes > maximumBytes)) {
      yield* unreadNames(parts)
      yield {standing: 'flooded', namespace: place}
      yield* readEachOf(left, roles, api)
      yield* missingOf(left, roles)
      return
    }
    parts.add(configMap)
  }
  yield* readEach(parts, roles)
  forget(parts, left)
  yield* missingOf(left, roles)
}

/** The system roles, by the name of their inventory, whose inventories have not been read. */
type UnreadRoles = Map<string, SystemRole>

function forget({namespace, firsts}: NamespaceInventories, left: UnreadRoles): void {
  for (const first of firsts) left.delete(`${namespace}/${first.metadata.name}`)
}

/** A witness proves that there was an inventory: the right to delete ConfigMaps must not make an install unknown. */
function* missingOf(left: UnreadRoles, roles: SystemRoles | undefined): Iterable<IgnoredInventory> {
  for (const {namespace, name, era} of left.values()) {
    if (witnessesIn(rolesOf(roles, {namespace, name}) ?? []).length === 0) continue
    yield {standing: 'missing', configMap: inventoryName({namespace, name}), namespace, name, era}
  }
}

function sizeOf({data, binaryData}: KubernetesObject): number {
  const texts = [data, binaryData].flatMap(texts => Object.values(asObject(texts)))
  return texts.reduce<number>((sum, text) => sum + asText(text).length, 0)
}

function placeOf(install: InstallId): string {
  return `${install.namespace}/${inventoryName(install)}`
}

/** Reads the inventories of installs one by one. */
async function* readEachOf(
  left: UnreadRoles,
  roles: SystemRoles,
  api: Pick<ClusterApi, 'get'>,
): AsyncIterable<SeenInventory> {
  for (const install of [...left.values()]) {
    const parts = await readOneInventory(install, api)
    yield* readEach(parts, roles)
    forget(parts, left)
  }
}

function* readEach(parts: NamespaceInventories, roles: SystemRoles | undefined): Iterable<SeenInventory> {
  yield* unreadNames(parts)
  for (const first of parts.firsts) yield seen(first, parts, roles)
}

/** Nothing proves who wrote the inventory of an install without a system role: it is not even read. */
function* unreadNames({namespace, unread}: NamespaceInventories): Iterable<IgnoredInventory> {
  for (const configMap of unread) {
    yield {standing: 'unwitnessed', configMap, ...namedInstall(namespace, configMap)}
  }
}

function seen(
  first: KubernetesObject,
  parts: NamespaceInventories,
  roles: SystemRoles | undefined,
): SeenInventory {
  const {namespace = '', name: configMap} = first.metadata
  try {
    const {inventory, hash} = parts.read(first)
    const {install} = inventory
    const standing = inventoryStanding(hash, rolesOf(roles, install))
    if (standing === 'witnessed' || standing === 'unverified') return {standing, inventory}
    return {standing, configMap, namespace, name: install.name, inventory}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'inventory-invalid') throw error
    const {message, suggestions} = error
    return {standing: 'unreadable', namespace, configMap, message, suggestions}
  }
}
