import {inventoriesIn, readableRoles, type SeenInventory} from './read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {INVENTORY_LABEL, inventoryName} from '../../cluster/inventory/inventory-config-maps.js'
import {type IgnoredInventory, namedInstall} from '../../cluster/inventory/ignored-inventory.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Standing} from '../../cluster/inventory/standing.js'
import type {SystemRoles} from '../../cluster/inventory/system-role.js'
import type {Denial} from '../../health/health-snapshot.js'
import type {UnreadableInventory} from '../../plan/cluster/state/cluster-snapshot.js'
import {present} from '../../present.js'
import {compareText} from '../../reference/compare-text.js'
import type {EraName} from '../../reference/era-name.js'
import {ERAS} from '../../render/era.js'
import type {InstallId} from '../../reference/install-id.js'
import {type Claim, claimantOf} from '../../render/labels.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {listClaims} from './claimed-installs.js'
import {DeniedReads, ifAllowed} from '../objects/denied-reads.js'
import {labeledInstalls, labelKey} from './labeled-installs.js'
import {PAGE_SIZE} from '../objects/page-size.js'
import {listBounded, provenInstalls} from './list-bounded.js'

/** The source of an install: its inventory, its record or its request, the first that exists, or labels alone. */
const INSTALL_SOURCES = ['inventory', 'record', 'request', 'labels'] as const
export type InstallSource = (typeof INSTALL_SOURCES)[number]

/** An install of a cluster, regardless of the program that created it. */
export interface FoundInstall extends InstallId {
  readonly source: InstallSource
  readonly era: EraName
  /** Whether its inventory counts; absent without an inventory that can be read. */
  readonly standing?: Standing
  /** Only one that counts, or whose witness the user may not read. */
  readonly inventory?: Inventory
  readonly ignored?: IgnoredInventory
  readonly unreadable?: UnreadableInventory
  readonly record?: KubernetesObject
  readonly request?: KubernetesObject
  /** The labels of the record and of the request, which takes precedence. */
  readonly labels: Readonly<Record<string, string>>
  /** The label of a CRD that names the install, if nothing but claims is left of it. */
  readonly claim?: string
}

/** The installs of a cluster, and the permissions without which more could be found. */
export interface FoundInstalls {
  /** By namespace and name. */
  readonly installs: readonly FoundInstall[]
  /** By the kind of records or requests, or `LABELS`. */
  readonly denials: ReadonlyMap<string, Denial>
  /** The system roles, as far as the user may read them. */
  readonly roles: SystemRoles
  /** The namespace with whose inventories there were too many to read them all, if there were. */
  readonly floodedBy?: string
  /** The namespaces with more records and requests than were read. */
  readonly crowded: readonly string[]
  /** Whether the user may read the system roles. */
  readonly isVerified: boolean
}

/** The key of the denial that hides only installs of which only labels are left. */
export const LABELS = 'labels'

type Parts = Omit<FoundInstall, 'source' | 'labels'>

/**
 * Finds the installs of a namespace, or of all, in inventories, records, requests and labels of either era. Throws the
 * errors of the API, also where inventories must not be listed.
 * @param names - the only ones that are sought: if they have more than labels, those of others are not read.
 */
export async function findInstalls(
  api: ClusterApi,
  namespace: string | undefined,
  names?: readonly string[],
): Promise<FoundInstalls> {
  const byKey = new Map<string, Parts>()
  const add = (parts: Parts) => {
    const key = keyOf(parts)
    const before = byKey.get(key)
    // An object of another era with the same name is left over, or has another owner.
    if (before !== undefined && isReadable(before) && before.era !== parts.era) return
    byKey.set(key, {...before, ...parts})
  }
  const roles = await readableRoles(api)
  let floodedBy: string | undefined
  for await (const inventory of inventoriesIn(api, namespace, roles)) {
    if (inventory.standing === 'flooded') floodedBy = inventory.namespace
    else add(inventoried(inventory))
  }
  const reads = new DeniedReads()
  const proven = roles === undefined ? [...byKey.values()] : provenInstalls(roles)
  const crowded = new Set<string>()
  const bounds = {proven: () => Promise.resolve(proven), exceeded: (place: string) => crowded.add(place)}
  for (const era of Object.values(ERAS)) {
    const {apiVersion, kinds} = era
    const listed = (kind: string, part: 'record' | 'request') =>
      reads.attempt(`${kind} of ${apiVersion}`, async () => {
        for await (const object of listBounded(api, {apiVersion, kind}, namespace, bounds)) {
          add({...idOf(object), era: era.name, [part]: object})
        }
      })
    await listed(kinds.record, 'record')
    await listed(kinds.clusterRequest, 'request')
    await listed(kinds.namespacedRequest, 'request')
  }
  const isFound =
    namespace !== undefined && names?.every(name => byKey.has(keyOf({namespace, name}))) === true
  const readLabels = async () => {
    const labelKeys = new Set([...byKey.values()].map(labelKey))
    for (const parts of await labeledInstalls(api, namespace)) if (!labelKeys.has(labelKey(parts))) add(parts)
    const claimants = new Set([...byKey.values()].map(claimantOf))
    for (const claim of await claimsOf(api, namespace))
      if (!claimants.has(claimantOf(claim))) add(claimed(claim))
  }
  if (!isFound) await reads.attempt(LABELS, readLabels)
  const installs = [...byKey.values()].map(sourced).sort(byId)
  return {
    installs,
    denials: reads.denials,
    roles: roles ?? new Map(),
    ...present({floodedBy}),
    crowded: [...crowded].sort(compareText),
    isVerified: roles !== undefined,
  }
}

/** Adds the labels of inventories, which selectors can name. */
export async function withInventoryLabels(
  installs: readonly FoundInstall[],
  api: ClusterApi,
  namespace: string | undefined,
): Promise<readonly FoundInstall[]> {
  const labels = new Map<string, Readonly<Record<string, string>>>()
  const names = new Set(installs.map(install => `${install.namespace}/${inventoryName(install)}`))
  const selected = {labelSelector: `${INVENTORY_LABEL}=first`, metadataOnly: true}
  const options = {namespace, ...selected, pageSize: PAGE_SIZE}
  for await (const {metadata} of api.list({apiVersion: 'v1', kind: 'ConfigMap'}, options)) {
    const key = `${metadata.namespace ?? ''}/${metadata.name}`
    if (names.has(key)) labels.set(key, metadata.labels ?? {})
  }
  return installs.map(install => ({
    ...install,
    labels: {...labels.get(`${install.namespace}/${inventoryName(install)}`), ...install.labels},
  }))
}

/** Who may only read one namespace may as a rule not read CRDs. */
async function claimsOf(api: ClusterApi, namespace: string | undefined): Promise<readonly Claim[]> {
  const list = () => listClaims(api, namespace)
  return namespace === undefined ? await list() : await ifAllowed(list, [])
}

function claimed({namespace, name, era, label}: Claim): Parts {
  return {namespace, name, era, claim: label}
}

function isReadable({inventory, record, request}: Parts): boolean {
  return [inventory, record, request].some(part => part !== undefined)
}

function keyOf({namespace, name}: InstallId): string {
  return `${namespace}/${name}`
}

function idOf({metadata}: KubernetesObject): InstallId {
  return {namespace: metadata.namespace ?? '', name: metadata.name}
}

function byId(a: InstallId, b: InstallId): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name)
}

/** Of an inventory that cannot be read, or that does not count, only the name of its ConfigMap is known. */
function inventoried(seen: Exclude<SeenInventory, {readonly standing: 'flooded'}>): Parts {
  if (seen.standing === 'witnessed' || seen.standing === 'unverified') {
    const {standing, inventory} = seen
    const {namespace, name, era} = inventory.install
    return {namespace, name, era, standing, inventory}
  }
  if (seen.standing === 'unreadable') {
    return {...namedInstall(seen.namespace, seen.configMap), era: 'packages', unreadable: seen}
  }
  const {namespace, name, standing, era = 'packages'} = seen
  return {namespace, name, era, standing, ignored: seen}
}

function sourced(parts: Parts): FoundInstall {
  const {inventory, unreadable, ignored, record, request} = parts
  const isOnlyIgnored = record === undefined && request === undefined && ignored?.standing !== 'missing'
  const own = inventory ?? unreadable ?? (isOnlyIgnored ? ignored : undefined)
  const sources = {inventory: own, record, request, labels: parts}
  const source = INSTALL_SOURCES.find(text => sources[text] !== undefined) ?? 'labels'
  return {...parts, source, labels: {...record?.metadata.labels, ...request?.metadata.labels}}
}
