import {failureOf} from '../../cluster/api/cluster-failure.js'
import {CrossplaneError} from '../../errors.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {isPackageRequest} from '../../plan/cluster/state/core-state.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {readinessOf} from '../../health/readiness/readiness.js'

/** An object that is not ready. */
export interface Pending {
  readonly object: ObjectName
  /** States the fact. */
  readonly reason: string
  /** Waiting longer does not help. */
  readonly isFinal?: boolean
  /** What makes it ready. */
  readonly suggestions?: readonly string[]
  /** As it was read, if it exists. */
  readonly live?: KubernetesObject
}

/** Reads an object; undefined if it is ready. */
export async function observe(
  api: Pick<ClusterApi, 'get' | 'resource'>,
  object: ObjectName,
): Promise<Pending | undefined> {
  const live = await api.get(object)
  if (live === undefined) return {object, reason: 'it does not exist'}
  const readiness = readinessOf(live, await currentRevision(live, api))
  if (!readiness.ready) {
    const {reason, isFinal, suggestions} = readiness
    return {object, reason, live, ...present({isFinal, suggestions})}
  }
  const unserved = isCrd(live) ? await unservedVersion(api, live) : undefined
  if (unserved === undefined) return undefined
  return {object, reason: `its version ${quoted(unserved)} is not served yet`, live}
}

/** Reads the revision of a package; undefined for other objects, and for users who may not read it. */
async function currentRevision(
  live: KubernetesObject,
  api: Pick<ClusterApi, 'get'>,
): Promise<KubernetesObject | undefined> {
  const name = asText(asObject(live.status).currentRevision)
  if (name === '' || !isPackageRequest(live)) return undefined
  const {apiVersion, kind} = live
  try {
    return await api.get({apiVersion, kind: `${kind}Revision`, name})
  } catch (error) {
    if (error instanceof CrossplaneError && failureOf(error)?.status === 403) return undefined
    throw error
  }
}

/** A CRD is established a moment before its resource is served. */
async function unservedVersion(
  api: Pick<ClusterApi, 'resource'>,
  {spec}: KubernetesObject,
): Promise<string | undefined> {
  const {group, names, versions} = asObject(spec)
  const kind = asText(asObject(names).kind)
  for (const {name, served} of asObjects(versions)) {
    if (served !== true) continue
    const resource = await api.resource({apiVersion: `${asText(group)}/${asText(name)}`, kind})
    if (resource === undefined) return asText(name)
  }
  return undefined
}
