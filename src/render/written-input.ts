import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {type CrdObject, readCrd} from '../unpack/crds.js'
import {
  documentsIn,
  diagnosticAt,
  type DiagnosticCollector,
  type SourceDocument,
} from '../unpack/diagnostics.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asText, isJsonArray, type JsonValue} from '../yaml/json-value.js'
import {type Era, eraOf} from './era.js'
import type {InstallRequest} from './request.js'
import {readWrittenRecord} from './written-record.js'
import {readWrittenRequest} from './written-request.js'

/** A user-written file; messages show `name`. */
export interface InputFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** Whether it is a declaration with its entries in files of their own. */
  readonly isSplit?: boolean
  /** Why the files that it was joined of contradict each other, as after a merge; absent for one file. */
  readonly disagreements?: readonly Diagnostic[]
}

/** The content of user-written files. An object without a namespace has the empty one. */
export interface WrittenInput {
  readonly requests: readonly {readonly era: Era; readonly request: InstallRequest}[]
  readonly records: readonly {readonly era: Era; readonly record: KubernetesObject; readonly file: string}[]
  readonly crds: readonly CrdObject[]
  readonly warnings: readonly Diagnostic[]
}

/**
 * Reads requests, records and CRDs of either era from files. Throws `input-invalid` with every error of all files,
 * including objects of another kind and duplicates.
 */
export function readWrittenInput(files: readonly InputFile[]): WrittenInput {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const read: MutableInput = {requests: [], records: [], crds: [], seen: new Map()}
  for (const {name, bytes} of files) {
    for (const document of documentsIn(name, bytes, collector)) readDocument(document, read, collector)
  }
  if (collector.errors.length > 0) {
    throw new CrossplaneError('input-invalid', 'cannot read the files given with -f: invalid content', {
      diagnostics: collector.errors,
    })
  }
  const {requests, records, crds} = read
  return {requests, records, crds, warnings: collector.warnings}
}

interface MutableInput {
  readonly requests: {era: Era; request: InstallRequest}[]
  readonly records: {era: Era; record: KubernetesObject; file: string}[]
  readonly crds: CrdObject[]
  /** The file and line of each object, by API, kind, namespace and name. */
  readonly seen: Map<string, string>
}

function readDocument(document: SourceDocument, read: MutableInput, collector: DiagnosticCollector): void {
  const {kind, items} = asObject(document.yaml.value)
  if (kind !== 'List' || !isJsonArray(items)) readObject(document, read, collector)
  else for (const [index, item] of items.entries()) readObject(itemOf(document, index, item), read, collector)
}

/** An item of a List as a document of its own. */
function itemOf({name, yaml}: SourceDocument, index: number, value: JsonValue): SourceDocument {
  const at = ['items', index]
  return {
    name,
    at,
    yaml: {value, line: yaml.lineOf(at), duplicateKeys: [], lineOf: path => yaml.lineOf([...at, ...path])},
  }
}

function readObject(document: SourceDocument, read: MutableInput, collector: DiagnosticCollector): void {
  const object = asObject(document.yaml.value)
  const [apiVersion, kind] = [asText(object.apiVersion), asText(object.kind)]
  const era = eraOf(apiVersion)
  if (isGivenTwice(document, read, collector)) return
  if (kind === 'CustomResourceDefinition') {
    const crd = readCrd(document, 'Cluster', collector)
    if (crd !== undefined) read.crds.push(crd)
  } else if (era !== undefined && isRequest(era, kind)) {
    read.requests.push({era, request: readWrittenRequest(document, era, collector)})
  } else if (era !== undefined && isRecord(era, kind)) {
    read.records.push({era, record: readWrittenRecord(document, era, collector), file: document.name})
  } else {
    const kindText =
      kind === ''
        ? 'no Kubernetes object'
        : `a ${kind} of ${apiVersion === '' ? 'no API version' : apiVersion}`
    const message = `this is ${kindText}; -f takes install requests, package records and CRDs`
    collector.errors.push(diagnosticAt(document, 'input-kind', [], message))
  }
}

/** The result must not depend on the order of two objects with one name. */
function isGivenTwice(
  document: SourceDocument,
  {seen}: MutableInput,
  collector: DiagnosticCollector,
): boolean {
  const {apiVersion, kind, metadata} = asObject(document.yaml.value)
  const {namespace, name} = asObject(metadata)
  const identity = [apiVersion, kind, namespace, name].map(asText)
  if (asText(name) === '') return false
  const place = `${document.name}:${document.yaml.line}`
  const earlier = seen.get(identity.join('\0'))
  seen.set(identity.join('\0'), earlier ?? place)
  if (earlier === undefined) return false
  const message = `${asText(kind)} ${asText(name)} is already given in ${earlier}`
  collector.errors.push(diagnosticAt(document, 'input-duplicate', [], message))
  return true
}

function isRequest({kinds}: Era, kind: string): boolean {
  return kind === kinds.clusterRequest || kind === kinds.namespacedRequest
}

function isRecord({kinds}: Era, kind: string): boolean {
  return kind === kinds.record || kind === kinds.definition
}
