import {UNKNOWN_FIELD} from '../../crd/instances/check-object.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {parsePath} from '../../yaml/parse-path.js'
import {valueAt} from '../../yaml/value-at.js'
import {isOpenText} from './open-values.js'
import type {UsedObject} from './used-object.js'

/** A part of an object that may be changed. */
export interface ChangedPart {
  readonly place: FieldPath
  /** Of the error at the place. No other value repairs an unknown field, and none of the same type one of another type. */
  readonly keyword?: string | undefined
  /** Whether the object can have another name or namespace already than in its file. */
  readonly isRenamed: boolean
}

/** Reports whether kustomize may change a part of an object: the field at a place, what is in it, or what it is in. */
export type KustomizeChange = (object: UsedObject, part: ChangedPart) => boolean

/** Reads the values of a file, or of a text if the file is not among those that are read; undefined if that fails. */
export type PatchReader = (pathOrText: string) => readonly JsonValue[] | undefined

/** Returns what the patches, replacements and transformers of a kustomization may change. */
export function changesOf(kustomization: JsonObject, read: PatchReader): readonly KustomizeChange[] {
  const {patches, patchesJson6902, patchesStrategicMerge, replacements, transformers, vars} = kustomization
  return [
    ...[...asObjects(patches), ...asObjects(patchesJson6902)].map(one => patchChange(one, read)),
    ...asTexts(patchesStrategicMerge).map(patch => patchChange({patch}, read)),
    ...asObjects(replacements).flatMap(one => replacementChanges(one, read)),
    // A transformer is a program of its own.
    ...(asTexts(transformers).length === 0 ? [] : [() => true]),
    ...(vars === undefined ? [] : [isOfVariable]),
  ]
}

/** Variables are only replaced in texts. */
function isOfVariable({value}: UsedObject, {place, keyword}: ChangedPart): boolean {
  return keyword !== UNKNOWN_FIELD && asText(valueAt(value, place)).includes('$(')
}

/** What a patch that cannot be read changes is not known. */
function patchChange({target, path, patch}: JsonObject, read: PatchReader): KustomizeChange {
  const values = read(asText(path) || asText(patch))
  const isTarget: KustomizeChange | undefined = isJsonObject(target)
    ? (object, part) => isSelected(object, target, part)
    : undefined
  if (values === undefined) return (object, part) => isTarget?.(object, part) ?? true
  const merged = values.filter(isJsonObject)
  const operations = values.flatMap(value => (isJsonArray(value) ? asObjects(value) : []))
  return (object, part) => {
    if (isTarget?.(object, part) === false) return false
    const isOf = (patched: JsonObject) => isTarget !== undefined || isNamed(object, patched, part)
    const [isMerged, isOperatedOn] =
      part.keyword === UNKNOWN_FIELD ? [isMergedAway, isOperatedAway] : [isMergedInto, isOperatedInto]
    const own = part.keyword === 'type' ? valueAt(object.value, part.place) : undefined
    return (
      merged.some(one => isOf(one) && isMerged(one, part.place, own)) ||
      (isTarget !== undefined && operations.some(one => isOperatedOn(one, part.place, own)))
    )
  }
}

/** A patch without a target names its object itself. */
function isNamed(
  {apiVersion, kind, value}: UsedObject,
  patch: JsonObject,
  {isRenamed}: ChangedPart,
): boolean {
  const [own, other] = [asObject(value.metadata), asObject(patch.metadata)].map(({name}) => asText(name))
  const isOf = patch.apiVersion === apiVersion && patch.kind === kind
  return isOf && isSameName(asText(other), asText(own), isRenamed)
}

/** Kustomize finds objects by their names in files, and by those that it makes of them: with a prefix or a suffix. */
function isSameName(name: string, own: string, isRenamed: boolean): boolean {
  return isRenamed ? name.includes(own) : name === own
}

/** The fields that a target selects by. Labels and annotations can be added by kustomize before it selects. */
function isSelected(
  {apiVersion, kind, value}: UsedObject,
  target: JsonObject,
  {isRenamed}: ChangedPart,
): boolean {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const {name, namespace} = asObject(value.metadata)
  return (
    Object.entries({group, version, kind}).every(([field, text]) => mayMatch(asText(target[field]), text)) &&
    mayMatch(asText(target.name), asText(name), isRenamed) &&
    (isRenamed || mayMatch(asText(target.namespace), asText(namespace)))
  )
}

/** Texts are selected by expressions: one that is more than a list of names may match any. A namespace can be set before. */
function mayMatch(expression: string, text: string, isRenamed = false): boolean {
  if (expression === '' || text === '') return true
  return expression.split('|').some(one => isSameName(one, text, isRenamed) || !/^[\w.-]+$/.test(one))
}

/** A strategic merge patch changes what it has, and what is in its lists, texts and nulls. */
function isMergedInto(patch: JsonValue | undefined, place: FieldPath, own: JsonValue | undefined): boolean {
  if (!isJsonObject(patch)) return patch !== undefined && !(place.length === 0 && isOfType(patch, own))
  if (patch.$patch === 'delete' || patch.$patch === 'replace') return true
  const [step, ...rest] = place
  return step === undefined || (Object.hasOwn(patch, step) && isMergedInto(patch[step], rest, own))
}

/** Reports whether a text or a boolean has the type of what is in the file. Numbers have several types, and variables can have any. */
function isOfType(value: JsonValue | undefined, own: JsonValue | undefined): boolean {
  return ['string', 'boolean'].includes(typeof value) && typeof value === typeof own && !isOpenText(value)
}

/** A field goes away by null or `$patch`, and where a list or a text without it takes the place of what it is in. */
function isMergedAway(patch: JsonValue | undefined, place: FieldPath): boolean {
  if (!isJsonObject(patch)) return patch !== undefined && !hasField(patch, place)
  if (patch.$patch === 'delete') return true
  if (patch.$patch === 'replace') return !hasField(patch, place)
  const [step, ...rest] = place
  return step !== undefined && Object.hasOwn(patch, step) && isMergedAway(patch[step], rest)
}

/** Of a list, one item with the field is enough: the items can be in another order. */
function hasField(value: JsonValue | undefined, place: FieldPath): boolean {
  const [step, ...rest] = place
  if (step === undefined) return value !== undefined && value !== null
  if (isJsonArray(value)) return value.some(item => hasField(item, rest))
  return isJsonObject(value) && Object.hasOwn(value, step) && hasField(value[step], rest)
}

function isOperatedInto(
  {op, path, from, value}: JsonObject,
  place: FieldPath,
  own: JsonValue | undefined,
): boolean {
  if (op === 'test' || (stepsOf(path).length === place.length && isOfType(value, own))) return false
  return [path, ...(op === 'move' ? [from] : [])].some(pointer => isRelated(partOf(pointer), place))
}

/** A field goes away with what it is in, or where another value without it takes the place of that. */
function isOperatedAway({op, path, from, value = null}: JsonObject, place: FieldPath): boolean {
  const isAround = (pointer: JsonValue | undefined) => {
    const steps = partOf(pointer)
    return steps.length <= place.length && isRelated(steps, place)
  }
  if (op === 'test') return false
  if (op === 'remove') return isAround(path)
  if (op === 'move' && isAround(from)) return true
  const steps = stepsOf(path)
  const isInserted = op !== 'replace' && typeof place[steps.length - 1] === 'number'
  const isOutside = steps.length < place.length && isAround(path)
  return isOutside && !isInserted && !hasField(value, place.slice(steps.length))
}

/** An operation in a list changes the numbers of later items. */
function partOf(pointer: JsonValue | undefined): readonly string[] {
  const steps = stepsOf(pointer)
  return /^(?:\d+|-)$/.test(steps.at(-1) ?? '') ? steps.slice(0, -1) : steps
}

function stepsOf(pointer: JsonValue | undefined): readonly string[] {
  return asText(pointer).split('/').slice(1).map(unescaped)
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Reports whether one of two places is within the other. */
function isRelated(steps: readonly (string | number)[], place: FieldPath): boolean {
  const length = Math.min(steps.length, place.length)
  return steps.slice(0, length).every((step, index) => String(step) === String(place[index]))
}

/** A replacement is in the kustomization or in a file of its own. */
function replacementChanges(one: JsonObject, read: PatchReader): readonly KustomizeChange[] {
  const path = asText(one.path)
  if (path === '') return asObjects(one.targets).map(targetChange)
  const values = read(path)
  if (values === undefined) return [() => true]
  const all = values.flatMap(value => (isJsonArray(value) ? asObjects(value) : [asObject(value)]))
  return all.flatMap(({targets}) => asObjects(targets).map(targetChange))
}

/** Of a path, the steps before one that selects items, such as `[name=a]` or `*`. */
function targetChange({select, fieldPaths}: JsonObject): KustomizeChange {
  const places = asTexts(fieldPaths).map(path => parsePath(/^[^[*]*/.exec(path)?.[0] ?? ''))
  return (object, part) =>
    isSelected(object, asObject(select), part) &&
    places.some(
      steps =>
        isRelated(steps, part.place) && (part.keyword !== UNKNOWN_FIELD || steps.length < part.place.length),
    )
}
