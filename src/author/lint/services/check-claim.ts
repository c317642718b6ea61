import type {Diagnostic} from '../../../diagnostic.js'
import {listAll} from '../../../text.js'
import {missingFields, serviceDiagnostic} from './service-diagnostic.js'
import type {ServiceKind} from './service-kind.js'

/** Reports what keeps claims of a kind from being bound. */
export function checkClaim(service: ServiceKind, hasManaged: boolean): Diagnostic[] {
  return [
    ...checkScope(service),
    ...checkStatus(service),
    ...checkSpec(service),
    ...(hasManaged ? [owned(service)] : []),
  ]
}

function checkScope(service: ServiceKind): Diagnostic[] {
  if (!service.isClusterScoped) return []
  const text = 'is a claim, but cluster-scoped: its connection Secret has no namespace'
  return [serviceDiagnostic(service, 'claim-scope', ['spec', 'scope'], text)]
}

function checkStatus(service: ServiceKind): Diagnostic[] {
  if (service.statusAt !== undefined) return []
  const text = 'has no status subresource: its status is never stored, so users never see that it is bound'
  return [serviceDiagnostic(service, 'claim-status', ['spec', 'subresources'], text)]
}

const FIELDS = [
  'spec.classSelector',
  'spec.classRef',
  'spec.resourceRef',
  'spec.writeConnectionSecretToRef.name',
  'status.conditions',
  'status.bindingPhase',
]

function checkSpec(service: ServiceKind): Diagnostic[] {
  const missing = missingFields(service.schema, FIELDS)
  if (missing.length === 0) return []
  const text = `is a claim without ${listAll(missing)}`
  return [serviceDiagnostic(service, 'claim-spec', service.schema.path, text)]
}

function owned(service: ServiceKind): Diagnostic {
  const text = 'is a claim in the package of a provider: a second provider of it cannot be installed'
  return serviceDiagnostic(service, 'claim-owned', ['spec', 'names', 'kind'], text)
}
