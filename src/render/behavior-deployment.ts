import {present} from '../present.js'
import type {Behavior} from '../unpack/package.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {Era} from './era.js'
import type {InstallId} from './install-set.js'

export const DEFAULT_TEMPLATING_CONTROLLER = 'crossplane/templating-controller:v0.2.1'
const VOLUME_MOUNTS = [{mountPath: '/behaviors', name: 'behaviors'}]

/** The DeploymentSpec that runs a template stack: one container copies its templates, the engine's applies them. */
export function behaviorDeployment(era: Era, behavior: Behavior, {namespace, name}: InstallId): JsonObject {
  const copy = {
    name: era.behaviorContainers.copy,
    ...present({image: behavior.source.image}),
    command: ['cp', '-R', `${behavior.source.path}/.`, '/behaviors'],
    resources: {},
    volumeMounts: VOLUME_MOUNTS,
  }
  const manage = {
    name: era.behaviorContainers.manage,
    image: behavior.controllerImage ?? DEFAULT_TEMPLATING_CONTROLLER,
    args: [
      ...['--resources-dir', '/behaviors'],
      ...['--stack-definition-namespace', '$(SD_NAMESPACE)'],
      ...['--stack-definition-name', '$(SD_NAME)'],
    ],
    env: [
      {name: 'SD_NAMESPACE', value: namespace},
      {name: 'SD_NAME', value: name},
    ],
    resources: {},
    volumeMounts: VOLUME_MOUNTS,
  }
  const podSpec = {
    initContainers: [copy],
    containers: [manage],
    restartPolicy: 'Always',
    volumes: [{emptyDir: {}, name: 'behaviors'}],
  }
  return {selector: {}, strategy: {}, template: {metadata: {}, spec: podSpec}}
}
