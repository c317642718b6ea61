import {behaviorDeployment, runBehavior} from '../render/behavior-deployment.js'
import {controllerDeployment} from '../render/deployment.js'
import type {Era} from '../render/era.js'
import type {SetObject} from '../render/install-set.js'
import type {Install} from '../render/package-record.js'
import {asObject, type JsonObject} from '../yaml/json-value.js'

/** The DeploymentSpec of a controller at three stages of an install. */
export interface ControllerPod {
  /** As the package has it, before the request's parameters. */
  readonly declared: JsonObject
  /** As it would run by default, restricted. */
  readonly confined: JsonObject
  /** As it would run with the package's own security settings allowed. */
  readonly allowed: JsonObject
}

/** Undefined if the package runs nothing. `objects` are those of its install set. */
export function controllerPod(
  era: Era,
  {request, package: {behavior, controller}}: Install,
  objects: readonly SetObject[],
): ControllerPod | undefined {
  const deployment =
    behavior === undefined ? controller : behaviorDeployment(era, runBehavior(era, behavior, {}), request)
  const running = objects.find(object => object.phase === 'controllers')?.object
  const record = objects.findLast(object => object.phase === 'records')?.object
  if (deployment === undefined || running === undefined) return undefined
  const recorded = asObject(asObject(asObject(asObject(record?.spec).controller).deployment).spec)
  const allowed = controllerDeployment(era, request, recorded, {allowFullDeployment: true})
  return {declared: deployment, confined: asObject(running.spec), allowed: asObject(allowed.spec)}
}

export function podSpecOf(deployment: JsonObject): JsonObject {
  return asObject(asObject(deployment.template).spec)
}
