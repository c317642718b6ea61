import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import {CrossplaneError} from '../errors.js'
import {objectText} from '../kubernetes/object-key.js'
import {managerRejection} from '../plan/cluster/inventories/managed-installs.js'
import type {Operation} from '../plan/plan.js'
import {eraOf} from '../render/era.js'
import {isClaim} from '../render/labels.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {asTexts, type JsonObject} from '../yaml/json-value.js'
import {nameIn, uidIn, withoutFields} from './operation-parts.js'
import {patchMetadata} from './patch-metadata.js'
import {runningManager} from '../observe/installs/running-managers.js'

/**
 * Gives up a claim by applying nothing. This does not remove labels that the original package manager or the content of the CRD
 * has; a merge patch removes them, unless the labels of the object have changed in the meantime. Throws `cluster-refused`.
 */
export async function removeClaim(operation: Operation, api: ClusterApi): Promise<void> {
  const {manager = CONTENT_MANAGER, labels = []} = operation
  const name = nameIn(operation)
  const uid = uidIn(operation)
  const {object} = await api.apply(withoutFields(name), {manager, metadataOnly: true})
  if (labels.length === 0) return
  if (object.metadata.uid !== uid) throw changed(operation, 'it was created again')
  const left = Object.keys(object.metadata.labels ?? {}).filter(
    text => isClaim(text) && !labels.includes(text),
  )
  // A CRD that another install claims stays managed.
  const patch = labelsPatch(left.length === 0 ? labels : labels.filter(isClaim))
  const isSame = (metadata: JsonObject) => jsonEqual(metadata.labels ?? {}, object.metadata.labels ?? {})
  const patchFor = (metadata: JsonObject) => {
    if (!isSame(metadata)) throw changed(operation, 'its labels changed')
    return patch
  }
  await patchMetadata({name, manager, patchFor}, object.metadata, api)
}

/** The merge patch that removes labels. */
export function labelsPatch(labels: readonly string[]): JsonObject & {readonly metadata: JsonObject} {
  return {metadata: {labels: Object.fromEntries(labels.map(label => [label, null]))}}
}

/**
 * Removes exactly the finalizers of a deletion from the object, which is being deleted. Throws `cluster-refused` if
 * their package manager was started in the meantime, because it would do the same at the same time.
 */
export async function removeFinalizers(operation: Operation, api: ClusterApi): Promise<void> {
  const {finalizers = []} = operation
  const name = nameIn(operation)
  const era = eraOf(name.apiVersion)
  const manager = era && (await runningManager(era, api))
  if (manager !== undefined) {
    const {message, suggestions} = managerRejection(`removes the finalizers of ${objectText(name)}`, manager)
    throw new CrossplaneError('cluster-refused', message, {suggestions})
  }
  const live = await api.get(name)
  if (live?.metadata.uid !== uidIn(operation) || live === undefined) return
  const patchFor = (metadata: JsonObject) => {
    const before = asTexts(metadata.finalizers)
    const left = before.filter(text => !finalizers.includes(text))
    return left.length === before.length ? undefined : {metadata: {finalizers: left}}
  }
  await patchMetadata({name, manager: operation.manager, patchFor}, live.metadata, api)
}

function changed(operation: Operation, why: string): CrossplaneError {
  const object = objectText(nameIn(operation))
  return new CrossplaneError(
    'cluster-refused',
    `cannot remove the claim on ${object}: ${why} in the meantime`,
    {suggestions: ['Run the command again.']},
  )
}
