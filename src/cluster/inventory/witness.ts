import {createHash} from 'node:crypto'
import {parseJsonObject} from '../../fetch/json-document.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {present} from '../../present.js'
import type {VersionPin} from '../../resolve/resolution.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {PermissionScope} from '../../unpack/package.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {CONTENT_MANAGER} from '../claims.js'
import type {Inventory} from './inventory.js'
import {formatInventory} from './inventory-document.js'

/** The annotation of a system role that proves who wrote an inventory: only administrators can change roles. */
export const WITNESS_ANNOTATION = 'kubectl-crossplane/witness'

/** The field manager of witnesses. Objects from packages and repositories never have it. */
export const WITNESS_MANAGER = `${CONTENT_MANAGER}:witness`

const FORMAT = 1
/** Larger annotations are not read: a witness is a few hundred bytes. */
const MAX_LENGTH = 16 * 1024

/** What the system role of an install proves about its inventory. */
export interface Witness {
  /** The package with its tag; absent for an install of a hand-written record. */
  readonly package?: string
  readonly version?: string
  readonly digest?: string
  readonly scope: PermissionScope
  readonly pin?: VersionPin
  /** The hashes of the inventories that count: during a change, of those before and after. */
  readonly inventories: readonly string[]
}

/** The SHA-256 of an inventory, in all fields but those that change while its objects are applied. */
export function inventoryHash(inventory: Inventory): string {
  return inventoryTextHash(formatInventory(inventory), 'the inventory')
}

/**
 * The same of the text of an inventory. All fields of the document count, also those that this version does not know.
 * Throws as parsing does; `name` is for messages.
 */
export function inventoryTextHash(text: string, name: string): string {
  // Also the uids of the instances that an uninstall deletes: a user who removes an install may not grant its permissions.
  const {phase: _phase, deleting: _uids, objects, ...document} = parseJsonObject(Buffer.from(text), name)
  const witnessed = {...document, objects: asObjects(objects).map(withoutReadings)}
  return createHash('sha256').update(writeJson(witnessed)).digest('hex')
}

/** An object without its uid, and without what the server returned of it. */
function withoutReadings({
  uid: _uid,
  read: _read,
  generation: _generation,
  ...object
}: JsonObject): JsonObject {
  return object
}

/** Creates the witness of an install for inventories with the given hashes. */
export function witnessOf({install}: Inventory, inventories: readonly string[]): Witness {
  const {package: installed, scope, pin} = install
  return {
    ...(installed === undefined
      ? {}
      : {package: `${installed.identity}:${installed.tag}`, version: installed.version}),
    ...(installed?.digest === undefined ? {} : {digest: installed.digest}),
    scope,
    ...present({pin}),
    inventories: [...new Set(inventories)],
  }
}

/** The object to apply to write a witness: name and annotation alone; without a witness, it is removed. */
export function witnessObject(role: ObjectName, uid: string, witness: Witness | undefined): KubernetesObject {
  const {apiVersion, kind, name} = role
  if (witness === undefined) return {apiVersion, kind, metadata: {name, uid}}
  const text = JSON.stringify({format: FORMAT, ...witness})
  return {apiVersion, kind, metadata: {name, uid, annotations: {[WITNESS_ANNOTATION]: text}}}
}

/** Reads the witness among the annotations of a role; undefined for none that this program can have written. */
export function witnessIn({metadata}: KubernetesObject): Witness | undefined {
  const text = asText(asObject(metadata.annotations)[WITNESS_ANNOTATION])
  if (text === '' || text.length > MAX_LENGTH) return undefined
  const document = jsonIn(text)
  const {format, package: reference, version, digest, scope, pin, inventories} = document
  if (format !== FORMAT || (scope !== 'Cluster' && scope !== 'Namespaced')) return undefined
  return {
    ...(typeof reference === 'string' ? {package: reference} : {}),
    ...(typeof version === 'string' ? {version} : {}),
    ...(typeof digest === 'string' ? {digest} : {}),
    scope,
    ...(pin === undefined ? {} : {pin: asObject(pin)}),
    inventories: asTexts(inventories),
  }
}

function jsonIn(text: string): JsonObject {
  try {
    return parseJsonObject(Buffer.from(text), 'the witness')
  } catch {
    return {}
  }
}
