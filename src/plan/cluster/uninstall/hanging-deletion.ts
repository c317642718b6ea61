import type {EraName} from '../../../reference/era-name.js'
import {eraOf, finalizerOf} from '../../../render/era.js'
import {nameOf, objectText} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {count, escaped, listAll, quoted, shellWord} from '../../../text.js'
import {asObject, asObjects, asText, asTexts} from '../../../yaml/json-value.js'
import {kubectlGet} from '../objects/object-reasons.js'

/** The known state of an object whose deletion is not complete. */
export interface HangingDeletion {
  /** The object that delays the deletion: for a CRD with custom resources, one of these. */
  readonly object: KubernetesObject
  /** The CRD that waits for the object, and the number of its remaining custom resources. */
  readonly crd?: {readonly name: string; readonly instances: number}
  /** The controllers of the installs that claim the CRD of the object. */
  readonly controllers: readonly Controller[]
  /** The original package managers that run, as NAMESPACE/NAME; undefined if that cannot be read. */
  readonly managers: ReadonlyMap<EraName, string> | undefined
}

/** A Deployment of an install, both as NAMESPACE/NAME. */
export interface Controller {
  readonly install: string
  readonly deployment: string
  readonly state: 'running' | 'stopped' | 'missing' | 'unknown'
}

/** The reason why a deletion hangs: a fact that follows the name of the object, and the next step. */
export interface HangingReason {
  readonly reason: string
  readonly suggestions: readonly string[]
}

/**
 * Explains a deletion that hangs: its finalizers, the manager that set each, and whether the controller that would
 * remove it runs.
 */
export function explainHanging(hanging: HangingDeletion): HangingReason {
  const {object, crd} = hanging
  const name = escaped(objectText(nameOf(object)))
  const finalizers = finalizersOf(object)
  const place =
    crd === undefined ? '' : `${count(crd.instances, 'custom resource')} of ${crd.name} left; ${name}: `
  if (object.metadata.deletionTimestamp === undefined) {
    return {reason: `${place}deletion has not started`, suggestions: [kubectlGet(nameOf(object))]}
  }
  if (finalizers.length === 0) {
    return {reason: `${place}deletion is still in progress`, suggestions: [AGAIN]}
  }
  const reasons = finalizers.map(finalizer => `finalizer ${quoted(finalizer)} ${ownerOf(finalizer, hanging)}`)
  return {reason: `${place}${reasons.join('; ')}`, suggestions: [...remedies(hanging), AGAIN]}
}

const AGAIN = 'Fix the cause, and run the command again, or pass a longer --timeout.'

/** The finalizers of a Namespace are in its specification. */
function finalizersOf({kind, apiVersion, metadata, spec}: KubernetesObject): readonly string[] {
  const others = kind === 'Namespace' && apiVersion === 'v1' ? asTexts(asObject(spec).finalizers) : []
  return [...asTexts(metadata.finalizers), ...others]
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/ */
const KUBERNETES: Readonly<Record<string, string>> = {
  foregroundDeletion: 'waits for its dependents, which the garbage collector deletes',
  orphan: 'waits for the garbage collector',
  kubernetes: 'waits for the objects in the namespace',
  'customresourcecleanup.apiextensions.k8s.io': 'waits for the custom resources of the CRD',
}

/** The rest of a sentence about a finalizer. */
function ownerOf(finalizer: string, hanging: HangingDeletion): string {
  const {object} = hanging
  const explanation = KUBERNETES[finalizer]
  if (explanation !== undefined) return explanation
  if (finalizer === finalizerOf(object)) return originalOwner(hanging)
  const managers = settersOf(finalizer, object)
  const setter =
    managers.length === 0 ? 'has no known owner' : `was set by field manager ${listAll(managers.map(quoted))}`
  return [setter, ...hanging.controllers.map(controllerText)].join(', ')
}

function originalOwner({object, managers}: HangingDeletion): string {
  const era = eraOf(object.apiVersion)
  const running = era && managers?.get(era.name)
  const name = `the original package manager ${running === undefined ? (era?.manager ?? '') : escaped(running)}`
  if (managers === undefined) return `is removed by ${name}, and Deployments cannot be read`
  return `is removed by ${name}, which is ${running === undefined ? 'not running' : 'running'}`
}

function controllerText({install, deployment, state}: Controller): string {
  const of = `controller ${escaped(deployment)} of install ${escaped(install)}`
  switch (state) {
    case 'running':
      return `${of} is running`
    case 'stopped':
      return `${of} has no replicas`
    case 'missing':
      return `${of} does not exist`
    default:
      return `${of} cannot be read`
  }
}

/** The managers that own a finalizer, as managed fields show it. */
function settersOf(finalizer: string, {metadata}: KubernetesObject): readonly string[] {
  const item = `v:${JSON.stringify(finalizer)}`
  return asObjects(metadata.managedFields)
    .filter(({fieldsV1}) => {
      const fields = asObject(asObject(fieldsV1)['f:metadata'])
      return asObject(fields['f:finalizers'])[item] !== undefined
    })
    .map(({manager}) => asText(manager))
}

/** The facts that running controllers report, or the place where the object shows more. */
function remedies({object, controllers}: HangingDeletion): readonly string[] {
  const running = controllers.filter(({state}) => state === 'running')
  if (running.length === 0) return [kubectlGet(nameOf(object))]
  return running.map(({deployment}) => {
    const [namespace = '', name = ''] = deployment.split('/')
    return `kubectl logs ${shellWord(`deployment/${name}`)} --namespace ${shellWord(namespace)}`
  })
}
