import {asObject, asText, type KubernetesObject} from 'kubectl-crossplane/plugin'

/** Returns the binding phase of a claim or managed resource: `Unbound`, `Bound` or `Released`; empty before. */
export function phaseOf({status}: KubernetesObject): string {
  return asText(asObject(status).bindingPhase)
}
