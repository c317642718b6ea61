import {CRD_KIND} from '../kubernetes/crd-kind.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {checkDefinition} from './check-definition.js'
import {
  documentsOf,
  errorAt,
  type DiagnosticCollector,
  readPart,
  type SourceDocument,
  type TypedPart,
  warningIn,
} from './diagnostics.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {KUBERNETES_TYPES} from './go/kubernetes-types.js'
import type {CrdDefinition, PermissionScope} from './package.js'
import type {PackageFile} from './package-file.js'

/** A CRD object, and the facts that the rest of the program requires. */
export interface CrdObject {
  readonly object: KubernetesObject
  readonly definition: CrdDefinition
}

/** A CRD in its file, before metadata files are matched to it. */
export interface SourceCrd extends CrdObject {
  readonly file: PackageFile
  readonly document: SourceDocument
}

/** Reads every CRD of a package, in the order of the files and of the documents within each. */
export function readCrds(
  files: readonly PackageFile[],
  scope: PermissionScope,
  collector: DiagnosticCollector,
): SourceCrd[] {
  const crds: SourceCrd[] = []
  const seen = new Map<string, string>()
  for (const file of files) {
    for (const document of nonEmptyDocuments(file, collector)) {
      const crd = readCrd(document, scope, collector)
      if (crd === undefined) continue
      const {name} = crd.definition
      const earlier = seen.get(name)
      if (earlier === undefined) {
        crds.push({file, document, ...crd})
        seen.set(name, document.name)
      } else {
        const message = `${name} is already defined in ${earlier}`
        errorAt(document, {rule: 'crd-duplicate', message}, collector)
      }
    }
  }
  return crds
}

function nonEmptyDocuments(file: PackageFile, collector: DiagnosticCollector): SourceDocument[] {
  const errorsBefore = collector.errors.length
  const documents = documentsOf(file, collector)
  if (documents.length === 0 && collector.errors.length === errorsBefore) {
    warningIn(file, {rule: 'crd-empty', message: 'the file is empty and is ignored'}, collector)
  }
  return documents
}

/** Reads one document as a CRD that a package of that scope can own; undefined, with errors, if it is invalid. */
export function readCrd(
  document: SourceDocument,
  scope: PermissionScope,
  collector: DiagnosticCollector,
): CrdObject | undefined {
  const {value} = document.yaml
  const apiVersion = crdApiVersion(document, value, collector)
  if (apiVersion === undefined || !isJsonObject(value)) return undefined
  const {crd, isRejected} = readCrdObject(document, value, apiVersion, collector)
  const definition = crdDefinition(crd)
  const diagnostics = checkDefinition(crd, definition, scope)
  for (const draft of diagnostics.filter(({path}) => !isRejected(path))) errorAt(document, draft, collector)
  return diagnostics.length === 0 ? {object: crd, definition} : undefined
}

const API_GROUP = 'apiextensions.k8s.io'
const API_VERSIONS = ['v1', 'v1beta1'] as const

function crdApiVersion(
  document: SourceDocument,
  value: JsonValue,
  collector: DiagnosticCollector,
): (typeof API_VERSIONS)[number] | undefined {
  const {kind, apiVersion} = isJsonObject(value) ? value : {}
  if (kind !== CRD_KIND.kind) {
    const kindText = typeof kind === 'string' && kind !== '' ? `a ${kind}` : 'no Kubernetes object'
    const message = `the file must contain ${CRD_KIND.kind}s, but this document is ${kindText}`
    errorAt(document, {rule: 'crd-kind', path: ['kind'], message}, collector)
    return undefined
  }
  const version = API_VERSIONS.find(supported => apiVersion === `${API_GROUP}/${supported}`)
  if (version === undefined) {
    const message = `apiVersion must be ${API_GROUP}/v1 or ${API_GROUP}/v1beta1`
    errorAt(document, {rule: 'crd-api-version', path: ['apiVersion'], message}, collector)
  }
  return version
}

interface ReadObject {
  readonly crd: KubernetesObject
  readonly isRejected: TypedPart['isRejected']
}

function readCrdObject(
  document: SourceDocument,
  value: JsonObject,
  version: (typeof API_VERSIONS)[number],
  collector: DiagnosticCollector,
): ReadObject {
  const read = (part: string, type: string) => {
    const as = {type, types: KUBERNETES_TYPES, scalars: 'convert'} as const
    return readPart(document, [part], value[part] ?? null, as, collector)
  }
  const metadata = read('metadata', 'meta.v1.ObjectMeta')
  const spec = read('spec', `apiextensions.${version}.CustomResourceDefinitionSpec`)
  const {name, labels, annotations} = metadata.fields
  const crd = {
    apiVersion: `${API_GROUP}/${version}`,
    kind: CRD_KIND.kind,
    metadata: {
      name: asText(name),
      ...(labels === undefined ? {} : {labels: labels as Record<string, string>}),
      ...(annotations === undefined ? {} : {annotations: annotations as Record<string, string>}),
    },
    spec: withScope(spec.fields),
  }
  return {crd, isRejected: path => metadata.isRejected(path) || spec.isRejected(path)}
}

/** An API server reads the empty scope of v1beta1 as Namespaced; an explicit value is the same for every reader. */
function withScope(spec: JsonObject): JsonObject {
  return spec.scope === '' ? {...spec, scope: 'Namespaced'} : spec
}

/** Returns the facts of a CRD object of either API version. */
export function crdDefinition(crd: JsonObject): CrdDefinition {
  const spec = asObject(crd.spec)
  const names = asObject(spec.names)
  const versions = asObjects(spec.versions)
  const served = versions.filter(version => version.served === true)
  const has = (subresource: 'status' | 'scale') =>
    [spec, ...served].some(holder => asObject(holder.subresources)[subresource] !== undefined)
  const storage = versions.find(version => version.storage === true) ?? versions[0]
  const version = asText(spec.version) || asText(storage?.name)
  return {
    name: asText(asObject(crd.metadata).name),
    group: asText(spec.group),
    kind: asText(names.kind),
    plural: asText(names.plural),
    version,
    versions: versions.length > 0 ? versions.map(object => asText(object.name)) : [version],
    subresources: {status: has('status'), scale: has('scale')},
  }
}
