import {createHash} from 'node:crypto'
import {CrossplaneError} from '../../errors.js'
import {LABEL_LENGTH, truncate} from '../../render/truncate.js'
import type {InstallId} from '../../render/install-set.js'
import {MANAGED_BY_LABEL} from '../../render/labels.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import type {Inventory} from './inventory.js'
import {formatInventory, invalidInventory} from './inventory-document.js'
import {type HashedInventory, readOnce} from './read-once.js'

/** The label of the ConfigMap that begins an inventory (`first`) and of those that continue it (`more`). */
export const INVENTORY_LABEL = 'kubectl-crossplane/inventory'
/** Selects all ConfigMaps of inventories. */
export const INVENTORY_SELECTOR = `${INVENTORY_LABEL} in (first,more)`
const INSTALL_LABEL = 'kubectl-crossplane/install'
const MANAGED_BY = 'kubectl-crossplane'

/** Bytes of text in one ConfigMap: a fourth of what the API server accepts of an object. */
export const MAX_CHUNK_BYTES = 256 * 1024
/** The maximum number of ConfigMaps of an inventory. */
export const MAX_CHUNKS = 32

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
const MAX_NAME_LENGTH = 253

/** The beginning of the names of an inventory's ConfigMaps. */
export const INVENTORY_PREFIX = 'crossplane-package.'

/** The name of the ConfigMap with which the inventory of an install begins. */
export function inventoryName({name}: InstallId): string {
  return truncate(`${INVENTORY_PREFIX}${name}`, MAX_NAME_LENGTH)
}

/**
 * Writes an inventory as ConfigMaps, the one that begins it last: it names the others by the hash of the whole text, so
 * that readers see either the old or the new inventory. Throws `limit-exceeded`.
 */
export function inventoryConfigMaps(inventory: Inventory): readonly KubernetesObject[] {
  const {install} = inventory
  const bytes = Buffer.from(asciiJson(formatInventory(inventory)))
  const hash = createHash('sha256').update(bytes).digest('hex')
  const chunks = Array.from({length: Math.ceil(bytes.length / MAX_CHUNK_BYTES)}, (_, index) =>
    bytes.subarray(index * MAX_CHUNK_BYTES, (index + 1) * MAX_CHUNK_BYTES).toString('latin1'),
  )
  if (chunks.length > MAX_CHUNKS) throw tooLarge(install)
  const [first = '', ...more] = chunks
  const names = more.map((_, index) => chunkName(inventoryName(install), hash, index + 1))
  return [
    ...more.map((inventoryText, index) => configMap(install, names[index] ?? '', 'more', {inventoryText})),
    configMap(install, inventoryName(install), 'first', {
      inventoryText: first,
      ...(more.length === 0 ? {} : {continuedIn: names.join(' '), sha256: hash}),
    }),
  ]
}

/** Reports whether an inventory fits into one ConfigMap, whose name does not depend on its content. */
export function isOneConfigMap(inventory: Inventory): boolean {
  return inventoryConfigMaps(inventory).length === 1
}

function tooLarge({namespace, name}: InstallId): CrossplaneError {
  const limit = (MAX_CHUNKS * MAX_CHUNK_BYTES) / 1024 / 1024
  return new CrossplaneError(
    'limit-exceeded',
    `cannot write the inventory of ${namespace}/${name}: it has more than ${limit} MiB`,
  )
}

/** The name of a ConfigMap that continues the one named `first`. */
function chunkName(first: string, hash: string, index: number): string {
  const suffix = `.${hash.slice(0, 8)}.${index}`
  return `${truncate(first, MAX_NAME_LENGTH - suffix.length)}${suffix}`
}

function configMap(
  {namespace, name: install}: InstallId,
  name: string,
  part: 'first' | 'more',
  {inventoryText, ...data}: Readonly<Record<string, string>>,
): KubernetesObject {
  const labels = {
    [MANAGED_BY_LABEL]: MANAGED_BY,
    [INVENTORY_LABEL]: part,
    [INSTALL_LABEL]: truncate(install, LABEL_LENGTH),
  }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace, name, labels},
    data: {'inventory.json': inventoryText ?? '', ...data},
  }
}

/**
 * The names of the ConfigMaps that continue the one that begins an inventory: as many as it names, with the names that this
 * program gives them.
 */
export function continuationsOf(first: JsonObject): readonly string[] {
  const {continuedIn, sha256} = asObject(first.data)
  if (continuedIn === undefined) return []
  const own = asText(asObject(first.metadata).name)
  const names = asText(continuedIn).split(' ', MAX_CHUNKS - 1)
  return names.map((_, index) => chunkName(own, asText(sha256), index + 1))
}

/** Reports whether a ConfigMap begins an inventory. */
export function isFirst({metadata}: KubernetesObject): boolean {
  return metadata.labels?.[INVENTORY_LABEL] === 'first'
}

/** The part of an inventory's text that a ConfigMap has. */
export function inventoryText({data}: JsonObject): string {
  return asText(asObject(data)['inventory.json'])
}

/** Reports whether this program could have generated a name to continue the ConfigMap `first`. */
export function isContinuation(name: string, first: string): boolean {
  return name.startsWith(first.slice(0, SURE_LENGTH)) && CONTINUATION.test(name)
}

/** The label selector of the ConfigMaps that continue the inventory of an install, now or before an interruption. */
export function continuationSelector({name}: InstallId): string {
  return `${INVENTORY_LABEL}=more,${INSTALL_LABEL}=${truncate(name, LABEL_LENGTH)}`
}

/** The length of a name's prefix that remains when a suffix is added to it. */
const SURE_LENGTH = 200
const CONTINUATION = /\.[0-9a-f]{8}\.\d{1,2}$/

/** Reads an inventory from its ConfigMaps, in the order of `continuationsOf`. Throws `inventory-invalid`. */
export function hashedInventoryOf(first: JsonObject, continuations: readonly JsonObject[]): HashedInventory {
  const {name, namespace} = asObject(first.metadata)
  const place = `${asText(namespace)}/${asText(name)}`
  const text = [first, ...continuations].map(inventoryText).join('')
  const {sha256} = asObject(first.data)
  if (sha256 !== undefined && sha256 !== createHash('sha256').update(text, 'latin1').digest('hex')) {
    throw invalidInventory(place, 'its parts do not match')
  }
  const read = readOnce(text, place)
  const {inventory} = read
  if (inventory.install.namespace !== namespace || inventoryName(inventory.install) !== name) {
    throw invalidInventory(place, 'it is the inventory of another install')
  }
  return read
}

/** Escapes characters that are not ASCII, so that a text can be split at any byte. */
function asciiJson(text: string): string {
  return text.replace(/[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
