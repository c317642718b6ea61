import {isDnsLabel, isDnsSubdomain} from '../reference/kubernetes-names.js'
import {
  diagnosticAt,
  type DiagnosticCollector,
  readTyped,
  type SourceDocument,
} from '../unpack/diagnostics.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {PACKAGE_TYPES} from '../unpack/go/package-types.js'
import {asObject, asText} from '../yaml/json-value.js'

/** Reads name, namespace, labels and annotations of a user-written object; an invalid name is an error. */
export function readWrittenMetadata(
  document: SourceDocument,
  collector: DiagnosticCollector,
): KubernetesObject['metadata'] {
  const as = {type: 'meta.v1.ObjectMeta', types: PACKAGE_TYPES, scalars: 'strict'} as const
  const metadata = asObject(document.yaml.value).metadata ?? null
  const {labels, annotations, ...names} = readTyped(document, ['metadata'], metadata, as, collector)
  const [name, namespace] = [asText(names.name), asText(names.namespace)]
  if (!isDnsSubdomain(name)) {
    const message =
      name === '' ? 'metadata.name is missing' : `${JSON.stringify(name)} is not a valid install name`
    collector.errors.push(diagnosticAt(document, 'input-name', ['metadata', 'name'], message))
  }
  if (namespace !== '' && !isDnsLabel(namespace)) {
    const message = `${JSON.stringify(namespace)} is not a valid namespace`
    collector.errors.push(diagnosticAt(document, 'input-namespace', ['metadata', 'namespace'], message))
  }
  return {
    name,
    ...(namespace === '' ? {} : {namespace}),
    ...(labels === undefined ? {} : {labels: labels as Record<string, string>}),
    ...(annotations === undefined ? {} : {annotations: annotations as Record<string, string>}),
  }
}
