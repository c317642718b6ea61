import {grouped} from '../grouped.js'
import type {StackKinds} from '../locate/template-stack.js'
import type {Era} from '../render/era.js'
import {runBehavior, type RunBehavior} from '../render/behavior-deployment.js'
import type {SetObject} from '../render/install-set.js'
import type {Install} from '../render/package-record.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {type ContainerFacts, containerFacts, placedContainers} from './containers.js'
import {controllerPod, podSpecOf} from './controller-pod.js'
import {type ImagePin, imagePin} from './image-pin.js'
import {type SecretUse, secretUses} from './secret-uses.js'
import {type RequestedSetting, requestedSettings} from './requested-settings.js'

/** The runtime in a cluster, by default; lists are empty if a package runs nothing. */
export interface Runs {
  readonly kind: 'controller' | 'nothing' | 'template-engine'
  readonly replicas: number
  /** The service account with its permissions; absent if nothing runs. */
  readonly serviceAccount?: string
  readonly engine?: TemplateEngine
  /** Every image once, by first use. */
  readonly images: readonly ImageUse[]
  readonly containers: readonly ContainerFacts[]
  readonly secrets: readonly SecretUse[]
  readonly security: Security
}

/** The engine that turns the templates of a template stack into objects. */
export interface TemplateEngine extends StackKinds {
  readonly type: string
  readonly controllerImage: string
  /** The image with the templates; absent if it is the package's own. */
  readonly sourceImage?: string
  readonly path: string
  /** The kind whose objects the templates are applied for. */
  readonly for: {readonly apiVersion: string; readonly kind: string}
}

export interface ImageUse {
  /** Absent if it is the package's own image and its reference is not known. */
  readonly image?: string
  readonly pin: ImagePin
  /** Containers that run it, and volumes that contain it as `volume NAME`. */
  readonly usedBy: readonly string[]
}

export interface Security {
  /** The security contexts that are set by default, on the pod and on each of its containers. */
  readonly pod: JsonObject
  readonly container: JsonObject
  readonly asks: readonly RequestedSetting[]
}

/** `objects` are the install set's, `isOwnImageKnown` says whether the package's image in them is a real one. */
export function runs(
  era: Era,
  install: Install,
  objects: readonly SetObject[],
  isOwnImageKnown: boolean,
): Runs {
  const pod = controllerPod(era, install, objects)
  if (pod === undefined) return NOTHING
  const {behavior} = install.package
  const running = podSpecOf(pod.confined)
  const containers = containerFacts(podSpecOf(pod.declared), running, isOwnImageKnown)
  return {
    kind: behavior === undefined ? 'controller' : 'template-engine',
    replicas: replicasOf(pod.confined),
    serviceAccount: asText(running.serviceAccountName),
    ...(behavior === undefined ? {} : {engine: templateEngine(runBehavior(era, behavior, {}))}),
    images: imageUses(containers, running.volumes),
    containers,
    secrets: secretUses(running),
    security: {
      pod: asObject(running.securityContext),
      container: asObject(placedContainers(running)[0]?.container.securityContext),
      asks: requestedSettings(pod),
    },
  }
}

const NOTHING: Runs = {
  kind: 'nothing',
  replicas: 0,
  images: [],
  containers: [],
  secrets: [],
  security: {pod: {}, container: {}, asks: []},
}

function replicasOf({replicas}: JsonObject): number {
  return typeof replicas === 'number' ? replicas : 1
}

function templateEngine({engine, controllerImage, source, crd}: RunBehavior): TemplateEngine {
  return {
    type: asText(engine.type),
    controllerImage,
    sourceImage: source.image,
    path: source.path,
    for: {apiVersion: crd.apiVersion, kind: crd.kind},
  }
}

function imageUses(containers: readonly ContainerFacts[], volumes: JsonValue | undefined): ImageUse[] {
  const users = [...containers.map(userOf), ...asObjects(volumes).flatMap(imageVolume)]
  return [...grouped(users, ({image}) => image)].map(([image, own]) => {
    const usedBy = own.map(({user}) => user)
    return image === '' ? {pin: 'none', usedBy} : {image, pin: imagePin(image), usedBy}
  })
}

interface User {
  readonly image: string
  readonly user: string
}

function userOf({image = '', name}: ContainerFacts): User {
  return {image, user: name}
}

function imageVolume({name, image}: JsonObject): User[] {
  return image === undefined
    ? []
    : [{image: asText(asObject(image).reference), user: `volume ${asText(name)}`}]
}
