import type {Diagnostic} from '../../../diagnostic.js'
import {listAll, listSome} from '../../../text.js'
import {asText, asTexts} from '../../../yaml/json-value.js'
import {fieldNames, fieldOf, requires, type SchemaNode} from './schema-node.js'
import {checkClusterScope, missingFields, serviceDiagnostic} from './service-diagnostic.js'
import {isFirstGeneration, type ServiceKind} from './service-kind.js'

/** Reports what keeps claims from being bound to the managed resources of a kind, and what users miss. */
export function checkManaged(service: ServiceKind, classOf: ServiceKind | undefined): Diagnostic[] {
  return [
    ...(isFirstGeneration(service) ? [] : checkClusterScope(service, 'managed-scope', SCOPE)),
    ...checkStatus(service),
    ...checkSpec(service),
    ...checkProviderRef(service),
    ...checkForProvider(service, classOf),
    ...checkFieldCase(service),
    ...checkDescriptions(service),
  ]
}

const SCOPE = 'claims of other namespaces cannot bind to it'

function checkStatus(service: ServiceKind): Diagnostic[] {
  if (service.statusAt !== undefined) return []
  const text = 'has no status subresource: its status is never stored, so it can never be bound'
  return [serviceDiagnostic(service, 'managed-status', ['spec', 'subresources'], text)]
}

const FIELDS = [
  'spec.writeConnectionSecretToRef',
  'spec.claimRef',
  'spec.classRef',
  'spec.reclaimPolicy',
  'status.conditions',
  'status.bindingPhase',
]

function checkSpec(service: ServiceKind): Diagnostic[] {
  const missing = missingFields(service.schema, FIELDS)
  if (missing.length === 0) return []
  const text = `is a managed resource without ${listAll(missing)}`
  return [serviceDiagnostic(service, 'managed-spec', service.schema.path, text)]
}

function checkProviderRef(service: ServiceKind): Diagnostic[] {
  const spec = fieldOf(service.schema, 'spec')
  if (spec === undefined || requires(spec, 'providerRef')) return []
  const text = 'does not require providerRef, without which it cannot be created'
  return [
    serviceDiagnostic(service, 'managed-provider-ref', [...spec.path, 'properties', 'providerRef'], text),
  ]
}

function checkForProvider(service: ServiceKind, classOf: ServiceKind | undefined): Diagnostic[] {
  if (fieldOf(service.schema, 'spec', 'forProvider') !== undefined) return []
  const isMature = !service.version.includes('alpha')
  const ofClass =
    classOf !== undefined && fieldOf(classOf.schema, 'specTemplate', 'forProvider') !== undefined
  if (!isMature && !ofClass) return []
  const text = `has no spec.forProvider${ofClass ? `, but ${classOf.kind} has one` : ` in ${service.version}`}`
  const path = [...service.schema.path, 'properties', 'spec']
  return [serviceDiagnostic(service, 'managed-for-provider', path, text)]
}

const LOWER_CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/

function checkFieldCase(service: ServiceKind): Diagnostic[] {
  return forProviderFields(service)
    .filter(([name]) => !LOWER_CAMEL_CASE.test(name))
    .map(([name, {path}]) => {
      const text = `has the field forProvider.${name}, whose name is not in lowerCamelCase${instead(name)}`
      return serviceDiagnostic(service, 'managed-field-case', path, text)
    })
}

/** The fields below those are not checked: most of them mirror types of the provider's API. */
function forProviderFields({schema}: ServiceKind): readonly (readonly [string, SchemaNode])[] {
  const forProvider = fieldOf(schema, 'spec', 'forProvider')
  if (forProvider === undefined) return []
  return fieldNames(forProvider).flatMap(name => {
    const field = fieldOf(forProvider, name)
    return field === undefined ? [] : [[name, field] as const]
  })
}

/** `fanciness_level` becomes `fancinessLevel`. */
function instead(name: string): string {
  const [first = '', ...words] = name.split(/[^A-Za-z0-9]+/).filter(word => word !== '')
  const start = /^[A-Z]+$/.test(first) ? first.toLowerCase() : first.charAt(0).toLowerCase() + first.slice(1)
  const camel = start + words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return LOWER_CAMEL_CASE.test(camel) ? `, such as ${camel}` : ''
}

function checkDescriptions(service: ServiceKind): Diagnostic[] {
  const bare = forProviderFields(service).filter(([, {schema}]) => asText(schema.description) === '')
  if (bare.length === 0) return []
  const path = [...service.schema.path, 'properties', 'spec', 'properties', 'forProvider']
  const text = `has fields of forProvider without a description: ${listSome(bare.map(([name]) => name))}`
  return [serviceDiagnostic(service, 'managed-undocumented', path, text)]
}

/** Reports the kinds, together, whose reclaim policies are not those that controllers handle. */
export function checkReclaimPolicies(services: readonly ServiceKind[]): Diagnostic[] {
  const others = services.filter(service => !isFirstGeneration(service) && !hasReclaimPolicies(service))
  const [first] = others
  const policy = first && fieldOf(first.schema, 'spec', 'reclaimPolicy')
  if (first === undefined || policy === undefined) return []
  const more = others.slice(1).map(({kind}) => kind)
  const also = more.length === 0 ? '' : `; the same applies to ${listSome(more)}`
  const text = `has a reclaimPolicy whose values are not exactly Retain and Delete${also}`
  return [serviceDiagnostic(first, 'managed-reclaim-policy', policy.path, text)]
}

function hasReclaimPolicies({schema}: ServiceKind): boolean {
  const policy = fieldOf(schema, 'spec', 'reclaimPolicy')
  const values = asTexts(policy?.schema.enum)
  return policy === undefined || [...values].sort().join() === 'Delete,Retain'
}
