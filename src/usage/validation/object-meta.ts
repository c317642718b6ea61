import type {Schema} from '../../crd/schema-node.js'
import type {JsonObject} from '../../yaml/json-value.js'

const TEXT = {type: 'string', nullable: true}
const INTEGER = {type: 'integer', nullable: true}
const TEXT_MAP = {type: 'object', nullable: true, additionalProperties: {type: 'string'}}
const OBJECTS = {
  type: 'array',
  nullable: true,
  items: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
}

/** The fields of an ObjectMeta; a null counts as absent. */
const META_FIELDS: JsonObject = {
  annotations: TEXT_MAP,
  creationTimestamp: TEXT,
  deletionGracePeriodSeconds: INTEGER,
  deletionTimestamp: TEXT,
  finalizers: {type: 'array', nullable: true, items: {type: 'string'}},
  generateName: TEXT,
  generation: INTEGER,
  labels: TEXT_MAP,
  managedFields: OBJECTS,
  name: TEXT,
  namespace: TEXT,
  ownerReferences: OBJECTS,
  resourceVersion: TEXT,
  selfLink: TEXT,
  uid: TEXT,
}

/** The schema of the metadata of an object: a CRD can only restrict the name. */
export const OBJECT_META: Schema & {readonly properties: JsonObject} = {
  type: 'object',
  properties: META_FIELDS,
}
