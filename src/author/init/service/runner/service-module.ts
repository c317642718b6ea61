import type {JsonObject} from '../../../../yaml/json-value.js'
import type {ServiceDefinition} from '../service-definition.js'
import {literal, schemaType, sortedFields} from './schema-type.js'

/** Returns `src/service.ts`: the kinds of a service, and the types of their fields. */
export function serviceModule(service: ServiceDefinition): string {
  const {kind, group, version, claim, forProvider, atProvider} = service
  const [parameters, state] = [schemaType(forProvider), schemaType(atProvider)]
  const types = `${parameters}${state}`.includes('JsonValue')
    ? 'JsonValue, KubernetesObject'
    : 'KubernetesObject'
  return `// Generated from service.yaml by "package init --update".
import type {${types}} from 'kubectl-crossplane/plugin'
import type {Service} from 'kubectl-crossplane-services'

/** What users set: spec.forProvider of a ${kind}. */
export type Parameters = ${parameters}

/** What the provider reports: status.atProvider of a ${kind}. */
export type State = ${state}

/** A ${kind}. */
export type Managed = KubernetesObject & {
  readonly spec: {readonly forProvider: Parameters}
  readonly status?: {readonly atProvider?: State}
}

export const PARAMETER_NAMES: readonly string[] = ${names(forProvider)}
export const STATE_NAMES: readonly string[] = ${names(atProvider)}

const API = '${group}/${version}'

export const PROVIDER = {apiVersion: API, kind: 'Provider'}

export const SERVICE: Service<Managed> = {
  managed: {apiVersion: API, kind: '${kind}'},
  class: {apiVersion: API, kind: '${kind}Class'},
  claims: [{apiVersion: '${claim.group}/${claim.version}', kind: '${claim.kind}'}],
}
`
}

function names({properties}: JsonObject): string {
  return `[${sortedFields(properties)
    .map(([name]) => literal(name))
    .join(', ')}]`
}
