import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {
  continuationsOf,
  hashedInventoryOf,
  isFirst,
  MAX_CHUNK_BYTES,
  MAX_CHUNKS,
  inventoryText,
} from './inventory-config-maps.js'
import {invalidInventory} from './inventory-document.js'
import type {HashedInventory} from './read-once.js'

/**
 * The maximum size of a namespace's inventories, which is that of the largest one: about 25,000 objects. Anyone who may
 * create ConfigMaps in a namespace can fill it, and must not prevent others from changing their own.
 */
const MAX_BYTES = MAX_CHUNKS * MAX_CHUNK_BYTES
/** Of the names of an inventory's other ConfigMaps: 31 of 253 characters. */
const MAX_OTHER_BYTES = 8 * 1024

/** The ConfigMaps of one namespace that inventories consist of, within limits. */
export class NamespaceInventories {
  readonly namespace: string
  readonly #isRead: (configMap: string) => boolean
  readonly #firsts: KubernetesObject[] = []
  readonly #unread: string[] = []
  readonly #continuations = new Map<string, KubernetesObject>()
  #bytes = 0

  /** `isRead` selects inventories by the names of the ConfigMaps that begin them; of others only that is kept. */
  constructor(namespace: string, isRead: (configMap: string) => boolean = () => true) {
    this.namespace = namespace
    this.#isRead = isRead
  }

  /** The ConfigMaps that begin the inventories that are not read. */
  get unread(): readonly string[] {
    return this.#unread
  }

  /** The ConfigMaps that begin an inventory. */
  get firsts(): readonly KubernetesObject[] {
    return this.#firsts
  }

  /** Adds a ConfigMap; keeps its text only within the limits. */
  add(configMap: KubernetesObject): void {
    const {name} = configMap.metadata
    if (isFirst(configMap) && !this.#isRead(name)) {
      this.#unread.push(name)
      return
    }
    const {length} = inventoryText(configMap)
    this.#bytes += length
    const {namespace = this.namespace} = configMap.metadata
    const named = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace, name}}
    const data = length > MAX_CHUNK_BYTES || this.#bytes > MAX_BYTES ? undefined : readData(configMap)
    const kept = data === undefined ? named : {...named, data}
    if (isFirst(configMap)) this.#firsts.push(kept)
    else this.#continuations.set(name, kept)
  }

  /** Reads the inventory that a ConfigMap begins. Throws `inventory-invalid`. */
  read(first: KubernetesObject): HashedInventory {
    const {name} = first.metadata
    const names = continuationsOf(first)
    const parts = [first, ...names.flatMap(text => this.#continuations.get(text) ?? [])]
    // Each ConfigMap continues one inventory only: together they are no larger than what was read.
    for (const text of names) this.#continuations.delete(text)
    if (parts.some(({data}) => data === undefined))
      throw invalidInventory(`${this.namespace}/${name}`, this.#why())
    return hashedInventoryOf(first, parts.slice(1))
  }

  #why(): string {
    if (this.#bytes <= MAX_BYTES) return `one of its ConfigMaps exceeds ${MAX_CHUNK_BYTES / 1024} KiB`
    return `the inventories of its namespace exceed ${MAX_BYTES / 1024 / 1024} MiB`
  }
}

/**
 * The data that inventories are read from; undefined if it is larger than any that is written. Anyone who may create a
 * ConfigMap can add a megabyte of other data and annotations.
 */
function readData(configMap: KubernetesObject): JsonObject | undefined {
  const {continuedIn, sha256} = asObject(configMap.data)
  const others = [continuedIn, sha256].map(asText)
  if (others.some(({length}) => length > MAX_OTHER_BYTES)) return undefined
  return {'inventory.json': inventoryText(configMap), ...present({continuedIn, sha256})}
}
