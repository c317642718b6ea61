import {CrossplaneError} from '../../errors.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {readRuntime} from '../../declaration/runtime/read-runtime.js'
import {present} from '../../present.js'
import {PULL_POLICIES} from '../../reference/pull-policy.js'
import {ERA_NAMES} from '../../reference/era-name.js'
import {escaped, shellWord} from '../../text.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  formatPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {
  Inventory,
  InventoriedInstall,
  InventoriedRequest,
  InventoryObject,
  Revision,
  RevisionContent,
} from './inventory.js'
import {MAX_REVISIONS} from './revisions.js'

const KIND = 'PackageInventory'
/** Inventories of other formats are rejected: reading only a part of one could delete objects of the rest. */
const FORMAT = 1

/** Writes an inventory as sorted JSON. */
export function formatInventory(inventory: Inventory): string {
  const {install, phase, toolVersion, objects, left, deleting, revisions} = inventory
  return writeJson({
    kind: KIND,
    format: FORMAT,
    install: defined(install),
    phase,
    toolVersion,
    objects: objects.map(defined),
    ...(left === undefined ? {} : {left: left.map(defined)}),
    ...present({deleting}),
    ...(revisions === undefined ? {} : {revisions: revisions.map(defined)}),
  })
}

/** Omits fields that are undefined, at any depth. */
function defined(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

/**
 * Reads an inventory, which anyone with access to the ConfigMap can have changed. Throws `inventory-invalid`; `name` is
 * the ConfigMap as NAMESPACE/NAME.
 */
export function readInventory(text: string, name: string): Inventory {
  const document = documentIn(text, name)
  const {kind, format, phase, toolVersion, objects, deleting, revisions} = document
  if (kind !== KIND || format !== FORMAT) throw invalidInventory(name, `not a ${KIND} of format ${FORMAT}`)
  const install = installIn(document.install)
  if (install === undefined) throw invalidInventory(name, 'the field install is incomplete')
  const wrong = [document.install, ...asObjects(revisions)]
    .map(runtimeError)
    .find(error => error !== undefined)
  if (wrong !== undefined) throw invalidInventory(name, wrong)
  const read = asObjects(objects).map(objectIn)
  if (!Array.isArray(objects) || read.length !== objects.length || read.includes(undefined)) {
    throw invalidInventory(name, 'the field objects is not a list of objects')
  }
  return {
    install,
    phase: phase === 'complete' ? 'complete' : 'changing',
    toolVersion: asText(toolVersion),
    objects: read.flatMap(object => object ?? []),
    ...leftIn(document.left),
    ...(deleting === undefined ? {} : {deleting: asTexts(deleting)}),
    ...revisionsIn(revisions, name),
  }
}

function documentIn(text: string, name: string): JsonObject {
  try {
    return parseJsonObject(Buffer.from(text), name)
  } catch (cause) {
    throw invalidInventory(name, 'not a JSON object', cause)
  }
}

/** Creates the error for an inventory that this program cannot have written. */
export function invalidInventory(name: string, why: string, cause?: unknown): CrossplaneError {
  const [namespace = '', configMap = ''] = name.split('/')
  return new CrossplaneError('inventory-invalid', `cannot read the inventory ${escaped(name)}: ${why}`, {
    cause,
    suggestions: [
      `kubectl get configmap ${shellWord(configMap)} --namespace ${shellWord(namespace)} --output yaml`,
    ],
  })
}

function installIn(value: JsonValue | undefined): InventoriedInstall | undefined {
  if (!isJsonObject(value)) return undefined
  const {namespace, name, mode} = value
  const content = contentIn(value)
  if (content === undefined || typeof namespace !== 'string' || typeof name !== 'string') return undefined
  return {
    namespace,
    name,
    ...content,
    mode: mode === 'requested' ? mode : 'auto',
    for: Object.fromEntries(Object.entries(asObject(value.for)).map(([by, texts]) => [by, asTexts(texts)])),
    ...mismatchesIn(value.acceptedMismatches),
  }
}

function contentIn(value: JsonObject): RevisionContent | undefined {
  const {scope} = value
  const era = ERA_NAMES.find(text => text === value.era)
  if (era === undefined || (scope !== 'Cluster' && scope !== 'Namespaced')) return undefined
  return {
    era,
    scope,
    ...pinIn(value.pin),
    ...packageIn(value.package),
    ...requestIn(value.request),
    ...settingsIn(value.settings),
  }
}

function leftIn(value: JsonValue | undefined): Pick<Inventory, 'left'> {
  const left = asObjects(value).map(({name, uid}) => ({name: asText(name), uid: asText(uid)}))
  return left.length === 0 ? {} : {left}
}

/** Throws `inventory-invalid` for revisions that this program cannot have written. */
function revisionsIn(value: JsonValue | undefined, inventory: string): Pick<Inventory, 'revisions'> {
  if (value === undefined) return {}
  const read = asObjects(value).map(revisionIn)
  const isIncreasing = read.every((revision, at) => revision && revision.number > (read[at - 1]?.number ?? 0))
  if (!Array.isArray(value) || read.length !== value.length || !isIncreasing) {
    throw invalidInventory(inventory, 'the field revisions is not a list of revisions')
  }
  return {revisions: read.flatMap(revision => revision ?? []).slice(-MAX_REVISIONS)}
}

function revisionIn(value: JsonObject): Revision | undefined {
  const {number, time, user, isPartial} = value
  const content = contentIn(value)
  if (content === undefined || typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined
  return {
    number,
    ...content,
    ...(typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? {time} : {}),
    ...(typeof user === 'string' ? {user} : {}),
    ...(isPartial === true ? {isPartial} : {}),
  }
}

function settingsIn(value: JsonValue | undefined): Pick<RevisionContent, 'settings'> {
  if (!isJsonObject(value)) return {}
  const {allowCorePermissions, allowFullDeployment, controllerImage, nonStructural, pin, templatesFrom} =
    value
  return {
    settings: {
      ...(allowCorePermissions === true ? {allowCorePermissions} : {}),
      ...(allowFullDeployment === true ? {allowFullDeployment} : {}),
      ...(typeof controllerImage === 'string' ? {controllerImage} : {}),
      ...(nonStructural === 'preserve' ? {nonStructural} : {}),
      ...(pin === false ? {pin} : {}),
      ...(templatesFrom === 'inline' || templatesFrom === 'image' ? {templatesFrom} : {}),
    },
  }
}

/** A runtime can give a controller settings that a declaration could not have: it is read as strictly. */
function runtimeError(install: JsonValue | undefined): string | undefined {
  const {runtime} = asObject(asObject(install).request)
  if (runtime === undefined) return undefined
  const [error] = readRuntime(runtime).errors
  return error && `the field ${formatPath(['request', 'runtime', ...error.path])} ${error.message}`
}

function packageIn(value: JsonValue | undefined): Pick<InventoriedInstall, 'package'> {
  if (!isJsonObject(value)) return {}
  const {digest, filesHash} = value
  return {
    package: {
      identity: asText(value.identity),
      tag: asText(value.tag),
      version: asText(value.version),
      ...(typeof digest === 'string' ? {digest} : {}),
      summaryHash: asText(value.summaryHash),
      ...(typeof filesHash === 'string' ? {filesHash} : {}),
    },
  }
}

function mismatchesIn(value: JsonValue | undefined): Pick<InventoriedInstall, 'acceptedMismatches'> {
  const mismatches = asObjects(value).map(({crd, owner}) => ({crd: asText(crd), owner: asText(owner)}))
  return mismatches.length === 0 ? {} : {acceptedMismatches: mismatches}
}

function pinIn(value: JsonValue | undefined): Pick<InventoriedInstall, 'pin'> {
  if (!isJsonObject(value)) return {}
  const {tag, digest, range} = value
  return {
    pin: {
      ...(typeof tag === 'string' ? {tag} : {}),
      ...(typeof digest === 'string' ? {digest} : {}),
      ...(typeof range === 'string' ? {range} : {}),
    },
  }
}

function requestIn(value: JsonValue | undefined): Pick<InventoriedInstall, 'request'> {
  if (!isJsonObject(value)) return {}
  const texts = (field: JsonValue | undefined) =>
    Object.fromEntries(Object.entries(asObject(field)).map(([key, text]) => [key, asText(text)]))
  const {package: reference, crd, source, imagePullPolicy} = value
  const policy = PULL_POLICIES.find(text => text === imagePullPolicy)
  const request: InventoriedRequest = {
    ...(typeof reference === 'string' ? {package: reference} : {}),
    ...(typeof crd === 'string' ? {crd} : {}),
    ...(typeof source === 'string' ? {source} : {}),
    ...present({imagePullPolicy: policy}),
    imagePullSecrets: asTexts(value.imagePullSecrets),
    serviceAccountAnnotations: texts(value.serviceAccountAnnotations),
    ...(value.runtime === undefined ? {} : {runtime: readRuntime(value.runtime).runtime}),
  }
  return {request}
}

function objectIn(value: JsonObject): InventoryObject | undefined {
  const {apiVersion, kind, namespace, name, uid, sent, read, generation, created} = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined
  return {
    apiVersion,
    kind,
    ...(typeof namespace === 'string' ? {namespace} : {}),
    name,
    ...(typeof uid === 'string' ? {uid} : {}),
    ...(typeof sent === 'string' ? {sent} : {}),
    ...(typeof read === 'string' ? {read} : {}),
    ...(typeof generation === 'number' ? {generation} : {}),
    ...(created === true ? {created} : {}),
  }
}
