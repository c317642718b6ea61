import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type JsonObject,
  type KubernetesObject,
  objectText,
} from 'kubectl-crossplane/plugin'
import {AVAILABLE, conditionOf, type ServiceCondition, SYNCED, WAITING} from '../model/conditions.js'
import {normalEvent} from '../model/event-texts.js'
import {CLAIM_FINALIZER, EXTERNAL_NAME} from '../model/names.js'
import {nameIn, referenceIn, referenceTo, refersTo} from '../model/references.js'
import type {Verdict} from '../model/verdict.js'
import {phaseOf} from './binding-phase.js'
import {claimedBy} from './claimed-by.js'
import {type ClaimPass, fail, waiting} from './claim-ports.js'
import {createManaged} from './create-managed.js'
import {checkClaimSecret, propagate} from './propagate.js'

type Seen = (claim: KubernetesObject) => void

/** Binds a claim to its managed resource, which is created if the claim names none; `seen` takes the claim as it changes. */
export async function bindClaim(pass: ClaimPass, seen: Seen): Promise<Verdict> {
  const {store} = pass.ports
  const reference = referenceIn(asObject(pass.claim.spec).resourceRef)
  const named = reference && (await store.get(nameIn({...reference, namespace: ''}, pass.service.managed)))
  if (reference !== undefined && named === undefined) {
    return waiting(pass, WAITING, 'ManagedResourceNotFound')
  }
  const claim = await withFinalizer(pass)
  seen(claim)
  const created = named === undefined ? await createManaged({...pass, claim}) : {claim, managed: named}
  seen(created.claim)
  return await bindTo({...pass, claim: created.claim}, created.managed, seen)
}

async function withFinalizer({claim, ports}: ClaimPass): Promise<KubernetesObject> {
  const finalizers = asTexts(claim.metadata.finalizers)
  if (finalizers.includes(CLAIM_FINALIZER)) return claim
  return await ports.store.patch(claim, {metadata: {finalizers: [...finalizers, CLAIM_FINALIZER]}})
}

async function bindTo(pass: ClaimPass, managed: KubernetesObject, seen: Seen): Promise<Verdict> {
  const phase = phaseOf(managed)
  const isGoing = managed.metadata.deletionTimestamp !== undefined && phase !== 'Bound'
  if (isGoing || (phase !== 'Unbound' && phase !== 'Bound')) {
    return waiting(pass, WAITING, 'WaitingToBind')
  }
  checkBinding(pass, managed)
  await checkClaimSecret(pass, managed)
  const bound = await withBinding(pass.claim, managed, pass)
  await propagate(pass, bound)
  const claim = await withExternalName(pass, bound)
  seen(claim)
  return {
    conditions: [readinessOf(bound), SYNCED],
    status: {bindingPhase: 'Bound'},
    ...(phaseOf(claim) === 'Bound' ? {} : {event: normalEvent('BoundManagedResource', pass.names.binder)}),
    outcome: {result: 'success'},
  }
}

/** Nothing of a managed resource that the claim cannot have is changed or read. */
function checkBinding(pass: ClaimPass, managed: KubernetesObject): void {
  const refuse = (message: string) => fail(pass, 'CannotBindManagedResource', message, [WAITING])
  const other = claimedBy(pass.claim, [pass.service], pass.ports.store).find(
    each => each.metadata.uid !== managed.metadata.uid && phaseOf(each) === 'Bound',
  )
  if (other !== undefined && phaseOf(pass.claim) === 'Bound') {
    const text = objectText({kind: other.kind, name: other.metadata.name})
    throw refuse(`refusing to bind to another managed resource: the claim is bound to ${text}`)
  }
  const reference = referenceIn(asObject(managed.spec).claimRef)
  if (refersTo(reference, pass.claim)) return
  if (phaseOf(managed) === 'Bound') throw refuse(boundElsewhere(reference))
  if (asObjects(managed.metadata.ownerReferences).some(({controller}) => controller === true)) {
    throw refuse('refusing to bind to managed resource that is controlled by another resource')
  }
  if (reference === undefined) return
  throw refuse('refusing to bind to managed resource that does not reference resource claim')
}

function boundElsewhere(reference: JsonObject | undefined): string {
  const place = `${asText(reference?.namespace)}/${asText(reference?.name)}`
  return reference === undefined
    ? 'refusing to bind to managed resource that is bound already'
    : `refusing to bind to managed resource that is bound to ${place}`
}

/** The reference first: it decides between two claims. */
async function withBinding(
  claim: KubernetesObject,
  managed: KubernetesObject,
  {ports: {store}}: ClaimPass,
): Promise<KubernetesObject> {
  const reference = asObject(asObject(managed.spec).claimRef)
  const claimRef = referenceTo(claim)
  const isReferenced = reference.uid === claimRef.uid
  const referenced = isReferenced ? managed : await store.patch(managed, {spec: {claimRef}})
  if (phaseOf(referenced) === 'Bound') return referenced
  return await store.patchStatus(referenced, {bindingPhase: 'Bound'})
}

async function withExternalName(
  {claim, ports}: ClaimPass,
  managed: KubernetesObject,
): Promise<KubernetesObject> {
  const name = managed.metadata.annotations?.[EXTERNAL_NAME] ?? ''
  if (name === '' || claim.metadata.annotations?.[EXTERNAL_NAME] === name) return claim
  return await ports.store.patch(claim, {metadata: {annotations: {[EXTERNAL_NAME]: name}}})
}

/** A claim is as ready as its managed resource. */
function readinessOf(managed: KubernetesObject): ServiceCondition {
  const condition = conditionOf(managed, 'Ready')
  if (condition === undefined || condition.status === 'True') return AVAILABLE
  const status = condition.status === 'False' ? 'False' : 'Unknown'
  return {type: 'Ready', status, reason: asText(condition.reason), message: asText(condition.message)}
}
