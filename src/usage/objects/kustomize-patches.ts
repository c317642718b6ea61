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
import type {UsedObject} from './used-object.js'

/** Reports whether kustomize may change a part of an object: the field at a path, what is in it, or what it is in. */
export type KustomizeChange = (object: UsedObject, place: FieldPath) => boolean

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
function isOfVariable({value}: UsedObject, place: FieldPath): boolean {
  return asText(valueAt(value, place)).includes('$(')
}

/** What a patch that cannot be read changes is not known. */
function patchChange({target, path, patch}: JsonObject, read: PatchReader): KustomizeChange {
  const values = read(asText(path) || asText(patch))
  const isTarget = isJsonObject(target) ? (object: UsedObject) => isSelected(object, target) : undefined
  if (values === undefined) return object => isTarget?.(object) ?? true
  const merged = values.filter(isJsonObject)
  const operations = values.flatMap(value => (isJsonArray(value) ? asObjects(value) : []))
  return (object, place) =>
    isTarget?.(object) !== false &&
    (merged.some(one => (isTarget !== undefined || isNamed(object, one)) && isMerged(one, place)) ||
      (isTarget !== undefined && operations.some(one => isOperatedOn(one, place))))
}

/** A patch without a target names its object itself. */
function isNamed({apiVersion, kind, value}: UsedObject, patch: JsonObject): boolean {
  const [own, other] = [asObject(value.metadata), asObject(patch.metadata)]
  return patch.apiVersion === apiVersion && patch.kind === kind && other.name === own.name
}

/** The fields that a target selects by. Labels and annotations can be added by kustomize before it selects. */
function isSelected({apiVersion, kind, value}: UsedObject, target: JsonObject): boolean {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const {name, namespace} = asObject(value.metadata)
  const texts = {group, version, kind, name: asText(name), namespace: asText(namespace)}
  return Object.entries(texts).every(([field, text]) => mayMatch(asText(target[field]), text))
}

/** Texts are selected by expressions: one that is more than a list of names may match any. A namespace can be set before. */
function mayMatch(expression: string, text: string): boolean {
  if (expression === '' || text === '') return true
  return expression.split('|').some(one => one === text || !/^[\w.-]+$/.test(one))
}

/** A strategic merge patch changes what it has, and what is in its lists, texts and nulls. */
function isMerged(patch: JsonValue | undefined, place: FieldPath): boolean {
  if (!isJsonObject(patch)) return patch !== undefined
  if (patch.$patch === 'delete' || patch.$patch === 'replace') return true
  const [step, ...rest] = place
  return step === undefined || (Object.hasOwn(patch, step) && isMerged(patch[step], rest))
}

/** An operation in a list changes the numbers of later items. */
function isOperatedOn({op, path, from}: JsonObject, place: FieldPath): boolean {
  if (op === 'test') return false
  const pointers = [path, ...(op === 'move' ? [from] : [])].map(asText)
  return pointers.some(pointer => {
    const steps = pointer.split('/').slice(1).map(unescaped)
    const isOfList = /^(?:\d+|-)$/.test(steps.at(-1) ?? '')
    return isRelated(isOfList ? steps.slice(0, -1) : steps, place)
  })
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
  return (object, place) =>
    isSelected(object, asObject(select)) && places.some(steps => isRelated(steps, place))
}
