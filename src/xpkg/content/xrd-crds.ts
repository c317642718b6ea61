import {schemaOf} from '../../kubernetes/crd-kind.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'

/**
 * Returns the CRDs that a current Crossplane derives from an XRD, that of its claims second: the same versions with the
 * fields that it adds. The schemas of the XRD must have been read as their Go type.
 */
export function crdsOfXrd(xrd: JsonObject): readonly KubernetesObject[] {
  const spec = asObject(xrd.spec)
  const scope = scopeOf(xrd.apiVersion, spec)
  const composite = crdOf(xrd, asObject(spec.names), scope, {
    category: 'composite',
    columns: columnsOf(scope),
    spec: specOf(scope, spec),
    status: statusOf(scope),
  })
  if (!isJsonObject(spec.claimNames)) return [composite]
  const claims = crdOf(xrd, spec.claimNames, 'Namespaced', {
    category: 'claim',
    columns: CLAIM_COLUMNS,
    spec: claimSpecOf(spec),
    status: statusOf('LegacyCluster'),
  })
  return [
    composite,
    {
      ...claims,
      metadata: {...claims.metadata, name: `${asText(spec.claimNames.plural)}.${asText(spec.group)}`},
    },
  ]
}

/** Returns the CRD that a current Crossplane derives from a ManagedResourceDefinition. */
export function crdOfMrd(mrd: JsonObject): KubernetesObject {
  const {group = '', names = {}, scope = '', versions = [], conversion} = asObject(mrd.spec)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: asText(asObject(mrd.metadata).name)},
    spec: {group, names, scope, versions, ...(isJsonObject(conversion) ? {conversion} : {})},
  }
}

type XrdScope = 'Namespaced' | 'Cluster' | 'LegacyCluster'

function scopeOf(apiVersion: JsonValue | undefined, {scope}: JsonObject): XrdScope {
  if (scope === 'Namespaced' || scope === 'Cluster' || scope === 'LegacyCluster') return scope
  return asText(apiVersion).endsWith('/v1') ? 'LegacyCluster' : 'Namespaced'
}

/** How the instances of an XRD select their Composition. */
export interface CompositionChoice {
  /** The name of the Composition that every instance uses; empty without any. */
  readonly enforced: string
  /** The name of the one that instances use if they select none; empty without any. */
  readonly fallback: string
  /** Whether updates of Compositions are manual for instances without a policy. */
  readonly isManual: boolean
  /** Whether the fields of Crossplane are in `spec.crossplane`, and all others are of the author. */
  readonly isModern: boolean
}

/** Returns how composite resources of an XRD, and their claims, select their Composition. */
export function compositionChoice({apiVersion, spec: own}: JsonObject): CompositionChoice {
  const spec = asObject(own)
  return {
    enforced: asText(asObject(spec.enforcedCompositionRef).name),
    fallback: asText(asObject(spec.defaultCompositionRef).name),
    isManual: spec.defaultCompositionUpdatePolicy === 'Manual',
    isModern: scopeOf(apiVersion, spec) !== 'LegacyCluster',
  }
}

/** What Crossplane adds to each version. */
interface Additions {
  readonly category: string
  readonly columns: readonly JsonObject[]
  readonly spec: JsonObject
  readonly status: JsonObject
}

function crdOf(xrd: JsonObject, names: JsonObject, scope: XrdScope, additions: Additions): KubernetesObject {
  const spec = asObject(xrd.spec)
  const metadata = asObject(xrd.metadata)
  const own = asObject(spec.metadata)
  const labels = {...asObject(metadata.labels), ...asObject(own.labels)}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: asText(metadata.name),
      labels: labels as Record<string, string>,
      annotations: asObject(own.annotations) as Record<string, string>,
    },
    spec: {
      group: spec.group ?? '',
      names: {...names, categories: [...asTexts(names.categories), additions.category]},
      scope: scope === 'Namespaced' ? scope : 'Cluster',
      versions: asObjects(spec.versions).map(version => versionOf(version, additions)),
      ...(isJsonObject(spec.conversion) ? {conversion: spec.conversion} : {}),
    },
  }
}

function versionOf(version: JsonObject, additions: Additions): JsonObject {
  const {name, served, referenceable, deprecated, deprecationWarning} = version
  const {scale} = asObject(version.subresources)
  const root = schemaOf(version)
  return {
    name: name ?? '',
    served: served === true,
    storage: referenceable === true,
    deprecated: deprecated === true,
    ...(typeof deprecationWarning === 'string' ? {deprecationWarning} : {}),
    additionalPrinterColumns: [...asObjects(version.additionalPrinterColumns), ...additions.columns],
    schema: {openAPIV3Schema: derivedSchema(root, additions)},
    subresources: {status: {}, ...(isJsonObject(scale) ? {scale} : {})},
  }
}

const RULES = 'x-kubernetes-validations'
const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
const MAX_NAME = 63

/** Of the root, spec and status, only some keywords are taken over. */
function derivedSchema(root: JsonObject, {spec, status}: Additions): JsonObject {
  const {metadata, spec: ownSpec, status: ownStatus} = asObject(root.properties)
  const {maxLength} = asObject(asObject(asObject(metadata).properties).name)
  const longest = typeof maxLength === 'number' && maxLength < MAX_NAME ? maxLength : MAX_NAME
  return {
    ...picked(root, ['description', RULES]),
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: {type: 'string'},
      kind: {type: 'string'},
      metadata: {type: 'object', properties: {name: {type: 'string', maxLength: longest}}},
      spec: objectOf(asObject(ownSpec), ['description', 'required', 'oneOf', RULES, PRESERVE], spec),
      status: objectOf(asObject(ownStatus), ['description', 'required', 'oneOf', RULES], status),
    },
  }
}

function objectOf(schema: JsonObject, keywords: readonly string[], added: JsonObject): JsonObject {
  return {...picked(schema, keywords), type: 'object', properties: {...asObject(schema.properties), ...added}}
}

function picked(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(keywords.flatMap(key => (schema[key] === undefined ? [] : [[key, schema[key]]])))
}

const TEXT: JsonObject = {type: 'string'}
const NAMED: JsonObject = {type: 'object', required: ['name'], properties: {name: TEXT}}
const LABELS: JsonObject = {
  type: 'object',
  required: ['matchLabels'],
  properties: {matchLabels: {type: 'object', additionalProperties: TEXT}},
}
const UPDATE_POLICY: JsonObject = {type: 'string', enum: ['Automatic', 'Manual']}
const SELECTED: JsonObject = {
  compositionRef: NAMED,
  compositionSelector: LABELS,
  compositionRevisionRef: NAMED,
  compositionRevisionSelector: LABELS,
}

function texts(names: readonly string[], required = names): JsonObject {
  return {type: 'object', required, properties: Object.fromEntries(names.map(name => [name, TEXT]))}
}

function withDefault(schema: JsonObject, value: JsonValue | undefined): JsonObject {
  return typeof value === 'string' ? {...schema, default: value} : schema
}

function specOf(scope: XrdScope, xrd: JsonObject): JsonObject {
  const names = ['apiVersion', 'name', ...(scope === 'Namespaced' ? [] : ['namespace']), 'kind']
  const fields = {
    ...SELECTED,
    compositionUpdatePolicy: withDefault(UPDATE_POLICY, xrd.defaultCompositionUpdatePolicy),
    resourceRefs: {
      type: 'array',
      items: texts(names, ['apiVersion', 'kind']),
      'x-kubernetes-list-type': 'atomic',
    },
  }
  if (scope !== 'LegacyCluster') return {crossplane: {type: 'object', properties: fields}}
  return {
    ...fields,
    claimRef: texts(['apiVersion', 'kind', 'namespace', 'name']),
    writeConnectionSecretToRef: texts(['name', 'namespace']),
  }
}

function claimSpecOf(xrd: JsonObject): JsonObject {
  const policy = {type: 'string', enum: ['Background', 'Foreground']}
  return {
    ...SELECTED,
    compositionUpdatePolicy: UPDATE_POLICY,
    compositeDeletePolicy: withDefault(policy, xrd.defaultCompositeDeletePolicy),
    resourceRef: texts(['apiVersion', 'kind', 'name']),
    writeConnectionSecretToRef: NAMED,
  }
}

const CONDITIONS: JsonObject = {
  type: 'array',
  'x-kubernetes-list-map-keys': ['type'],
  'x-kubernetes-list-type': 'map',
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: {type: 'string', format: 'date-time'},
      message: TEXT,
      reason: TEXT,
      status: TEXT,
      type: TEXT,
      observedGeneration: {type: 'integer', format: 'int64'},
    },
  },
}

function statusOf(scope: XrdScope): JsonObject {
  if (scope !== 'LegacyCluster') return {conditions: CONDITIONS}
  return {
    conditions: CONDITIONS,
    connectionDetails: {
      type: 'object',
      properties: {lastPublishedTime: {type: 'string', format: 'date-time'}},
    },
    claimConditionTypes: {type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set'},
  }
}

function column(name: string, type: string, jsonPath: string): JsonObject {
  return {name, type, jsonPath}
}

const SYNCED = column('SYNCED', 'string', ".status.conditions[?(@.type=='Synced')].status")
const READY = column('READY', 'string', ".status.conditions[?(@.type=='Ready')].status")
const AGE = column('AGE', 'date', '.metadata.creationTimestamp')
const SECRET = column('CONNECTION-SECRET', 'string', '.spec.writeConnectionSecretToRef.name')
const CLAIM_COLUMNS = [SYNCED, READY, SECRET, AGE]

function columnsOf(scope: XrdScope): readonly JsonObject[] {
  const within = scope === 'LegacyCluster' ? '.spec' : '.spec.crossplane'
  return [
    ...[SYNCED, READY, column('COMPOSITION', 'string', `${within}.compositionRef.name`)],
    {...column('COMPOSITIONREVISION', 'string', `${within}.compositionRevisionRef.name`), priority: 1},
    AGE,
  ]
}
