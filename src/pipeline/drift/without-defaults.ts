import {CONTENT_MANAGER} from '../../cluster/claims.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import {type Place, partAt} from '../../health/sides/place.js'
import type {Difference, ObjectDrift, SidedObject} from '../../health/sides/sided-object.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {isJsonArray, isJsonObject, type JsonValue} from '../../yaml/json-value.js'

/**
 * Leaves out fields that only the cluster has and that have their default values: who removes a field gets its default, and is
 * then its manager. Asks the server, by a dry run, what it has without these fields; changes nothing. What it does not
 * answer, for example without the permission to update the object, stays a difference.
 */
export async function withoutDefaults(
  drift: readonly ObjectDrift[],
  objects: readonly SidedObject[],
  api: Pick<ClusterApi, 'update'> | undefined,
): Promise<readonly ObjectDrift[]> {
  if (api === undefined) return drift
  const live = new Map(objects.map(({name, on}) => [objectKey(name), on.cluster]))
  const left: ObjectDrift[] = []
  for (const object of drift) {
    const current = live.get(objectKey(object.name))
    const differences =
      current === undefined ? object.differences : await notDefaulted(object.differences, current, api)
    if (differences.length > 0) left.push({...object, differences})
  }
  return left
}

async function notDefaulted(
  differences: readonly Difference[],
  current: KubernetesObject,
  api: Pick<ClusterApi, 'update'>,
): Promise<readonly Difference[]> {
  const places = differences.filter(({added}) => added !== undefined).map(({place}) => place)
  if (places.length === 0) return differences
  const reset = await updated(withoutPlaces(current, places), api)
  if (reset === undefined) return differences
  const isDefault = (place: Place) => jsonEqual(partAt(current, place), partAt(reset, place))
  return differences.filter(({added, place}) => added === undefined || !isDefault(place))
}

async function updated(
  object: KubernetesObject,
  api: Pick<ClusterApi, 'update'>,
): Promise<KubernetesObject | undefined> {
  try {
    return (await api.update(object, {manager: CONTENT_MANAGER, dryRun: true})).object
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

function withoutPlaces(object: KubernetesObject, places: readonly Place[]): KubernetesObject {
  const copy = structuredClone(object)
  // The last item of a list first: others move.
  for (const place of places.toReversed()) {
    const holder = partAt(copy, place.slice(0, -1))
    const item = partAt(copy, place)
    const step = place.at(-1)
    if (isJsonObject(holder) && typeof step === 'string') Reflect.deleteProperty(holder, step)
    else if (isJsonArray(holder) && item !== undefined)
      (holder as JsonValue[]).splice(holder.indexOf(item), 1)
  }
  return copy
}
