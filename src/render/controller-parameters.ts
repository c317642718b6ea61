import {present} from '../present.js'
import {imageFromSource} from '../reference/image-source.js'
import {type JsonObject, asObjects} from '../yaml/json-value.js'
import {withContainers, withPodSpec} from './pod-template.js'
import type {InstallRequest} from './request.js'

/** A controller's DeploymentSpec with the request's parameters: its image, pull secrets, pull policy and source. */
export function withRequestParameters(
  deployment: JsonObject,
  request: InstallRequest,
  image: string,
): JsonObject {
  return withPodSpec(deployment, podSpec => ({
    ...withContainers(podSpec, container => withImage(container, request, image)),
    ...pullSecrets(podSpec, request.imagePullSecrets),
  }))
}

function withImage(
  container: JsonObject,
  {source, imagePullPolicy}: InstallRequest,
  image: string,
): JsonObject {
  const named = typeof container.image === 'string' && container.image !== '' ? container.image : image
  return {
    ...container,
    ...(named === '' ? {} : {image: source === undefined ? named : imageFromSource(named, source)}),
    ...present({imagePullPolicy}),
  }
}

function pullSecrets(podSpec: JsonObject, names: readonly string[]): JsonObject {
  const secrets = [...asObjects(podSpec.imagePullSecrets), ...names.map(name => ({name}))]
  return secrets.length === 0 ? {} : {imagePullSecrets: secrets}
}
