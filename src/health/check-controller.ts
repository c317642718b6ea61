import {nameOf, objectText} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {escaped, quoted} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../yaml/json-value.js'
import {existing} from './check-identity.js'
import {podFindings} from './check-pods.js'
import type {ExpectedObjects} from './expected-objects.js'
import {broken} from './findings.js'
import type {Finding} from './health.js'
import type {HealthSnapshot} from './health-snapshot.js'
import {reinstall} from './reinstall.js'
import {placed} from './remedies.js'

/** Checks the Deployment of a controller, and its Pods. */
export function checkController({deployment}: ExpectedObjects, snapshot: HealthSnapshot): readonly Finding[] {
  return existing(deployment, 'controller-missing', snapshot, deploymentFindings)
}

function deploymentFindings(
  live: KubernetesObject,
  want: KubernetesObject,
  snapshot: HealthSnapshot,
): readonly Finding[] {
  const object = nameOf(live)
  const text = escaped(objectText(object))
  const [account, wanted] = [accountOf(live), accountOf(want)]
  if (account !== wanted) {
    const message = `${text} runs under the service account ${quoted(account)} instead of ${quoted(wanted)}`
    return [broken('controller-other-account', {object, message, suggestion: reinstall(snapshot)})]
  }
  const [spec, recorded] = [asObject(live.spec), asObject(want.spec)]
  if (spec.replicas === 0) return recorded.replicas === 0 ? [] : [scaledToZero(object)]
  return [
    ...(spec.paused === true && recorded.paused !== true ? [paused(object)] : []),
    ...podFindings(live, snapshot),
  ]
}

function accountOf({spec}: KubernetesObject): string {
  return asText(asObject(asObject(asObject(spec).template).spec).serviceAccountName)
}

function scaledToZero(object: ObjectName): Finding {
  return broken('controller-scaled-to-zero', {
    object,
    message: `${escaped(objectText(object))} has 0 replicas`,
    suggestion: `kubectl scale deployment ${placed(object)} --replicas=1`,
  })
}

function paused(object: ObjectName): Finding {
  return broken('controller-paused', {
    object,
    message: `${escaped(objectText(object))} is paused; changes are not rolled out`,
    suggestion: `kubectl rollout resume deployment ${placed(object)}`,
  })
}
