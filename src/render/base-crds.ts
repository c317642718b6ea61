import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import type {JsonObject} from '../yaml/json-value.js'
import {type Era, pluralOf} from './era.js'

/** The CRDs of an era's own API group: requests, records and template definitions. */
export function baseCrds(era: Era): KubernetesObject[] {
  const {clusterRequest, namespacedRequest, record, definition} = era.kinds
  const requestStatus = object({
    conditionedStatus,
    installJob: objectReference,
    [era.recordField]: objectReference,
    ...managerStatus,
  })
  return [
    crd(era, {kind: clusterRequest, spec: requestSpec, status: requestStatus, columns: REQUEST_COLUMNS}),
    crd(era, {kind: namespacedRequest, spec: requestSpec, status: requestStatus, columns: REQUEST_COLUMNS}),
    crd(era, {kind: record, spec: recordSpec, status: recordStatus, columns: RECORD_COLUMNS}),
    crd(era, {kind: definition, spec: definitionSpec}),
  ]
}

interface Served {
  readonly kind: string
  readonly spec: JsonObject
  /** Absent for a kind without a status subresource. */
  readonly status?: JsonObject
  readonly columns?: readonly JsonObject[]
}

function crd(era: Era, {kind, spec, status, columns}: Served): KubernetesObject {
  const plural = pluralOf(kind)
  const schema = object({apiVersion: text, kind: text, metadata: object(), spec, status: status ?? object()})
  const version = {
    name: era.version,
    served: true,
    storage: true,
    schema: {openAPIV3Schema: schema},
    ...present({additionalPrinterColumns: columns}),
    ...(status === undefined ? {} : {subresources: {status: {}}}),
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${era.group}`},
    spec: {
      group: era.group,
      names: {
        categories: ['crossplane'],
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
      },
      scope: 'Namespaced',
      versions: [version],
    },
  }
}

const text: JsonObject = {type: 'string'}

function object(properties?: JsonObject, required?: readonly string[]): JsonObject {
  return {
    type: 'object',
    ...present({properties, required}),
  }
}

function list(items: JsonObject): JsonObject {
  return {type: 'array', items}
}

function oneOf(...words: readonly string[]): JsonObject {
  return {type: 'string', enum: words}
}

/** A payload whose fields belong to another API: none of them may be dropped. */
/** Texts by name. */
const texts: JsonObject = {type: 'object', additionalProperties: {type: 'string'}}

const payload: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}

const serviceAccount = object({annotations: {type: 'object', additionalProperties: text}})

const requestSpec = object({
  crd: text,
  imagePullPolicy: text,
  imagePullSecrets: list(object({name: text})),
  package: text,
  serviceAccount,
  source: text,
})

const contributors = list(object({email: text, name: text}))
const typeMeta = {apiVersion: text, kind: text}

const policyRule = object(
  {
    apiGroups: list(text),
    nonResourceURLs: list(text),
    resourceNames: list(text),
    resources: list(text),
    verbs: list(text),
  },
  ['verbs'],
)

const recordProperties: JsonObject = {
  category: text,
  company: text,
  controller: object({
    deployment: object({name: text, spec: payload}, ['name', 'spec']),
    serviceAccount,
  }),
  customresourcedefinitions: list(object(typeMeta)),
  dependsOn: list(requestSpec),
  icons: list(object({base64Data: text, mediatype: text}, ['base64Data', 'mediatype'])),
  keywords: list(text),
  license: text,
  maintainers: contributors,
  overview: text,
  overviewShort: text,
  owners: contributors,
  packageType: oneOf('Provider', 'Stack', 'Application', 'Addon'),
  permissionScope: oneOf('Cluster', 'Namespaced'),
  permissions: object({rules: list(policyRule)}),
  readme: text,
  source: text,
  title: text,
  version: text,
  website: text,
}

const recordSpec = object(recordProperties)

const overlay = object(
  {apiVersion: text, bindings: list(object({from: text, to: text}, ['from', 'to'])), kind: text, name: text},
  ['apiVersion', 'bindings', 'kind', 'name'],
)

const engine = object(
  {controllerImage: text, kustomize: object({kustomization: payload, overlays: list(overlay)}), type: text},
  ['type'],
)

const definitionSpec = object({
  behavior: object({
    crd: object(typeMeta, ['apiVersion', 'kind']),
    engine,
    source: object({image: text, path: text, files: texts}, ['path']),
  }),
  templates: {type: 'object', additionalProperties: texts},
  templateStatus: texts,
  ...recordProperties,
})

const condition = object(
  {lastTransitionTime: {...text, format: 'date-time'}, message: text, reason: text, status: text, type: text},
  ['lastTransitionTime', 'reason', 'status', 'type'],
)

const conditionedStatus = object({conditions: list(condition)})

/** What the package manager of this program adds to the status of a request; the original one drops it. */
const managerStatus: JsonObject = {
  observedGeneration: {type: 'integer', format: 'int64'},
  resolved: object({package: text, version: text, digest: text}),
  dependencies: list(object({namespace: text, name: text, package: text})),
}

const objectReference = object({
  ...typeMeta,
  fieldPath: text,
  name: text,
  namespace: text,
  resourceVersion: text,
  uid: text,
})

const recordStatus = object({conditionedStatus, controllerRef: objectReference})

function column(name: string, jsonPath: string, type = 'string'): JsonObject {
  return {name, type, jsonPath}
}

const READY = column('READY', ".status.conditionedStatus.conditions[?(@.type=='Ready')].status")
const AGE = column('AGE', '.metadata.creationTimestamp', 'date')

const REQUEST_COLUMNS = [
  READY,
  column('SOURCE', '.spec.source'),
  column('PACKAGE', '.spec.package'),
  column('CRD', '.spec.crd'),
  AGE,
]
const RECORD_COLUMNS = [READY, column('VERSION', '.spec.version'), AGE]
