import {
  asObject,
  asText,
  asTexts,
  type KubernetesObject,
  nameOf,
  type Outcome,
} from 'kubectl-crossplane/plugin'
import {DELETING, notSynced} from '../model/conditions.js'
import {normalEvent} from '../model/event-texts.js'
import {CLAIM_FINALIZER, controllerNames} from '../model/names.js'
import {ownerOf} from '../model/owned-secret.js'
import {consentsOf} from '../model/propagation.js'
import {referenceIn} from '../model/references.js'
import {messageOf} from '../model/message-of.js'
import {isOutdated, type Store} from '../model/store.js'
import {reportVerdict} from '../model/verdict.js'
import {phaseOf} from './binding-phase.js'
import type {ClaimPorts} from './claim-ports.js'
import {claimedBy} from './claimed-by.js'
import {serviceOf} from './service-of.js'

/** Releases all managed resources of a deleted claim, then lets the claim go. */
export async function releaseClaim(claim: KubernetesObject, ports: ClaimPorts): Promise<Outcome> {
  const {services, store} = ports
  for (const managed of claimedBy(claim, services, store)) {
    const source = controllerNames(claim, managed).binder
    try {
      await release(managed, store)
    } catch (error) {
      if (isOutdated(error)) throw error
      return await reportFailure(claim, messageOf(error), source, ports)
    }
    await store.event(claim, normalEvent('UnboundManagedResource', source))
  }
  const finalizers = asTexts(claim.metadata.finalizers)
  const isOurs = serviceOf(claim, services) !== undefined && finalizers.includes(CLAIM_FINALIZER)
  if (!isOurs) return {result: 'success'}
  await store.patch(claim, {metadata: {finalizers: finalizers.filter(name => name !== CLAIM_FINALIZER)}})
  return {result: 'success'}
}

/**
 * The reference to the claim goes last: as long as it exists, a pass that ended early is repeated. Without a policy, a managed
 * resource is retained.
 */
async function release(managed: KubernetesObject, store: Store): Promise<void> {
  await withdrawConsent(managed, store)
  const isReleased = phaseOf(managed) === 'Released'
  const released = isReleased ? managed : await store.patchStatus(managed, {bindingPhase: 'Released'})
  const isToDelete = asObject(managed.spec).reclaimPolicy === 'Delete'
  if (isToDelete && managed.metadata.deletionTimestamp === undefined) await store.delete(released)
  const rest = isToDelete ? await store.read(nameOf(managed)) : released
  if (rest === undefined || rest.metadata.uid !== managed.metadata.uid) return
  // A pass over the managed resource can change it meanwhile; then this pass is repeated, until nothing names the claim.
  await store.patch(rest, {spec: {claimRef: null}})
}

async function withdrawConsent({metadata, spec}: KubernetesObject, store: Store): Promise<void> {
  const {namespace, name} = referenceIn(asObject(spec).writeConnectionSecretToRef) ?? {}
  if (name === undefined) return
  const place = {apiVersion: 'v1', kind: 'Secret', namespace: asText(namespace), name: asText(name)}
  const secret = await store.get(place)
  if (secret === undefined || ownerOf(secret)?.uid !== metadata.uid) return
  const consents = consentsOf(secret)
  if (consents.length === 0) return
  const annotations = Object.fromEntries(consents.map(key => [key, null]))
  await store.patch(secret, {metadata: {annotations}})
}

async function reportFailure(
  claim: KubernetesObject,
  message: string,
  source: string,
  {store}: ClaimPorts,
): Promise<Outcome> {
  const event = {type: 'Warning', reason: 'CannotUnbindManagedResource', message, source} as const
  const conditions = [DELETING, notSynced(message)]
  const outcome: Outcome = {result: 'error'}
  await reportVerdict(claim, {conditions, event, outcome}, store)
  return outcome
}
