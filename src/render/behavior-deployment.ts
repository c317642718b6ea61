import {present} from '../present.js'
import type {Behavior} from '../unpack/package.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {Era} from './era.js'
import {type TemplateSource} from './inline-templates.js'
import type {InstallId} from './install-set.js'

const VOLUME_MOUNTS = [{mountPath: '/behaviors', name: 'behaviors'}]

/** A behavior with the image of the controller that runs it. */
export type RunBehavior = Behavior & {readonly controllerImage: string}

/** How a user has template stacks run. */
export interface RunnerChoice {
  /** Replaces the controllers that packages name, as well as the default of the era. */
  readonly controllerImage?: string
  /** Where templates are: by default in the image, and those of gotemplate in the definition. */
  readonly templatesFrom?: TemplateSource
}

/** Selects the controller of a template stack: the user's, else the package's, else that of the era. */
export function runBehavior(era: Era, behavior: Behavior, {controllerImage}: RunnerChoice): RunBehavior {
  return {...behavior, controllerImage: controllerImage ?? behavior.controllerImage ?? era.controllerImage}
}

/** The DeploymentSpec that runs a template stack whose definition includes the templates. */
export function inlineDeployment(era: Era, behavior: RunBehavior, {namespace, name}: InstallId): JsonObject {
  const manage = {
    name: era.behaviorContainers.manage,
    image: behavior.controllerImage,
    args: DEFINITION_ARGS,
    env: definitionVariables(namespace, name),
    resources: {},
  }
  return {
    selector: {},
    strategy: {},
    template: {metadata: {}, spec: {containers: [manage], restartPolicy: 'Always'}},
  }
}

const DEFINITION_ARGS = [
  ...['--stack-definition-namespace', '$(SD_NAMESPACE)'],
  ...['--stack-definition-name', '$(SD_NAME)'],
]

function definitionVariables(namespace: string, name: string): readonly JsonObject[] {
  return [
    {name: 'SD_NAMESPACE', value: namespace},
    {name: 'SD_NAME', value: name},
  ]
}

/** The DeploymentSpec that runs a template stack: one container copies its templates, the engine's applies them. */
export function behaviorDeployment(
  era: Era,
  behavior: RunBehavior,
  {namespace, name}: InstallId,
): JsonObject {
  const copy = {
    name: era.behaviorContainers.copy,
    ...present({image: behavior.source.image}),
    command: ['cp', '-R', `${behavior.source.path}/.`, '/behaviors'],
    resources: {},
    volumeMounts: VOLUME_MOUNTS,
  }
  const manage = {
    name: era.behaviorContainers.manage,
    image: behavior.controllerImage,
    args: ['--resources-dir', '/behaviors', ...DEFINITION_ARGS],
    env: definitionVariables(namespace, name),
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
