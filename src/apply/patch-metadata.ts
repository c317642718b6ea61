import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {failureOf} from '../cluster/api/cluster-failure.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import type {JsonObject} from '../yaml/json-value.js'

/** The maximum number of attempts at a change that conflicts with another client's change of the same object. */
const ATTEMPTS = 5

/** A change of the metadata of one object. */
export interface MetadataPatch {
  readonly name: ObjectName
  /** The field manager; `CONTENT_MANAGER` by default. */
  readonly manager?: string | undefined
  /** Returns the patch for metadata; undefined if nothing is to be changed. */
  readonly patchFor: (metadata: JsonObject) => {readonly metadata: JsonObject} | undefined
}

/**
 * Sends a merge patch of the metadata of an object, if there is one, for exactly the state that it was made from. It is made
 * again for another state, unless that is of another object. Returns whether the object still exists. Throws the conflict
 * of the last attempt.
 */
export async function patchMetadata(
  change: MetadataPatch,
  first: JsonObject,
  api: ClusterApi,
): Promise<boolean> {
  let metadata: JsonObject | undefined = first
  for (let attempt = 1; metadata !== undefined && metadata.uid === first.uid; attempt += 1) {
    const patch = change.patchFor(metadata)
    if (patch === undefined) return true
    const {uid = null, resourceVersion = null} = metadata
    const content = {metadata: {...patch.metadata, uid, resourceVersion}}
    const sent = await send(change, content, api, attempt === ATTEMPTS)
    if (sent !== 'conflict') return sent === 'patched'
    metadata = (await api.get(change.name))?.metadata
  }
  return false
}

async function send(
  {name, manager = CONTENT_MANAGER}: MetadataPatch,
  content: JsonObject,
  api: ClusterApi,
  isLast: boolean,
): Promise<'patched' | 'absent' | 'conflict'> {
  try {
    await api.mergePatch(name, content, {manager})
    return 'patched'
  } catch (error) {
    const status = failureOf(error)?.status
    if (status === 404) return 'absent'
    if (status !== 409 || isLast) throw error
    return 'conflict'
  }
}
