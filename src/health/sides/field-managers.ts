import {CONTENT_MANAGER, ORIGINAL_MANAGER} from '../../cluster/claims.js'
import {gitApplierCalled} from '../../cluster/git-applier.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {parsedJson} from '../../yaml/parsed-json.js'
import {hasKeys, type Place, type Step, partAt} from './place.js'

/** A field manager that changed an object; its name is untrusted text. */
export interface FieldManager {
  readonly manager: string
  readonly operation: string
  /** In RFC 3339; empty from a server that does not say. */
  readonly time: string
}

interface Entry extends FieldManager {
  readonly fields: JsonObject
}

/** Reports whether a manager is one of the programs that apply packages. */
export function isApplier(manager: string): boolean {
  return gitApplierCalled(manager) !== undefined || isOwnManager(manager)
}

/** Reports whether a manager is this program, whose next apply removes what nothing wants. */
export function isOwnManager(manager: string): boolean {
  return manager === CONTENT_MANAGER || manager.startsWith(`${CONTENT_MANAGER}:`)
}

function entriesOf({metadata}: KubernetesObject): readonly Entry[] {
  return asObjects(metadata.managedFields)
    .filter(({subresource}) => subresource !== 'status')
    .map(({manager, operation, time, fieldsV1}) => ({
      manager: asText(manager),
      operation: asText(operation),
      time: asText(time),
      fields: asObject(fieldsV1),
    }))
}

/** Reports whether one of the programs that apply packages has applied an object. */
export function isAppliedByUs(object: KubernetesObject): boolean {
  return entriesOf(object).some(({manager}) => isApplier(manager))
}

/** Returns the managers that changed an object, newest first. */
export function managersOf(object: KubernetesObject): readonly FieldManager[] {
  return newestFirst(entriesOf(object))
}

/**
 * Returns the managers that own a place of a live object, or parts of it, newest first. Where others than those that
 * apply packages do, only these: they changed it.
 */
export function managersAt(object: KubernetesObject, place: Place): readonly FieldManager[] {
  const owners = entriesOf(object).filter(({fields}) => owns(fields, object, place))
  const others = owners.filter(({manager}) => !isApplier(manager))
  return newestFirst(others.length > 0 ? others : owners)
}

function newestFirst(entries: readonly Entry[]): readonly FieldManager[] {
  return entries
    .map(({manager, operation, time}) => ({manager, operation, time}))
    .toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
}

/** A field without others below it is owned as a whole. */
function owns(fields: JsonObject, live: JsonValue | undefined, place: Place): boolean {
  const below = Object.keys(fields).filter(key => key !== '.')
  if (place.length === 0) return true
  if (below.length === 0) return true
  const [step = '', ...rest] = place
  return below
    .filter(key => isKeyOf(key, step, live))
    .some(key => owns(asObject(fields[key]), partAt(live, [step]), rest))
}

/** https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management */
function isKeyOf(key: string, step: Step, live: JsonValue | undefined): boolean {
  if (typeof step === 'string') return key === `f:${step}`
  const item = partAt(live, [step])
  if (key.startsWith('k:')) return item !== undefined && hasKeys(item, asObject(parsedJson(key.slice(2))))
  return key.startsWith('v:') && jsonEqual(parsedJson(key.slice(2)), item)
}

/** Managers whose fields are expected: controllers of Kubernetes, and what existed before an install. */
const EXPECTED = [
  ORIGINAL_MANAGER,
  'kube-controller-manager',
  'clusterrole-aggregation-controller',
  'before-first-apply',
  'kubectl-client-side-apply',
]

/**
 * Returns the places that were added to a live object, except for its metadata: what nothing wants is not among the
 * differences. Of other managers, those that they added after it was last applied; of those that apply packages, all.
 */
export function placesAdded(live: KubernetesObject, wants: readonly JsonValue[]): readonly Place[] {
  const entries = entriesOf(live)
  const applied = entries.filter(({manager}) => isApplier(manager)).map(({time}) => time)
  const since = applied.toSorted().at(-1)
  if (since === undefined) return []
  return entries
    .filter(({manager, time}) => isApplier(manager) || (!EXPECTED.includes(manager) && time >= since))
    .flatMap(entry => placesSetBy(entry, live))
    .filter(([first]) => first !== 'metadata' && first !== 'status')
    .map(place => added(place, wants))
    .filter(place => place !== undefined)
}

/** An applier that updates also owns the defaults of what it created; what it set is in an annotation. */
function placesSetBy({manager, operation, fields}: Entry, live: KubernetesObject): readonly Place[] {
  const places = ownedPlaces(fields, live, [])
  if (operation === 'Apply' || !isApplier(manager)) return places
  const applied = parsedJson(asText(live.metadata.annotations?.[LAST_APPLIED]))
  return places.filter(place => partAt(applied, place) !== undefined)
}

/** https://kubernetes.io/docs/reference/labels-annotations-taints/#kubectl-kubernetes-io-last-applied-configuration */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** The shortest part of a place that nothing wants. */
function added(place: Place, wants: readonly JsonValue[]): Place | undefined {
  const isWanted = (length: number) => wants.some(want => partAt(want, place.slice(0, length)) !== undefined)
  const length = place.findIndex((_, index) => !isWanted(index + 1))
  return length === -1 ? undefined : place.slice(0, length + 1)
}

function ownedPlaces(fields: JsonObject, live: JsonValue | undefined, place: Place): readonly Place[] {
  const below = Object.keys(fields).filter(key => key !== '.')
  if (live === undefined) return []
  if (below.length === 0) return [place]
  return below.flatMap(key => {
    const step = stepOf(key, live)
    return step === undefined
      ? []
      : ownedPlaces(asObject(fields[key]), partAt(live, [step]), [...place, step])
  })
}

function stepOf(key: string, live: JsonValue): Step | undefined {
  if (key.startsWith('f:')) return key.slice(2)
  const keys = parsedJson(key.slice(2))
  return key.startsWith('k:') && isJsonObject(keys) && Array.isArray(live) ? keys : undefined
}
