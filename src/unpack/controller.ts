import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {documentsOf, faultAt, fileFault, type Findings, readTyped, type SourceDocument} from './findings.js'
import {KUBERNETES_TYPES} from './kubernetes-types.js'
import {displayPath, type RegistryFile} from './registry-file.js'

/** Reads install.yaml: the spec of the one Deployment that runs the package, or undefined if it has none. */
export function readController(files: readonly RegistryFile[], findings: Findings): JsonObject | undefined {
  const [file, second] = files
  if (file === undefined) return undefined
  if (second !== undefined) {
    const message = `a package has one install.yaml, and there is another: ${displayPath(file)}`
    findings.errors.push(fileFault(second, 'install-duplicate', message))
  }
  const [document, further] = documentsOf(file, findings)
  if (document === undefined) return undefined
  if (further !== undefined) {
    const message = 'only the first document of install.yaml counts'
    findings.warnings.push(faultAt(further, 'install-documents', [], message))
  }
  return readDeployment(document, findings)
}

function readDeployment(document: SourceDocument, findings: Findings): JsonObject | undefined {
  const {value} = document.yaml
  const kind = isJsonObject(value) ? value.kind : undefined
  if (!isJsonObject(value) || kind !== 'Deployment') {
    const given = typeof kind === 'string' ? `a ${kind}` : 'no Kubernetes object'
    const message = `install.yaml must be a Deployment (apps/v1), and is ${given}`
    findings.errors.push(faultAt(document, 'install-kind', ['kind'], message))
    return undefined
  }
  const as = {type: 'apps.v1.DeploymentSpec', types: KUBERNETES_TYPES, scalars: 'strict'} as const
  const spec = readTyped(document, ['spec'], value.spec ?? null, as, findings)
  if (containersOf(spec).length === 0) {
    const message = 'the Deployment has no spec.template.spec.containers'
    findings.errors.push(faultAt(document, 'install-containers', ['spec'], message))
  }
  return spec
}

function containersOf(spec: JsonObject): readonly JsonValue[] {
  const podSpec = isJsonObject(spec.template) ? spec.template.spec : undefined
  const containers = isJsonObject(podSpec) ? podSpec.containers : undefined
  return isJsonArray(containers) ? containers : []
}
