import {createHash} from 'node:crypto'
import type {Inventory} from './inventory.js'
import {readInventory} from './inventory-document.js'
import {inventoryTextHash} from './witness.js'

/** An inventory that was read, and the hash by which a witness names it. */
export interface HashedInventory {
  readonly inventory: Inventory
  readonly hash: string
}

/** Longer texts are not kept: one of them would displace those of many installs. */
const MAX_KEPT_LENGTH = 64 * 1024
/** The length of all texts together: anyone who may change the ConfigMap of an install can have others read. */
const MAX_LENGTH = 8 * 1024 * 1024

/** By the SHA-256 of their text. */
const inventories = new Map<string, HashedInventory>()
let length = 0

/**
 * Reads the text of an inventory. One of usual length is read and hashed once: a controller reads those of all installs in
 * each pass, and few have changed. Throws `inventory-invalid`; `place` is for messages.
 */
export function readOnce(text: string, place: string): HashedInventory {
  if (text.length > MAX_KEPT_LENGTH) return newlyRead(text, place)
  const key = createHash('sha256').update(text).digest('base64')
  const before = inventories.get(key)
  if (before !== undefined) return before
  const read = newlyRead(text, place)
  if (length + text.length > MAX_LENGTH) forget()
  inventories.set(key, read)
  length += text.length
  return read
}

function newlyRead(text: string, place: string): HashedInventory {
  const inventory = readInventory(text, place)
  return {inventory, hash: inventoryTextHash(text, place)}
}

function forget(): void {
  inventories.clear()
  length = 0
}
