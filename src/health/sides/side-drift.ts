import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import type {JsonValue} from '../../yaml/json-value.js'
import {outermost, placesDiffering, placesLacking} from './differences.js'
import {isAppliedByUs, isOwnManager, managersAt, managersOf, placesAdded} from './field-managers.js'
import {type Place, pointerTo, partAt} from './place.js'
import type {Difference, ObjectDrift, Side, SidedObject} from './sided-object.js'

/** Compares objects on the sides that are given, and returns those that differ. */
export function driftOfSides(
  objects: readonly SidedObject[],
  sides: readonly Side[],
): readonly ObjectDrift[] {
  return objects.flatMap(object => {
    const differences = differencesOf(object, sides)
    if (differences.length === 0) return []
    const {name, install, path, on} = object
    const presentOn = sides.filter(side => on[side] !== undefined)
    return [{name, ...present({install, path}), presentOn, differences}]
  })
}

function differencesOf(
  {name, on, isCreatedOnce, isDenied = false}: SidedObject,
  sides: readonly Side[],
): readonly Difference[] {
  const live = on.cluster
  // What another program created is left as it is, and what cannot be read is unknown.
  const isIgnored = isDenied || (isCreatedOnce && live !== undefined && !isAppliedByUs(live))
  const compared = isIgnored ? sides.filter(side => side !== 'cluster') : sides
  const absent = compared.filter(side => on[side] === undefined)
  const whole = absent.length === 0 ? [] : [wholeDifference(live, compared, absent)]
  const having = compared.filter(side => on[side] !== undefined)
  const isSecret = name.apiVersion === 'v1' && name.kind === 'Secret'
  const parts = placesOf(on, having, isCreatedOnce).map(place => differenceAt(place, on, having))
  return [...whole, ...(isSecret ? parts.map(withoutValues) : parts)]
}

/** A whole object is on two sides, or on one. */
function wholeDifference(
  live: KubernetesObject | undefined,
  compared: readonly Side[],
  absent: readonly Side[],
): Difference {
  const having = compared.filter(side => !absent.includes(side))
  const isOne = compared.length > 2
  const differs = isOne ? (absent.length === 1 ? absent : having) : compared
  const managers = live === undefined || !differs.includes('cluster') ? [] : managersOf(live)
  return {place: [], differs, values: {}, managers}
}

type Objects = SidedObject['on']

/** Servers and others add to what is created once, such as the finalizers of Namespaces. */
function placesOf(
  {lock, tree, cluster}: Objects,
  having: readonly Side[],
  isCreatedOnce: boolean,
): readonly Place[] {
  if (having.length < 2) return []
  const wants = [lock, tree].filter(want => want !== undefined)
  const places = [
    ...(lock === undefined || tree === undefined ? [] : placesDiffering(lock, tree)),
    ...(having.includes('cluster') && cluster !== undefined
      ? [
          ...wants.flatMap(want => placesLacking(want, cluster)),
          ...(isCreatedOnce ? [] : placesAdded(cluster, wants)),
        ]
      : []),
  ]
  return outermost(places).filter(([first]) => first !== 'status')
}

function differenceAt(place: Place, on: Objects, having: readonly Side[]): Difference {
  const values = Object.fromEntries(
    having.map(side => [side, partAt(on[side], place)] as const).filter(([, value]) => value !== undefined),
  ) as Difference['values']
  const differs = differingSides(values, having)
  const managers = differs.includes('cluster') && on.cluster ? managersAt(on.cluster, place) : []
  const isAdded =
    values.cluster !== undefined &&
    having.every(side => side === 'cluster' || isAbsent(values[side])) &&
    !(managers.length > 0 && managers.every(({manager}) => isOwnManager(manager)))
  return {
    place,
    differs,
    values,
    managers: values.cluster === undefined ? [] : managers,
    ...present({added: isAdded ? pointerTo(on.cluster, place) : undefined}),
  }
}

function withoutValues(difference: Difference): Difference {
  return {...difference, values: {}}
}

/** The side that differs from two others that agree; else all. */
function differingSides(values: Difference['values'], having: readonly Side[]): readonly Side[] {
  if (having.length < 3) return having
  const odd = having.find(side => {
    const [one, other] = having.filter(candidate => candidate !== side)
    return one !== undefined && other !== undefined && isSame(one, other, values)
  })
  return odd === undefined ? having : [odd]
}

/** A cluster has more than what is wanted of it. */
function isSame(one: Side, other: Side, values: Difference['values']): boolean {
  const [want, have] = one === 'cluster' ? [other, one] : [one, other]
  const [wanted, actual] = [values[want] ?? null, values[have]]
  if (have !== 'cluster') return placesDiffering(wanted, actual ?? null).length === 0
  return isAbsent(wanted) ? isAbsent(actual) : placesLacking(wanted, actual).length === 0
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null
}
