import {asObject, asObjects, type JsonObject} from '../yaml/json-value.js'

/** Changes the pod spec of a DeploymentSpec. */
export function withPodSpec(deployment: JsonObject, change: (podSpec: JsonObject) => JsonObject): JsonObject {
  const template = asObject(deployment.template)
  return {...deployment, template: {...template, spec: change(asObject(template.spec))}}
}

/** Changes every container of a pod spec, init containers included. */
export function withContainers(
  podSpec: JsonObject,
  change: (container: JsonObject) => JsonObject,
): JsonObject {
  return {
    ...podSpec,
    ...(podSpec.initContainers === undefined
      ? {}
      : {initContainers: asObjects(podSpec.initContainers).map(change)}),
    containers: asObjects(podSpec.containers).map(change),
  }
}

/** The containers of a DeploymentSpec, init containers first. */
export function containersOf(deployment: JsonObject): readonly JsonObject[] {
  const podSpec = asObject(asObject(deployment.template).spec)
  return [...asObjects(podSpec.initContainers), ...asObjects(podSpec.containers)]
}
