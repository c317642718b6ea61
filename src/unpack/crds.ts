import {
  asObject,
  asObjects,
  asText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {documentsOf, faultAt, fileFault, type Findings, readTyped, type SourceDocument} from './findings.js'
import {KUBERNETES_TYPES} from './kubernetes-types.js'
import type {KubernetesObject} from './kubernetes-object.js'
import type {CrdDefinition, PermissionScope} from './package.js'
import type {RegistryFile} from './registry-file.js'

/** A CRD object, and what the rest of the program asks of it. */
export interface CrdObject {
  readonly object: KubernetesObject
  readonly definition: CrdDefinition
}

/** A CRD as its file has it, before metadata files are matched to it. */
export interface SourceCrd extends CrdObject {
  readonly file: RegistryFile
}

/** Reads every CRD of a package, in the order of the files and of the documents within each. */
export function readCrds(
  files: readonly RegistryFile[],
  scope: PermissionScope,
  findings: Findings,
): SourceCrd[] {
  const crds: SourceCrd[] = []
  const seen = new Map<string, string>()
  for (const file of files) {
    for (const document of nonEmptyDocuments(file, findings)) {
      const crd = readCrd(document, scope, findings)
      if (crd === undefined) continue
      const {name} = crd.definition
      const earlier = seen.get(name)
      if (earlier === undefined) crds.push({file, ...crd})
      else
        findings.errors.push(
          faultAt(document, 'crd-duplicate', [], `${name} is already defined in ${earlier}`),
        )
      seen.set(name, document.name)
    }
  }
  return crds
}

function nonEmptyDocuments(file: RegistryFile, findings: Findings): SourceDocument[] {
  const errorsBefore = findings.errors.length
  const documents = documentsOf(file, findings)
  if (documents.length === 0 && findings.errors.length === errorsBefore) {
    findings.warnings.push(fileFault(file, 'crd-empty', 'the file is empty and is ignored'))
  }
  return documents
}

/** Reads one document as a CRD that a package of that scope may own; undefined, with errors, if it is none. */
export function readCrd(
  document: SourceDocument,
  scope: PermissionScope,
  findings: Findings,
): CrdObject | undefined {
  const {value} = document.yaml
  const apiVersion = crdApiVersion(document, value, findings)
  if (apiVersion === undefined || !isJsonObject(value)) return undefined
  const crd = readCrdObject(document, value, apiVersion, findings)
  const definition = crdDefinition(crd)
  const faults = definitionFaults(crd, definition, scope)
  for (const {rule, path, message} of faults) findings.errors.push(faultAt(document, rule, path, message))
  return faults.length === 0 ? {object: crd, definition} : undefined
}

const API_GROUP = 'apiextensions.k8s.io'
const API_VERSIONS = ['v1', 'v1beta1'] as const

function crdApiVersion(
  document: SourceDocument,
  value: JsonValue,
  findings: Findings,
): (typeof API_VERSIONS)[number] | undefined {
  const {kind, apiVersion} = isJsonObject(value) ? value : {}
  if (kind !== 'CustomResourceDefinition') {
    const given = typeof kind === 'string' && kind !== '' ? `a ${kind}` : 'no Kubernetes object'
    const message = `the file must hold CustomResourceDefinitions, and this document is ${given}`
    findings.errors.push(faultAt(document, 'crd-kind', ['kind'], message))
    return undefined
  }
  const version = API_VERSIONS.find(known => apiVersion === `${API_GROUP}/${known}`)
  if (version === undefined) {
    const message = `apiVersion must be ${API_GROUP}/v1 or ${API_GROUP}/v1beta1`
    findings.errors.push(faultAt(document, 'crd-api-version', ['apiVersion'], message))
  }
  return version
}

function readCrdObject(
  document: SourceDocument,
  value: JsonObject,
  version: (typeof API_VERSIONS)[number],
  findings: Findings,
): KubernetesObject {
  const convert = {types: KUBERNETES_TYPES, scalars: 'convert'} as const
  const metaAs = {...convert, type: 'meta.v1.ObjectMeta'}
  const specAs = {...convert, type: `apiextensions.${version}.CustomResourceDefinitionSpec`}
  const {name, labels, annotations} = readTyped(
    document,
    ['metadata'],
    value.metadata ?? null,
    metaAs,
    findings,
  )
  const spec = readTyped(document, ['spec'], value.spec ?? null, specAs, findings)
  // An API server takes the empty scope of v1beta1 as Namespaced; saying so reads the same everywhere.
  if (spec.scope === '') spec.scope = 'Namespaced'
  return {
    apiVersion: `${API_GROUP}/${version}`,
    kind: 'CustomResourceDefinition',
    metadata: {
      name: asText(name),
      ...(labels === undefined ? {} : {labels: labels as Record<string, string>}),
      ...(annotations === undefined ? {} : {annotations: annotations as Record<string, string>}),
    },
    spec,
  }
}

/** What the rest of the program asks of a CRD object of either API version. */
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
    versions: versions.length > 0 ? versions.map(each => asText(each.name)) : [version],
    subresources: {status: has('status'), scale: has('scale')},
  }
}

interface DefinitionFault {
  readonly rule: string
  readonly path: readonly string[]
  readonly message: string
}

function definitionFaults(
  crd: JsonObject,
  definition: CrdDefinition,
  packageScope: PermissionScope,
): DefinitionFault[] {
  const missing = missingFields(definition)
  if (missing.length > 0) {
    return missing.map(path => ({rule: 'crd-field-missing', path, message: `${path.join('.')} is missing`}))
  }
  const faults: DefinitionFault[] = []
  const expected = `${definition.plural}.${definition.group}`
  if (definition.name !== expected) {
    const message = `metadata.name must be ${expected}, not ${definition.name}`
    faults.push({rule: 'crd-name', path: ['metadata', 'name'], message})
  }
  const scope = asText(asObject(crd.spec).scope)
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    faults.push({
      rule: 'crd-scope',
      path: ['spec', 'scope'],
      message: `spec.scope must be Namespaced or Cluster, not ${scope}`,
    })
  } else if (scope === 'Cluster' && packageScope === 'Namespaced') {
    const message = `${definition.name} is cluster-scoped, which a package with permissionScope Namespaced may not own`
    faults.push({rule: 'crd-cluster-scoped', path: ['spec', 'scope'], message})
  }
  return faults
}

function missingFields({name, group, kind, plural, version}: CrdDefinition): string[][] {
  const required: readonly [string, string[]][] = [
    [name, ['metadata', 'name']],
    [group, ['spec', 'group']],
    [kind, ['spec', 'names', 'kind']],
    [plural, ['spec', 'names', 'plural']],
    [version, ['spec', 'versions']],
  ]
  return required.filter(([value]) => value === '').map(([, path]) => path)
}
