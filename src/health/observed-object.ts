import {isCrd} from '../kubernetes/crd-kind.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import {type Sha256, sha256Of} from '../plan/sha256.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {writeJson} from '../yaml/write-yaml.js'
import {ownedFields} from './owned-fields.js'

/**
 * An object without its large parts: schemas of CRDs, and managed fields, of which the hash and the managers are kept.
 */
export interface ObservedObject {
  readonly object: KubernetesObject
  /**
   * The hashes that the fields which this program applied can have in an inventory; none if it applied none. There are
   * several where managed fields do not distinguish sent fields from defaults of the API server.
   */
  readonly applied: readonly Sha256[]
  /** The other managers that changed the object by an update, in the order of the server; untrusted text. */
  readonly managers: readonly string[]
  /** When the object was created or its fields were changed last, but for those of its status. */
  readonly changed: string
}

/** Keeps the parts of an object that health depends on. */
export function observedObject(object: KubernetesObject): ObservedObject {
  const {managedFields, ...metadata} = object.metadata
  const entries = asObjects(managedFields).filter(({subresource}) => subresource === undefined)
  const own = entries.find(({manager, operation}) => manager === CONTENT_MANAGER && operation === 'Apply')
  const managers = entries
    .map(({manager}) => asText(manager))
    .filter(manager => manager !== CONTENT_MANAGER && !manager.startsWith(`${CONTENT_MANAGER}:`))
  return {
    object: withoutSchemas({...object, metadata}),
    applied: own === undefined ? [] : appliedHashes(object, asObject(own.fieldsV1)),
    managers: [...new Set(managers)],
    changed: [metadata.creationTimestamp, ...entries.map(({time}) => time)].map(asText).sort().at(-1) ?? '',
  }
}

/**
 * Returns the hashes that `readHash` gives for a live object and the fields that were sent: managed fields name these.
 */
function appliedHashes(live: KubernetesObject, fields: JsonObject): readonly Sha256[] {
  const {apiVersion, kind, metadata} = live
  const {name, namespace} = metadata
  const identity = {name, ...present({namespace})}
  const owns = [(field: string) => ATOMIC.includes(field), () => true].map(isAtomic =>
    asObject(ownedFields(live, fields, isAtomic)),
  )
  const candidates = different(owns).flatMap(owned => {
    const all = {...owned, apiVersion, kind, metadata: {...asObject(owned.metadata), ...identity}}
    // Of CRDs, an inventory has the hash of the metadata, beside the generation: see `objectState`.
    return isCrd({kind}) ? [all, {metadata: all.metadata}] : [all, withoutDefaults(all)]
  })
  return different(candidates).map(candidate => sha256Of(writeJson(candidate)))
}

/** Most objects have nothing that managed fields do not distinguish, and comparing takes less than hashing. */
function different<Value extends JsonValue>(values: readonly Value[]): readonly Value[] {
  return values.filter((value, index) => !values.slice(0, index).some(other => jsonEqual(value, other)))
}

/** The fields of Deployments and bindings with `x-kubernetes-map-type: atomic`. */
const ATOMIC = [
  'configMapKeyRef',
  'dataSource',
  'fieldRef',
  'fileKeyRef',
  'labelSelector',
  'namespaceSelector',
  'nodeSelector',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'resourceFieldRef',
  'roleRef',
  'secretKeyRef',
  'selector',
]

/** The defaults that API servers add to fields that are owned as a whole, by the name of the field. */
const DEFAULTS: Readonly<Record<string, JsonObject>> = {
  fieldRef: {apiVersion: 'v1'},
  resourceFieldRef: {divisor: '0'},
}

function withoutDefaults(value: JsonValue, within = ''): JsonValue {
  if (isJsonArray(value)) return value.map(item => withoutDefaults(item))
  if (!isJsonObject(value)) return value
  const defaults = DEFAULTS[within] ?? {}
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, set]) => defaults[name] !== set)
      .map(([name, set]) => [name, withoutDefaults(set, name)]),
  )
}

function withoutSchemas(object: KubernetesObject): KubernetesObject {
  const {spec} = object
  if (!isCrd(object) || !isJsonArray(asObject(spec).versions)) return object
  const versions = asObjects(asObject(spec).versions).map(({schema: _schema, ...version}) => version)
  return {...object, spec: {...asObject(spec), versions}}
}
