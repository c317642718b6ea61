import {CrossplaneError} from '../errors.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import {compactJson} from '../yaml/exact-json.js'
import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {writeYaml} from '../yaml/write-yaml.js'

/** Fields of the metadata that a restored object has, too. */
const KEPT = ['name', 'namespace', 'labels', 'annotations']
/**
 * Fields that are only written beside the status: the objects that they refer to can be gone when the object is
 * restored.
 */
const NOTED = ['uid', 'ownerReferences', 'finalizers']

/**
 * Returns an object in a form that creates it again: all fields except the status and the metadata that servers and
 * controllers set. Finalizers and owner references are left out: a restored object with finalizers could not be deleted
 * without its controller, and one with the uid of a former owner would be deleted.
 */
export function restorableObject({metadata, status: _status, ...fields}: KubernetesObject): JsonObject {
  return {...fields, metadata: fieldsOf(metadata, KEPT)}
}

/** Formats a restorable object. */
export function objectFile(object: KubernetesObject): string {
  return yamlOf(restorableObject(object))
}

const STATUS_HEADER = [
  '# The status when the backup was written, as comments, so that kubectl can create all objects of a folder.',
  "# To read it as YAML: sed -n 's/^#: //p' FILE",
]

/**
 * Formats the status of an object, and the metadata that is not restored, as comments of YAML: kubectl skips a file
 * without content. Undefined for an object without a status, finalizers and owner references.
 */
export function statusFile({apiVersion, kind, metadata, status}: KubernetesObject): string | undefined {
  const hasReferences = [metadata.finalizers, metadata.ownerReferences].some(isFilledArray)
  if (status === undefined && !hasReferences) return undefined
  const noted = fieldsOf(metadata, ['name', 'namespace', ...NOTED])
  const fields = {apiVersion, kind, metadata: noted, ...present({status})}
  const lines = yamlOf(fields).trimEnd().split('\n')
  return `${[...STATUS_HEADER, ...lines.map(line => `#: ${line}`)].join('\n')}\n`
}

function fieldsOf(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = object[name]
      return value === undefined || isEmptyObject(value) ? [] : [[name, value]]
    }),
  )
}

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}

function isFilledArray(value: JsonValue | undefined): boolean {
  return isJsonArray(value) && value.length > 0
}

/** Texts that are too long for the writer of YAML are written as JSON, which is YAML, too. */
function yamlOf(value: JsonValue): string {
  try {
    return writeYaml([value])
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'limit-exceeded') throw error
    return `${asciiOf(compactJson(value))}\n`
  }
}

/** Escapes characters that readers of YAML take for a line break. */
function asciiOf(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
