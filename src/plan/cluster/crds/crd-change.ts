import {ownVersions} from '../../../crd/convert/convert-crd.js'
import {uncheckedKeywords} from '../../../crd/instances/unchecked-rules.js'
import {schemaOf} from '../../../kubernetes/crd-kind.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {lostConnectionKeys} from '../../../usage/package-surface.js'
import {jsonEqual} from '../../../yaml/json-equal.js'
import {asObject, asText, asTexts, type JsonObject} from '../../../yaml/json-value.js'
import type {DryRun} from '../state/cluster-snapshot.js'
import type {DesiredObject} from '../state/desired-object.js'
import type {InstanceCheck} from '../state/instance-survey.js'

/** A change of an existing CRD in a part that its instances depend on. */
export interface CrdChange {
  /** The `spec` that the CRD has. */
  readonly before: JsonObject
  /** The desired `spec`, with the server's defaults if the server accepts it. */
  readonly after: JsonObject
  /** Whether the API server drops fields that the schema does not name. */
  readonly isPruning: boolean
  /** The versions that objects may be stored in. */
  readonly stored?: readonly string[]
  /** Of a kind that Crossplane defines; absent where they are the same. */
  readonly connectionKeys?: ConnectionKeys
}

/** The keys of connection details that a definition names. */
export interface ConnectionKeys {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly source: 'crd' | 'xrd'
}

/**
 * Returns the change of a live CRD by a package; undefined if it does not affect instances. Without a dry run, the desired
 * `spec` has no defaults of the server.
 */
export function crdChange(
  {shared, content}: Pick<DesiredObject, 'shared' | 'content'>,
  live: KubernetesObject,
  dryRun?: DryRun,
): CrdChange | undefined {
  if (shared !== 'crd') return undefined
  const after = asObject((dryRun?.kind === 'applied' ? dryRun.object : content).spec)
  const {preserveUnknownFields = !content.apiVersion.endsWith('/v1')} = after
  return liveCrdChange(live, after, preserveUnknownFields === false)
}

/** Returns the change of a live CRD to another `spec`, or of its connection keys; undefined if it does not affect instances. */
export function liveCrdChange(
  {spec, status}: KubernetesObject,
  after: JsonObject,
  isPruning: boolean,
  connectionKeys?: ConnectionKeys,
): CrdChange | undefined {
  const before = asObject(spec)
  const isLosing = connectionKeys !== undefined && losesKeys(connectionKeys)
  if (!isLosing && jsonEqual(noticeable(before), noticeable(after))) return undefined
  const stored = asTexts(asObject(status).storedVersions)
  return {before, after, isPruning, stored, ...(isLosing && {connectionKeys})}
}

function losesKeys({before, after, source}: ConnectionKeys): boolean {
  const [old, now] = [before, after].map(connectionKeys => ({source, connectionKeys}))
  return old !== undefined && now !== undefined && lostConnectionKeys(old, now).length > 0
}

function noticeable(spec: JsonObject): JsonObject {
  const {group = null, scope = null, names, preserveUnknownFields, validation = null} = spec
  const {plural = null, kind = null} = asObject(names)
  const versions = ownVersions(spec).map(
    ({name = null, served = null, storage = null, schema = null, subresources}) => ({
      ...{name, served, storage, schema},
      hasStatus: asObject(subresources).status !== undefined,
    }),
  )
  const isConverted = asObject(spec.conversion).strategy === 'Webhook'
  const keepsAll = preserveUnknownFields === true
  return {group, scope, plural, kind, keepsAll, isConverted, validation, versions}
}

/** Decides how to check the instances of a CRD that changes; undefined if no version is served. */
export function instanceCheck({before, after, isPruning, stored = []}: CrdChange): InstanceCheck | undefined {
  const served = ownVersions(before).filter(version => version.served === true)
  const kept = new Set(ownVersions(after).map(({name}) => name))
  // A version that is lost shows fields that the others may not have.
  const lost = served.find(({name}) => stored.includes(asText(name)) && !kept.has(name ?? null))
  const version = lost ?? served.find(({storage}) => storage === true) ?? served[0]
  if (version === undefined) return undefined
  const strategy = asText(asObject(after.conversion).strategy)
  const isRenamedOnly = strategy === '' || strategy === 'None'
  const schemas = ownVersions(after)
    .filter(({name, storage}) => name === version.name || (isRenamedOnly && storage === true))
    .map(ownVersion => schemaOf(ownVersion, after))
  const schemaBefore = schemaOf(version, before)
  return {
    kind: {
      apiVersion: `${asText(before.group)}/${asText(version.name)}`,
      kind: asText(asObject(before.names).kind),
    },
    schemas,
    isPruning,
    unchecked: [...new Set(schemas.flatMap(schema => uncheckedKeywords(schema, schemaBefore)))].sort(),
  }
}
