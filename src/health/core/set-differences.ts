import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import {placeText} from '../sides/place.js'
import {placesLacking} from '../sides/differences.js'

/** An object of a rendered set that the cluster does not have, or not so. */
export interface SetDifference {
  readonly object: KubernetesObject
  /** The fields that applying the object would change; none if it would create it. */
  readonly fields: readonly string[]
}

/**
 * Returns what applying a rendered set would create and change.
 * @param live - the objects of the cluster, by their keys.
 */
export function setDifferences(
  objects: readonly KubernetesObject[],
  live: ReadonlyMap<string, KubernetesObject>,
): readonly SetDifference[] {
  return objects.flatMap((object): readonly SetDifference[] => {
    const has = live.get(objectKey(nameOf(object)))
    if (has === undefined) return [{object, fields: []}]
    const places = placesLacking(object.spec ?? null, has.spec, ['spec'])
    return places.length === 0 ? [] : [{object, fields: places.map(place => placeText(place))}]
  })
}
