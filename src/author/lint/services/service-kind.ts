import {asObject, asObjects, asText, type FieldPath, isJsonObject} from '../../../yaml/json-value.js'
import type {DeclaredCrd} from '../candidate.js'
import {fieldOf, type SchemaNode} from './schema-node.js'

/** What a kind is for a managed service: the roles of Crossplane's Services Developer Guide. */
export type ServiceRole = 'managed' | 'class' | 'claim' | 'provider'

/** A kind of a managed service. */
export interface ServiceKind {
  readonly role: ServiceRole
  readonly crd: DeclaredCrd
  readonly kind: string
  readonly group: string
  /** The version in which objects are stored. */
  readonly version: string
  readonly isClusterScoped: boolean
  /** The place of the status subresource, if there is one. */
  readonly statusAt?: FieldPath
  /** The schema of the stored version. */
  readonly schema: SchemaNode
}

/** Finds the kinds of managed services among CRDs, by the schemas of their stored versions. */
export function serviceKinds(crds: readonly DeclaredCrd[]): readonly ServiceKind[] {
  const kinds = crds.flatMap(crd => {
    const stored = storedVersion(crd)
    const role = stored && roleOf(crd.definition.kind, stored.schema)
    return stored === undefined || role === undefined ? [] : [{role, crd, ...stored}]
  })
  // Any program can have a kind Provider.
  const isService = kinds.some(({role, schema}) => role !== 'provider' || hasCredentials(schema))
  return isService ? kinds : []
}

type StoredVersion = Omit<ServiceKind, 'role' | 'crd'>

/** Undefined if the version has no schema. */
function storedVersion({definition, object}: DeclaredCrd): StoredVersion | undefined {
  const spec = asObject(object.spec)
  const versions = asObjects(spec.versions)
  const index = Math.max(
    versions.findIndex(({storage}) => storage === true),
    0,
  )
  const version = asObject(versions[index])
  const at: FieldPath = ['spec', 'versions', index]
  const schema =
    nodeAt(asObject(version.schema).openAPIV3Schema, [...at, 'schema', 'openAPIV3Schema']) ??
    nodeAt(asObject(spec.validation).openAPIV3Schema, ['spec', 'validation', 'openAPIV3Schema'])
  if (schema === undefined) return undefined
  const {kind, group} = definition
  const statusAt = statusOf(version, at) ?? statusOf(spec, ['spec'])
  return {
    kind,
    group,
    version: asText(version.name) || definition.version,
    isClusterScoped: spec.scope === 'Cluster',
    ...(statusAt === undefined ? {} : {statusAt}),
    schema,
  }
}

function nodeAt(schema: SchemaNode['schema'][string] | undefined, path: FieldPath): SchemaNode | undefined {
  return isJsonObject(schema) ? {schema, path} : undefined
}

function statusOf(holder: SchemaNode['schema'], at: FieldPath): FieldPath | undefined {
  const {status} = asObject(holder.subresources)
  return status === undefined ? undefined : [...at, 'subresources', 'status']
}

const OF_MANAGED = ['claimRef', 'reclaimPolicy', 'writeConnectionSecretToRef']

function roleOf(kind: string, schema: SchemaNode): ServiceRole | undefined {
  const has = (...path: readonly string[]) => fieldOf(schema, ...path) !== undefined
  if (has('specTemplate') && (has('specTemplate', 'providerRef') || kind.includes('Class'))) return 'class'
  const isBinding = has('spec', 'classRef') || has('spec', 'classSelector')
  if (has('spec', 'resourceRef') && isBinding) return 'claim'
  if (has('spec', 'providerRef') && OF_MANAGED.some(name => has('spec', name))) return 'managed'
  return kind === 'Provider' ? 'provider' : undefined
}

function hasCredentials(schema: SchemaNode): boolean {
  return fieldOf(schema, 'spec', 'credentialsSecretRef') !== undefined
}

/**
 * Reports whether a kind is of the first generation, up to Crossplane v0.2, in which all kinds were namespaced and
 * references to Secrets had no namespace.
 */
export function isFirstGeneration({role, isClusterScoped, schema}: ServiceKind): boolean {
  if (isClusterScoped) return false
  const has = (...path: readonly string[]) => fieldOf(schema, ...path) !== undefined
  if (role === 'class') return !has('specTemplate', 'writeConnectionSecretsToNamespace')
  const reference = role === 'managed' ? 'writeConnectionSecretToRef' : 'credentialsSecretRef'
  return has('spec', reference) && !has('spec', reference, 'namespace')
}
