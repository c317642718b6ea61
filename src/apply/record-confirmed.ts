import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CrossplaneError} from '../errors.js'
import {objectText} from '../kubernetes/object-key.js'
import {
  annotatedRequest,
  confirmedAnnotations,
  readConfirmed,
} from '../plan/cluster/uninstall/confirmed-instances.js'
import {isInstanceRemoval} from '../plan/cluster/objects/instance-removal.js'
import type {Plan} from '../plan/plan.js'
import {escaped} from '../text.js'
import type {JsonObject} from '../yaml/json-value.js'
import {nameIn, uidIn} from './operation-parts.js'
import {patchMetadata} from './patch-metadata.js'

/**
 * Records the instances that a plan deletes on the request of an install without an inventory, unless they are recorded:
 * the same command can delete those that an interruption leaves. Throws `cluster-refused` if the request is gone.
 */
export async function recordConfirmed(
  {operations}: Plan,
  {api, signal}: {readonly api: ClusterApi; readonly signal: AbortSignal},
): Promise<void> {
  const deletion = annotatedRequest(operations)
  if (deletion === undefined) return
  const name = nameIn(deletion)
  const uids = operations.filter(isInstanceRemoval).flatMap(operation => uidIn(operation) ?? [])
  const annotations = confirmedAnnotations(uids)
  if (annotations === undefined) return
  signal.throwIfAborted()
  const patchFor = (metadata: JsonObject) => {
    const recorded = readConfirmed({metadata})
    return recorded !== undefined && uids.every(recorded.has) ? undefined : {metadata: {annotations}}
  }
  const live = await api.get(name)
  const isSame = live !== undefined && live.metadata.uid === uidIn(deletion)
  if (isSame && (await patchMetadata({name, patchFor}, live.metadata, api))) return
  const object = escaped(objectText(name))
  throw new CrossplaneError(
    'cluster-refused',
    `cannot delete the custom resources: ${object} was deleted in the meantime`,
    {suggestions: ['Run the command again.']},
  )
}
