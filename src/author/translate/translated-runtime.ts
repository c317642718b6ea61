import type {Diagnostic} from '../../diagnostic.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {InstallSet} from '../../render/install-set.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {lostNote, type TranslationInput} from './translated.js'

/** How a translated package runs. */
export interface TranslatedRuntime {
  /** The DeploymentRuntimeConfig. */
  readonly config: JsonObject
  /** Whether it runs a controller. */
  readonly runs: boolean
  readonly pullSecrets: readonly JsonObject[]
  readonly notes: readonly Diagnostic[]
}

/** The container of the package in a DeploymentRuntimeConfig. */
const RUNTIME = 'package-runtime'
/** Variables that Crossplane sets itself; they would be there twice. */
const OWN_VARIABLES: ReadonlySet<string> = new Set(['POD_NAMESPACE'])

/**
 * Translates the Deployment of the controller. It keeps its image: the image of the translated package has no program.
 * Without a controller that can run, there are no replicas, since Crossplane makes a Deployment of every Provider.
 */
export function translatedRuntime({package: {behavior}, set, name}: TranslationInput): TranslatedRuntime {
  const deployment = objectsOf(set, 'Deployment')[0]
  const serviceAccount = objectsOf(set, 'ServiceAccount')[0]
  const runs = deployment !== undefined && behavior === undefined
  return {
    runs,
    config: {
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'DeploymentRuntimeConfig',
      metadata: {name},
      spec: {
        deploymentTemplate: {spec: runs ? templateOf(asObject(deployment.spec)) : NOTHING_RUNS},
        serviceAccountTemplate: {metadata: {name, ...annotationsOf(serviceAccount)}},
      },
    },
    pullSecrets: asObjects(serviceAccount?.imagePullSecrets),
    notes: behavior === undefined ? [] : [TEMPLATES],
  }
}

const TEMPLATES = lostNote(
  'translate-templates',
  'behavior.yaml: the controller of template stacks needs the records of 2020 and does not run; a Composition has to replace it',
)

/** Returns the objects of a kind. */
export function objectsOf({objects}: InstallSet, kind: string): readonly KubernetesObject[] {
  return objects.map(({object}) => object).filter(object => object.kind === kind)
}

const NOTHING_RUNS: JsonObject = {replicas: 0, selector: {}, template: {}}

/** Crossplane sets the selector, and the ServiceAccount of the template. */
function templateOf({replicas, strategy, template}: JsonObject): JsonObject {
  const {metadata, spec} = asObject(template)
  const {serviceAccountName: _own, containers, ...pod} = asObject(spec)
  const {name: _name, ...kept} = asObject(metadata)
  return {
    ...(replicas === undefined ? {} : {replicas}),
    selector: {},
    ...(Object.keys(asObject(strategy)).length === 0 ? {} : {strategy: asObject(strategy)}),
    template: {
      metadata: kept,
      spec: {...pod, containers: asObjects(containers).map(containerOf)},
    },
  }
}

/** The first container is the controller, as it is of packages of 2020. */
function containerOf(container: JsonObject, index: number): JsonObject {
  const env = asObjects(container.env).filter(({name}) => !OWN_VARIABLES.has(asText(name)))
  const {env: _env, ...others} = container
  const variables: JsonObject = env.length === 0 ? {} : {env}
  return index === 0 ? {...others, ...variables, name: RUNTIME} : container
}

function annotationsOf(serviceAccount: KubernetesObject | undefined): JsonObject {
  const {annotations = {}} = serviceAccount?.metadata ?? {}
  return Object.keys(annotations).length === 0 ? {} : {annotations}
}
