import type {Diagnostic} from '../../../diagnostic.js'
import {diagnosticAt} from '../../../unpack/diagnostics.js'
import type {FieldPath} from '../../../yaml/json-value.js'
import {fieldOf, type SchemaNode} from './schema-node.js'
import type {ServiceKind} from './service-kind.js'

/** A diagnostic about a kind, at a place of its CRD. */
export function serviceDiagnostic(
  {crd, kind}: ServiceKind,
  rule: string,
  path: FieldPath,
  text: string,
): Diagnostic {
  return diagnosticAt(crd.document, rule, path, `${kind} ${text}`)
}

/** The fields of a list, as `name` or `status.name`, that a schema does not declare. */
export function missingFields(schema: SchemaNode, fields: readonly string[]): readonly string[] {
  return fields.filter(field => fieldOf(schema, ...field.split('.')) === undefined)
}

/** Reports a kind whose scope is not Cluster. */
export function checkClusterScope(service: ServiceKind, rule: string, effect: string): Diagnostic[] {
  if (service.isClusterScoped) return []
  return [serviceDiagnostic(service, rule, ['spec', 'scope'], `is not cluster-scoped: ${effect}`)]
}
