import type {Diagnostic} from '../../../diagnostic.js'
import {listAll} from '../../../text.js'
import {fieldNames, fieldOf} from './schema-node.js'
import {checkClusterScope, serviceDiagnostic} from './service-diagnostic.js'
import {isFirstGeneration, type ServiceKind} from './service-kind.js'

/** Reports a kind Provider that managed resources cannot use. */
export function checkProvider(service: ServiceKind): Diagnostic[] {
  if (isFirstGeneration(service)) return []
  return [
    ...checkClusterScope(service, 'provider-scope', 'cluster-scoped managed resources cannot use it'),
    ...checkCredentials(service),
  ]
}

const FIELDS = ['namespace', 'name', 'key']

function checkCredentials(service: ServiceKind): Diagnostic[] {
  const reference = fieldOf(service.schema, 'spec', 'credentialsSecretRef')
  if (reference === undefined) return []
  const names = fieldNames(reference)
  if (names.length === FIELDS.length && FIELDS.every(name => names.includes(name))) return []
  const text = `has a credentialsSecretRef with ${names.length === 0 ? 'no fields' : listAll(names)} in place of namespace, name and key`
  return [serviceDiagnostic(service, 'provider-credentials', reference.path, text)]
}
