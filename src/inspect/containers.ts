import {asObjects, asText, asTexts, type JsonObject} from '../yaml/json-value.js'
import {defaultPullPolicy, type ImagePin, imagePin} from './image-pin.js'

type ContainerRole = 'ephemeral' | 'init' | 'main'

/** One container of a controller's pod, as it would run by default. */
export interface ContainerFacts {
  readonly name: string
  readonly role: ContainerRole
  /** Absent if it is the package's own image and its reference is not known. */
  readonly image?: string
  /** Whether the package names no image here, so that its own one is used. */
  readonly isOwnImage: boolean
  readonly pin: ImagePin
  /** Absent where it depends on an image that is not known. */
  readonly pullPolicy?: string
  /** Whether package and request leave the policy to Kubernetes. */
  readonly isPullPolicyDefault: boolean
  readonly command: readonly string[]
  readonly args: readonly string[]
}

/** A container and its position in the pod. */
export interface PlacedContainer {
  readonly role: ContainerRole
  readonly container: JsonObject
}

const LISTS = [
  ['init', 'initContainers'],
  ['main', 'containers'],
  // No API server accepts ephemeral containers in a template; if a package has one, it is not hidden.
  ['ephemeral', 'ephemeralContainers'],
] as const

/** Every container of a pod spec, in the order in which they start. */
export function placedContainers(podSpec: JsonObject): PlacedContainer[] {
  return LISTS.flatMap(([role, field]) => asObjects(podSpec[field]).map(container => ({role, container})))
}

/** `declared` is the same pod before images were filled in. */
export function containerFacts(
  declared: JsonObject,
  running: JsonObject,
  isOwnImageKnown: boolean,
): ContainerFacts[] {
  const before = placedContainers(declared)
  return placedContainers(running).map(({role, container}, index) => {
    const isOwnImage = asText(before[index]?.container.image) === ''
    const image = isOwnImage && !isOwnImageKnown ? '' : asText(container.image)
    return {
      name: asText(container.name),
      role,
      ...(image === '' ? {} : {image}),
      isOwnImage,
      pin: image === '' ? 'none' : imagePin(image),
      ...pullPolicy(container, image),
      command: asTexts(container.command),
      args: asTexts(container.args),
    }
  })
}

function pullPolicy(
  {imagePullPolicy}: JsonObject,
  image: string,
): Pick<ContainerFacts, 'pullPolicy' | 'isPullPolicyDefault'> {
  const declaredPolicy = asText(imagePullPolicy)
  const policy = declaredPolicy === '' && image !== '' ? defaultPullPolicy(image) : declaredPolicy
  return {...(policy === '' ? {} : {pullPolicy: policy}), isPullPolicyDefault: declaredPolicy === ''}
}
