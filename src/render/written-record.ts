import {
  diagnosticAt,
  type DiagnosticCollector,
  readTyped,
  type SourceDocument,
} from '../unpack/diagnostics.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {PACKAGE_TYPES} from '../unpack/go/package-types.js'
import {
  asObject,
  asText,
  type FieldPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import type {Era} from './era.js'
import {containersOf} from './pod-template.js'
import {isRecordVersion} from './record-version.js'
import {readWrittenMetadata} from './written-metadata.js'

/** Reads a user-written package record or template definition. */
export function readWrittenRecord(
  document: SourceDocument,
  era: Era,
  collector: DiagnosticCollector,
): KubernetesObject {
  const {kind, spec: specValue} = asObject(document.yaml.value)
  const type = kind === era.kinds.record ? 'RecordSpec' : 'DefinitionSpec'
  const as = {type, types: PACKAGE_TYPES, scalars: 'strict'} as const
  const errorsBefore = collector.errors.length
  const spec = readTyped(document, ['spec'], specValue ?? null, as, collector)
  const isTyped = collector.errors.length === errorsBefore
  const diagnostics = isTyped
    ? [...specDiagnostics(spec), ...(type === 'RecordSpec' ? [] : behaviorDiagnostics(spec, specValue))]
    : []
  for (const {path, message} of diagnostics) {
    collector.errors.push(diagnosticAt(document, 'input-record', ['spec', ...path], message))
  }
  return {
    apiVersion: era.apiVersion,
    kind: asText(kind),
    metadata: readWrittenMetadata(document, collector),
    spec,
  }
}

interface SpecDiagnostic {
  readonly path: FieldPath
  readonly message: string
}

function specDiagnostics(spec: JsonObject): SpecDiagnostic[] {
  const {version, permissionScope, controller} = spec
  const deployment = asObject(asObject(controller).deployment).spec
  const scope = asText(permissionScope)
  return [
    ...(asText(version) === '' || isRecordVersion(asText(version))
      ? []
      : [{path: ['version'], message: `${JSON.stringify(version)} cannot be part of the names of roles`}]),
    ...(['', 'Cluster', 'Namespaced'].includes(scope)
      ? []
      : [
          {path: ['permissionScope'], message: `permissionScope must be Cluster or Namespaced, not ${scope}`},
        ]),
    ...(isJsonObject(deployment) && containersOf(deployment).length === 0
      ? [{path: ['controller', 'deployment', 'spec'], message: 'the deployment has no containers'}]
      : []),
  ]
}

const BEHAVIOR_FIELDS: readonly FieldPath[] = [
  ['crd', 'apiVersion'],
  ['crd', 'kind'],
  ['engine', 'type'],
  ['source', 'path'],
]

/** Required texts that reading the type leaves empty. */
function behaviorDiagnostics(spec: JsonObject, specValue: JsonValue | undefined): SpecDiagnostic[] {
  if (asObject(specValue).behavior === undefined) {
    return [{path: ['behavior'], message: 'spec.behavior is missing'}]
  }
  const behavior = asObject(spec.behavior)
  return BEHAVIOR_FIELDS.filter(
    ([part = '', field = '']) => asText(asObject(behavior[part])[field]) === '',
  ).map(path => ({
    path: ['behavior', ...path],
    message: `spec.behavior.${path.join('.')} is missing`,
  }))
}
