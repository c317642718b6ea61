import {
  asObject,
  asText,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  type ResourceKind,
} from 'kubectl-crossplane/plugin'
import {configured} from '../../src/claims/configure.js'
import type {Service, ServiceProvider} from '../../src/services.js'
import type {ExternalSystem} from './external-system.js'

/** The API of the managed resources and their classes. */
export const FCP = 'fcp.example.org/v1alpha3'
/** The kind of the claims of the stories. */
export const CLAIM: ResourceKind = {apiVersion: 'database.example.org/v1alpha1', kind: 'FancySQLInstance'}
const PROVIDER: ResourceKind = {apiVersion: FCP, kind: 'Provider'}
/** The kinds of managed resources that are served. */
export const MANAGED = ['Favourite', 'Ambivalent'].map(name => `${name}DBInstance`)

/** The kinds of the guide. That of the plain instance has no status subresource. */
export function crds(): readonly JsonObject[] {
  return [
    crd(CLAIM, 'Namespaced', ['spec', 'status']),
    crd(PROVIDER, 'Cluster', ['spec'], false),
    ...[...MANAGED, 'PlainDBInstance'].flatMap(kind => [
      crd({apiVersion: FCP, kind}, 'Cluster', ['spec', 'status'], kind !== 'PlainDBInstance'),
      crd({apiVersion: FCP, kind: `${kind}Class`}, 'Cluster', ['specTemplate'], false),
    ]),
  ]
}

function crd(
  {apiVersion, kind}: ResourceKind,
  scope: string,
  fields: readonly string[],
  hasStatus = true,
): JsonObject {
  const [group = '', name = ''] = apiVersion.split('/')
  const free = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}
  const singular = kind.toLowerCase()
  const plural = `${singular}${kind.endsWith('s') ? 'es' : 's'}`
  const version: JsonObject = {
    name,
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {type: 'object', properties: Object.fromEntries(fields.map(key => [key, free]))},
    },
    ...(hasStatus ? {subresources: {status: {}}} : {}),
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {group, scope, names: {kind, listKind: `${kind}List`, plural, singular}, versions: [version]},
  }
}

/** The service of a kind of managed resources in an external system. */
export function fancyService(
  kind: string,
  system: ExternalSystem,
  more: Partial<ServiceProvider> = {},
): Service {
  return {
    managed: {apiVersion: FCP, kind},
    class: {apiVersion: FCP, kind: `${kind}Class`},
    claims: [CLAIM],
    configure: input => configured(input),
    provider: {
      kind: PROVIDER,
      connect: ({metadata}) =>
        Promise.resolve().then(() => {
          system.call('connect', metadata.name)
          return system.client()
        }),
      ...more,
    },
  }
}

/** Reads `status.conditions.Ready.status`: conditions are found by their type. */
export function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>((value, key) => {
    if (isJsonArray(value)) return value.find(each => asObject(each).type === key)
    return asObject(value)[key]
  }, object)
}

/** Decodes the data of a secret. */
export function decoded(data: JsonValue | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(asObject(data))
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Buffer.from(asText(value), 'base64').toString()]),
  )
}
