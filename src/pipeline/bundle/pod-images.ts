import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'

/** The lists of containers in a Pod, and in what Pods are made of. */
const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers']

/**
 * Returns the images that objects run, in whatever they have a Pod: a Deployment, a Job, the runtime of a package. Objects
 * that only describe kinds run nothing.
 */
export function podImages(objects: readonly JsonObject[]): readonly string[] {
  const images = new Set<string>()
  for (const object of objects) if (object['kind'] !== CRD_KIND.kind) collect(object, images)
  return [...images]
}

function collect(value: JsonValue, images: Set<string>): void {
  if (isJsonArray(value)) {
    for (const item of value) collect(item, images)
    return
  }
  if (!isJsonObject(value)) return
  for (const image of [
    ...CONTAINERS.flatMap(field => imagesIn(value[field])),
    ...volumeImages(value['volumes']),
  ])
    images.add(image)
  for (const field of Object.values(value)) collect(field, images)
}

function imagesIn(containers: JsonValue | undefined): readonly string[] {
  return asObjects(containers).flatMap(({image}) => (asText(image) === '' ? [] : [asText(image)]))
}

/** A volume can be an image, too: https://kubernetes.io/docs/concepts/storage/volumes/#image */
function volumeImages(volumes: JsonValue | undefined): readonly string[] {
  return asObjects(volumes).flatMap(({image}) => {
    const reference = isJsonObject(image) ? asText(image['reference']) : ''
    return reference === '' ? [] : [reference]
  })
}
