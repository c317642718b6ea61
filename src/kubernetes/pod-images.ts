import {CRD_KIND} from './crd-kind.js'
import {
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'

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

/** Returns an object that runs other images in place of some, by their names in it. */
export function withPodImages<Value extends JsonValue>(
  value: Value,
  names: ReadonlyMap<string, string>,
): Value {
  return replaced(value, names) as Value
}

function replaced(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (isJsonArray(value)) return value.map(item => replaced(item, names))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([field, own]): [string, JsonValue] => {
    if (CONTAINERS.includes(field) && isJsonArray(own))
      return [field, own.map(container => withImage(replaced(container, names), 'image', names))]
    if (field === 'volumes' && isJsonArray(own))
      return [field, own.map(volume => withVolumeImage(replaced(volume, names), names))]
    return [field, replaced(own, names)]
  })
  return Object.fromEntries(fields)
}

function withImage(value: JsonValue, field: string, names: ReadonlyMap<string, string>): JsonValue {
  if (!isJsonObject(value)) return value
  const name = names.get(asText(value[field]))
  return name === undefined ? value : {...value, [field]: name}
}

function withVolumeImage(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (!isJsonObject(value) || value['image'] === undefined) return value
  return {...value, image: withImage(value['image'], 'reference', names)}
}
