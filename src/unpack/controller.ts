import {asObject, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {
  errorAt,
  type DiagnosticCollector,
  firstDocument,
  onlyFile,
  readPart,
  type SourceDocument,
} from './diagnostics.js'
import {KUBERNETES_TYPES} from './go/kubernetes-types.js'
import type {PackageFile} from './package-file.js'

/** Reads install.yaml: the spec of the one Deployment that runs the package, or undefined if it has none. */
export function readController(
  files: readonly PackageFile[],
  collector: DiagnosticCollector,
): JsonObject | undefined {
  const file = onlyFile(files, 'install-duplicate', collector)
  const document = file === undefined ? undefined : firstDocument(file, 'install-documents', collector)
  return document === undefined ? undefined : readDeployment(document, collector)
}

const CONTAINERS = ['spec', 'template', 'spec', 'containers']

function readDeployment(document: SourceDocument, collector: DiagnosticCollector): JsonObject | undefined {
  const {value} = document.yaml
  const kind = isJsonObject(value) ? value.kind : undefined
  if (!isJsonObject(value) || kind !== 'Deployment') {
    const kindText = typeof kind === 'string' ? `a ${kind}` : 'no Kubernetes object'
    const message = `install.yaml must be a Deployment (apps/v1), but is ${kindText}`
    errorAt(document, {rule: 'install-kind', path: ['kind'], message}, collector)
    return undefined
  }
  const as = {type: 'apps.v1.DeploymentSpec', types: KUBERNETES_TYPES, scalars: 'strict'} as const
  const part = readPart(document, ['spec'], value.spec ?? null, as, collector)
  if (containersOf(part.fields).length === 0 && !part.isRejected(CONTAINERS)) {
    const message = `the Deployment has no ${CONTAINERS.join('.')}`
    errorAt(document, {rule: 'install-containers', path: CONTAINERS, message}, collector)
  }
  return part.fields
}

function containersOf(spec: JsonObject): readonly JsonValue[] {
  const {containers} = asObject(asObject(spec.template).spec)
  return isJsonArray(containers) ? containers : []
}
