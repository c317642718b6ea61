import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {CrossplaneError} from '../errors.js'
import {type CrdObject, readCrd} from '../unpack/crds.js'
import {documentsIn, faultAt, type Findings, readTyped, type SourceDocument} from '../unpack/findings.js'
import {PACKAGE_TYPES} from '../unpack/package-types.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {type Era, eraOf} from './era.js'
import type {Warning} from './install-set.js'
import {type InstallRequest, PULL_POLICIES} from './request.js'

/** A file that a person wrote: `name` is how messages name it. */
export interface InputFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What a person's files ask for. An object without a namespace has the empty one. */
export interface WrittenInput {
  readonly requests: readonly {readonly era: Era; readonly request: InstallRequest}[]
  readonly records: readonly {readonly era: Era; readonly record: KubernetesObject; readonly file: string}[]
  readonly crds: readonly CrdObject[]
  readonly warnings: readonly Warning[]
}

/**
 * Reads requests, records and CRDs of either era from files. Throws `input-invalid` with every fault of all files, an
 * object of another kind among them.
 */
export function readWrittenInput(files: readonly InputFile[]): WrittenInput {
  const findings: Findings = {errors: [], warnings: []}
  const read: MutableInput = {requests: [], records: [], crds: []}
  for (const {name, bytes} of files) {
    for (const document of documentsIn(name, bytes, findings)) readDocument(document, read, findings)
  }
  if (findings.errors.length > 0) {
    throw new CrossplaneError('input-invalid', 'reading the files given with -f found faults', {
      faults: findings.errors,
    })
  }
  return {...read, warnings: findings.warnings}
}

interface MutableInput {
  requests: {era: Era; request: InstallRequest}[]
  records: {era: Era; record: KubernetesObject; file: string}[]
  crds: CrdObject[]
}

function readDocument(document: SourceDocument, read: MutableInput, findings: Findings): void {
  const {value} = document.yaml
  if (isJsonObject(value) && value.kind === 'List' && isJsonArray(value.items)) {
    value.items.forEach((item, index) => {
      readObject(document, ['items', index], asObject(item), read, findings)
    })
  } else readObject(document, [], asObject(value), read, findings)
}

function readObject(
  document: SourceDocument,
  at: FieldPath,
  object: JsonObject,
  read: MutableInput,
  findings: Findings,
): void {
  const [apiVersion, kind] = [asText(object.apiVersion), asText(object.kind)]
  const era = eraOf(apiVersion)
  if (kind === 'CustomResourceDefinition') {
    const crd = readCrd(at.length === 0 ? document : inner(document, object), 'Cluster', findings)
    if (crd !== undefined) read.crds.push(crd)
  } else if (era !== undefined && isRequest(era, kind)) {
    read.requests.push({era, request: readRequest(document, at, object, era, findings)})
  } else if (era !== undefined && isRecord(era, kind)) {
    read.records.push({era, record: readRecord(document, at, object, era, findings), file: document.name})
  } else {
    const given = kind === '' ? 'no Kubernetes object' : `a ${kind} of ${apiVersion}`
    const message = `this is ${given}; -f takes install requests, package records and CRDs`
    findings.errors.push(faultAt(document, 'input-kind', at, message))
  }
}

function isRequest({kinds}: Era, kind: string): boolean {
  return kind === kinds.clusterRequest || kind === kinds.namespacedRequest
}

function isRecord({kinds}: Era, kind: string): boolean {
  return kind === kinds.record || kind === kinds.definition
}

/** An item of a List as a document of its own. */
function inner(document: SourceDocument, value: JsonObject): SourceDocument {
  const {line} = document.yaml
  return {name: document.name, yaml: {value, line, duplicateKeys: [], lineOf: () => line}}
}

function readMetadata(
  document: SourceDocument,
  at: FieldPath,
  object: JsonObject,
  findings: Findings,
): KubernetesObject['metadata'] {
  const path = [...at, 'metadata']
  const as = {type: 'meta.v1.ObjectMeta', types: PACKAGE_TYPES, scalars: 'strict'} as const
  const {name, namespace, labels, annotations} = readTyped(
    document,
    path,
    object.metadata ?? null,
    as,
    findings,
  )
  if (typeof name !== 'string') {
    findings.errors.push(faultAt(document, 'input-name', path, 'metadata.name is missing'))
  }
  return {
    name: typeof name === 'string' ? name : '',
    ...(typeof namespace === 'string' ? {namespace} : {}),
    ...(labels === undefined ? {} : {labels: labels as Record<string, string>}),
    ...(annotations === undefined ? {} : {annotations: annotations as Record<string, string>}),
  }
}

function readRecord(
  document: SourceDocument,
  at: FieldPath,
  object: JsonObject,
  era: Era,
  findings: Findings,
): KubernetesObject {
  const type = object.kind === era.kinds.record ? 'RecordSpec' : 'DefinitionSpec'
  const as = {type, types: PACKAGE_TYPES, scalars: 'strict'} as const
  return {
    apiVersion: era.apiVersion,
    kind: asText(object.kind),
    metadata: readMetadata(document, at, object, findings),
    spec: readTyped(document, [...at, 'spec'], object.spec ?? null, as, findings),
  }
}

function readRequest(
  document: SourceDocument,
  at: FieldPath,
  object: JsonObject,
  era: Era,
  findings: Findings,
): InstallRequest {
  const {name, namespace = ''} = readMetadata(document, at, object, findings)
  const path = [...at, 'spec']
  const as = {type: 'RequestSpec', types: PACKAGE_TYPES, scalars: 'strict'} as const
  const spec = readTyped(document, path, object.spec ?? null, as, findings)
  if ((spec.package === undefined) === (spec.crd === undefined)) {
    findings.errors.push(
      faultAt(document, 'input-request', path, 'a request names either a package or a crd'),
    )
  }
  return {
    name,
    namespace,
    scope: object.kind === era.kinds.clusterRequest ? 'Cluster' : 'Namespaced',
    imagePullSecrets: asObjects(spec.imagePullSecrets).map(secret => asText(secret.name)),
    serviceAccountAnnotations: asObject(asObject(spec.serviceAccount).annotations) as Record<string, string>,
    ...readPullPolicy(document, path, spec.imagePullPolicy, findings),
    ...texts(spec, ['package', 'crd', 'source']),
  }
}

function readPullPolicy(
  document: SourceDocument,
  path: FieldPath,
  given: JsonValue | undefined,
  findings: Findings,
): Pick<InstallRequest, 'imagePullPolicy'> {
  if (given === undefined) return {}
  const imagePullPolicy = PULL_POLICIES.find(policy => policy === given)
  if (imagePullPolicy !== undefined) return {imagePullPolicy}
  const message = `imagePullPolicy must be one of ${PULL_POLICIES.join(', ')}`
  findings.errors.push(faultAt(document, 'input-pull-policy', [...path, 'imagePullPolicy'], message))
  return {}
}

/** Those of the fields that are there. */
function texts<Name extends string>(spec: JsonObject, names: readonly Name[]): {[N in Name]?: string} {
  const given = names.filter(name => typeof spec[name] === 'string')
  return Object.fromEntries(given.map(name => [name, asText(spec[name])])) as {[N in Name]?: string}
}
