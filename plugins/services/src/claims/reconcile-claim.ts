import {asObject, type KubernetesObject, type Outcome} from 'kubectl-crossplane/plugin'
import {referenceIn} from '../model/references.js'
import {isOutdated} from '../model/store.js'
import {reportVerdict, Stop, type Verdict} from '../model/verdict.js'
import type {Service} from '../services.js'
import {bindClaim} from './bind-claim.js'
import {type ClaimPorts, claimPass} from './claim-ports.js'
import {releaseClaim} from './release-claim.js'
import {selectClass} from './select-class.js'
import {serviceOf} from './service-of.js'

/** The claim changed meanwhile: a pass over its new state follows. */
const SOON = 200

/** Makes one pass over a claim: selects its class, binds it, propagates its credentials, or releases all of that. */
export async function reconcileClaim(claim: KubernetesObject, ports: ClaimPorts): Promise<Outcome> {
  try {
    if (claim.metadata.deletionTimestamp !== undefined) return await releaseClaim(claim, ports)
    const service = serviceOf(claim, ports.services)
    if (service !== undefined) return await bind(claim, service, ports)
    return isPlaced(claim) ? {result: 'success'} : await selectClass(claim, ports)
  } catch (error) {
    if (isOutdated(error)) return {result: 'requeue', again: SOON}
    throw error
  }
}

/** Whether a claim names a class or a managed resource, here of others. */
function isPlaced({spec}: KubernetesObject): boolean {
  const {resourceRef, classRef} = asObject(spec)
  return referenceIn(resourceRef) !== undefined || referenceIn(classRef) !== undefined
}

async function bind(claim: KubernetesObject, service: Service, ports: ClaimPorts): Promise<Outcome> {
  let current = claim
  const seen = (object: KubernetesObject) => {
    current = object
  }
  const verdict = await bindClaim(claimPass(claim, service, ports), seen).catch((error: unknown): Verdict => {
    if (error instanceof Stop) return error.verdict
    throw error
  })
  await reportVerdict(current, verdict, ports.store)
  return verdict.outcome
}
