import {listAll} from '../text.js'
import {present} from '../present.js'
import {
  diagnosticAt,
  type DiagnosticCollector,
  readTyped,
  type SourceDocument,
} from '../unpack/diagnostics.js'
import {PULL_POLICIES} from '../reference/pull-policy.js'
import {PACKAGE_TYPES} from '../unpack/go/package-types.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import type {Era} from './era.js'
import type {InstallRequest} from './request.js'
import {requestDiagnostics} from './request-diagnostics.js'
import {readWrittenMetadata} from './written-metadata.js'

/** Reads a user-written install request; without a namespace it has the empty one. */
export function readWrittenRequest(
  document: SourceDocument,
  era: Era,
  collector: DiagnosticCollector,
): InstallRequest {
  const {kind, spec: specValue} = asObject(document.yaml.value)
  const as = {type: 'RequestSpec', types: PACKAGE_TYPES, scalars: 'strict'} as const
  const errorsBefore = collector.errors.length
  const {name, namespace = '', labels, annotations} = readWrittenMetadata(document, collector)
  const spec = readTyped(document, ['spec'], specValue ?? null, as, collector)
  const isTyped = collector.errors.length === errorsBefore
  const request: InstallRequest = {
    name,
    namespace,
    scope: kind === era.kinds.clusterRequest ? 'Cluster' : 'Namespaced',
    imagePullSecrets: asObjects(spec.imagePullSecrets).map(secret => asText(secret.name)),
    serviceAccountAnnotations: asObject(asObject(spec.serviceAccount).annotations) as Record<string, string>,
    ...present({labels, annotations}),
    ...readPullPolicy(document, spec.imagePullPolicy, collector),
    ...texts(spec, ['package', 'crd', 'source']),
  }
  // Fields with a wrong type have an error already.
  if (isTyped) checkRequest(document, request, collector)
  return request
}

function checkRequest(
  document: SourceDocument,
  request: InstallRequest,
  collector: DiagnosticCollector,
): void {
  for (const {path, message} of requestDiagnostics(request)) {
    collector.errors.push(diagnosticAt(document, 'input-request', path, message))
  }
  if ((request.package === undefined) !== (request.crd === undefined)) return
  const message = 'a request names either a package or a crd'
  collector.errors.push(diagnosticAt(document, 'input-request', ['spec'], message))
}

function readPullPolicy(
  document: SourceDocument,
  specValue: JsonValue | undefined,
  collector: DiagnosticCollector,
): Pick<InstallRequest, 'imagePullPolicy'> {
  if (specValue === undefined) return {}
  const imagePullPolicy = PULL_POLICIES.find(policy => policy === specValue)
  if (imagePullPolicy !== undefined) return {imagePullPolicy}
  const message = `imagePullPolicy must be one of ${listAll(PULL_POLICIES, 'or')}`
  collector.errors.push(diagnosticAt(document, 'input-pull-policy', ['spec', 'imagePullPolicy'], message))
  return {}
}

/** Returns the fields that are present. */
function texts<Name extends string>(spec: JsonObject, names: readonly Name[]): {[N in Name]?: string} {
  const presentNames = names.filter(name => typeof spec[name] === 'string')
  return Object.fromEntries(presentNames.map(name => [name, asText(spec[name])])) as {[N in Name]?: string}
}
