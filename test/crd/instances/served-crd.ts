import {ownVersions} from '../../../src/crd/convert/convert-crd.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, isJsonObject, type JsonObject} from '../../../src/yaml/json-value.js'
import {accepted, type Answer, type Kube, until} from '../../cluster/kube.js'
import {fullBody} from './values.js'

/** The v1beta1 CRD that the suites create instances of. */
export interface InstanceKind {
  /** Of the CRD. */
  readonly name: string
  readonly schema: JsonObject
  /** A body with every field. */
  readonly body: JsonObject
  readonly hasStatus: boolean
  /** `preserveUnknownFields: true` */
  readonly keepsAll: boolean
  readonly typeMeta: {readonly apiVersion: string; readonly kind: string}
  /** Of the collection, in the namespace `default` if it has one. */
  readonly url: string
}

export function instanceKind(crd: KubernetesObject): InstanceKind {
  const spec = asObject(crd.spec)
  const group = asText(spec.group)
  const names = asObject(spec.names)
  const [version = {}] = ownVersions(spec)
  const apiVersion = `${group}/${asText(version.name)}`
  const within = spec.scope === 'Cluster' ? '' : '/namespaces/default'
  const held = (key: string) => asObject(version[key] ?? spec[key])
  const schema = asObject(asObject(spec.validation ?? version.schema).openAPIV3Schema)
  return {
    name: crd.metadata.name,
    schema,
    body: fullBody(schema),
    hasStatus: isJsonObject(held('subresources').status),
    keepsAll: spec.preserveUnknownFields === true,
    typeMeta: {apiVersion, kind: asText(names.kind)},
    url: `/apis/${apiVersion}${within}/${asText(names.plural)}`,
  }
}

function conditionsOf(crd: JsonObject): string[] {
  const conditions = asObjects(asObject(crd.status).conditions)
  return conditions.map(({type, status}) => `${asText(type)}=${asText(status)}`)
}

/** Creates a CRD, waits until its instances can be created, and tells the conditions that it has then. */
export async function serve(kube: Kube, crd: KubernetesObject, {url}: InstanceKind): Promise<string[]> {
  accepted(await kube.create(crd))
  const seen = await until(
    () => kube.get(crd),
    ({body}) => conditionsOf(body).includes('Established=True'),
    120,
  )
  await until(
    () => kube.send('GET', url),
    ({code}) => code === 200,
    120,
  )
  return conditionsOf(seen.body)
}

/** Creates an instance, or asks what would come of it. */
export async function create(
  kube: Kube,
  {typeMeta, url}: InstanceKind,
  name: string,
  body: JsonObject,
  {dryRun}: {readonly dryRun: boolean},
): Promise<Answer> {
  return kube.send('POST', `${url}${dryRun ? '?dryRun=All' : ''}`, {...body, ...typeMeta, metadata: {name}})
}

/** What would come of the status of an instance that is there, if it were that of the body. */
export async function tryStatus(
  kube: Kube,
  {typeMeta, url}: InstanceKind,
  existing: JsonObject,
  body: JsonObject,
): Promise<Answer> {
  const {name, resourceVersion} = asObject(existing.metadata)
  const metadata = {name: asText(name), resourceVersion: asText(resourceVersion)}
  return kube.send('PUT', `${url}/${metadata.name}/status?dryRun=All`, {...body, ...typeMeta, metadata})
}

/** All that would be stored of a body but its metadata. */
export async function stored(
  kube: Kube,
  kind: InstanceKind,
  existing: JsonObject,
  body: JsonObject,
): Promise<JsonObject> {
  const {
    apiVersion,
    kind: _,
    metadata,
    ...fields
  } = accepted(await create(kube, kind, 'other', body, {dryRun: true}))
  if (!kind.hasStatus || body.status === undefined) return fields
  const {status = null} = accepted(await tryStatus(kube, kind, existing, body))
  return {...fields, status}
}
