import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {failureOf} from '../cluster/api/cluster-failure.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import {CrossplaneError} from '../errors.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {objectText} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {mapConcurrent} from '../map-concurrent.js'
import {kubectlGet} from '../plan/cluster/objects/object-reasons.js'
import {contentHash} from '../plan/cluster/state/live-object.js'
import {migratedBy} from '../plan/cluster/crds/migrate-operation.js'
import type {Operation} from '../plan/plan.js'
import {present} from '../present.js'
import {asObject, asText, asTexts} from '../yaml/json-value.js'
import {nameIn, uidIn} from './operation-parts.js'

/** Writes at a time. */
const CONCURRENCY = 8
/** Custom resources that are kept in memory until they are written. */
const BATCH = 500
/** The status of a CRD changes rarely. */
const MAX_ATTEMPTS = 5

/**
 * Writes each custom resource of a CRD once, so that it is stored in the new storage version, and then removes the others
 * from `status.storedVersions`. What an interruption leaves is migrated by the next run. Throws `cluster-refused` if the
 * CRD is not as planned, and the errors of the API.
 */
export async function migrateVersions(
  operation: Operation,
  {api, signal}: {readonly api: ClusterApi; readonly signal: AbortSignal},
): Promise<void> {
  await plannedCrd(operation, api)
  const {kind} = migratedBy(operation)
  let batch: ObjectName[] = []
  const write = async () => {
    await mapConcurrent(batch, CONCURRENCY, async name => {
      signal.throwIfAborted()
      await writeAgain(name, api)
    })
    batch = []
  }
  for await (const {metadata} of api.list(kind, {metadataOnly: true, mustBeServed: true})) {
    const {name, namespace} = metadata
    batch.push({...kind, ...present({name, namespace})})
    if (batch.length === BATCH) await write()
  }
  await write()
  await settleVersions(operation, api)
}

/** An API server stores an object again, even without a change, if it is stored in another version. */
async function writeAgain(name: ObjectName, api: ClusterApi): Promise<void> {
  try {
    await api.mergePatch(name, {}, {manager: CONTENT_MANAGER})
  } catch (error) {
    if (failureOf(error)?.status !== 404) throw error
  }
}

async function settleVersions(operation: Operation, api: ClusterApi): Promise<void> {
  const {to} = migratedBy(operation)
  for (let attempt = 1; ; attempt++) {
    const {status, metadata} = await plannedCrd(operation, api)
    const stored = asTexts(asObject(status).storedVersions)
    if (stored.length === 1 && stored[0] === to) return
    const patch = {
      metadata: {resourceVersion: asText(metadata.resourceVersion)},
      status: {storedVersions: [to]},
    }
    try {
      await api.mergePatch(nameIn(operation), patch, {manager: CONTENT_MANAGER, subresource: 'status'})
      return
    } catch (error) {
      if (failureOf(error)?.status !== 409 || attempt >= MAX_ATTEMPTS) throw error
    }
  }
}

/** Another storage version, set in the meantime, would make the migrated objects those of a former one. */
async function plannedCrd(operation: Operation, api: ClusterApi): Promise<KubernetesObject> {
  const name = nameIn(operation)
  const {precondition} = operation
  const live = await api.get(name)
  const isSame =
    live !== undefined &&
    live.metadata.uid === uidIn(operation) &&
    precondition !== undefined &&
    'sha256' in precondition &&
    contentHash(live) === precondition.sha256
  if (isSame) return live
  const message = `cannot migrate the custom resources of ${objectText(name)}: it was changed after the plan was made`
  throw new CrossplaneError('cluster-refused', message, {suggestions: [kubectlGet(name)]})
}
