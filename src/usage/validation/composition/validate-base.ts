import {checkStrictly, UNKNOWN_FIELD, type ValueError} from '../../../crd/instances/check-object.js'
import {
  asObject,
  asText,
  type FieldPath,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../yaml/json-value.js'
import type {KnownKind} from '../known-kinds.js'
import {type CompositionFinding, dropped, type PlacedPatch} from './composition-finding.js'
import {expandedPaths} from './render/field-values.js'
import {parsePath, type PathStep, pathText} from './schema-path.js'

interface BaseContext {
  readonly composite: KnownKind | undefined
  readonly composed: KnownKind
  readonly patches: readonly PlacedPatch[]
  readonly place: FieldPath
}

/** Validates the base of a resource: patches can still set or replace its fields. */
export function baseFindings(base: JsonObject, context: BaseContext): readonly CompositionFinding[] {
  const {composed, patches, place} = context
  const targets = patches.flatMap(({patch}) => targetOf(patch))
  const isIgnored = (error: ValueError) =>
    composed.hasStatus && error.place[0] === 'status' && error.keyword !== UNKNOWN_FIELD
  const errors = checkStrictly(base, composed.schema).filter(error => !isIgnored(error))
  return [
    ...errors
      .filter(error => !isPatched(error.place, targets))
      .map(({keyword, place: at, message}): CompositionFinding =>
        dropped(
          {
            rule:
              keyword === UNKNOWN_FIELD
                ? 'unknown-field'
                : keyword === 'required'
                  ? 'required-unset'
                  : 'invalid',
            place: [...place, ...at],
            message:
              keyword === 'required'
                ? 'the field is required, and neither the base nor a patch sets it'
                : message,
          },
          at.join('.'),
        ),
      ),
    ...scopeFindings(base, targets, context),
    ...listFindings(base, context),
  ]
}

/** Returns the path of the composed resource to which a patch writes, in a list; none for one that writes to the composite resource. */
export function targetOf(patch: JsonObject): readonly (readonly PathStep[])[] {
  const type = asText(patch.type) || 'FromCompositeFieldPath'
  if (!/^(?:Combine)?From(?:Composite|Environment)/.test(type)) return []
  const steps = parsePath(asText(patch.toFieldPath ?? patch.fromFieldPath))
  return 'error' in steps ? [] : [steps]
}

/** A patch sets a field, what is around it, or what is within it. */
function isPatched(place: FieldPath, targets: readonly (readonly PathStep[])[]): boolean {
  return targets.some(target =>
    target.every((step, at) => at >= place.length || step === '[*]' || String(step) === String(place[at])),
  )
}

function scopeFindings(
  base: JsonObject,
  targets: readonly (readonly PathStep[])[],
  {composite, composed, place}: BaseContext,
): readonly CompositionFinding[] {
  if (composite === undefined || composite.isNamespaced === composed.isNamespaced) return []
  if (composite.isNamespaced)
    return [
      {
        rule: 'scope-mismatch',
        isFinal: true,
        place,
        message: 'a namespaced composite resource cannot compose a kind of cluster scope',
      },
    ]
  const hasNamespace =
    asText(asObject(base.metadata).namespace) !== '' || isPatched(['metadata', 'namespace'], targets)
  const message = 'the kind is namespaced, but neither the base nor a patch sets metadata.namespace'
  return hasNamespace ? [] : [{rule: 'scope-mismatch', place, message}]
}

/** Items of a list that a patch writes, where the list is too short. */
function listFindings(base: JsonObject, {patches}: BaseContext): readonly CompositionFinding[] {
  const placed = patches.map(({patch, place}) => ({patch, place, target: targetOf(patch)[0]}))
  const writers = patchesByPath(placed)
  return placed.flatMap(({patch, place, target = []}): readonly CompositionFinding[] => {
    const at = target.findIndex(step => step === '[*]' || typeof step === 'number')
    const step = target[at]
    const list = target.slice(0, at)
    if (step === undefined || isWrittenByOthers(list, patch, writers)) return []
    const isMissing = step === '[*]' ? hasNone(base, target) : Number(step) > lengthAt(base, list)
    if (!isMissing) return []
    const message = step === '[*]' ? 'no item has the field' : `the items before ${step} are null`
    return [
      {rule: 'path-unknown', place: [...place, 'toFieldPath'], message: `${pathText(list)}: ${message}`},
    ]
  })
}

/** A patch of all items reaches those that have the field already; one of a null is skipped. */
function hasNone(base: JsonObject, target: readonly PathStep[]): boolean {
  const paths = expandedPaths(base, target)
  return 'length' in paths && paths.length === 0
}

interface TargetedPatch {
  readonly patch: JsonObject
  readonly target: readonly PathStep[] | undefined
}

/** The patches that write to a path, or below it, by the path. There can be thousands. */
interface PatchWriters {
  readonly at: ReadonlyMap<string, ReadonlySet<JsonObject>>
  readonly within: ReadonlyMap<string, ReadonlySet<JsonObject>>
}

/** Of two patches, at least one is not the patch that is asked about. */
const ENOUGH = 2

function patchesByPath(placed: readonly TargetedPatch[]): PatchWriters {
  const writers = {at: new Map<string, Set<JsonObject>>(), within: new Map<string, Set<JsonObject>>()}
  const add = (map: Map<string, Set<JsonObject>>, path: readonly PathStep[], patch: JsonObject) => {
    const key = JSON.stringify(path)
    const own = map.get(key) ?? new Set()
    if (own.size < ENOUGH) map.set(key, own.add(patch))
  }
  for (const {patch, target} of placed) {
    if (target === undefined) continue
    add(writers.at, target, patch)
    for (let length = 0; length <= target.length; length += 1)
      add(writers.within, target.slice(0, length), patch)
  }
  return writers
}

/** Reports whether another patch writes a list, something in it or something around it. */
function isWrittenByOthers(
  list: readonly PathStep[],
  patch: JsonObject,
  {at, within}: PatchWriters,
): boolean {
  const isOther = (own: ReadonlySet<JsonObject> | undefined) =>
    [...(own ?? [])].some(other => other !== patch)
  const around = list.map((_, length) => list.slice(0, length))
  return (
    isOther(within.get(JSON.stringify(list))) || around.some(path => isOther(at.get(JSON.stringify(path))))
  )
}

function lengthAt(base: JsonObject, list: readonly PathStep[]): number {
  const value = list.reduce<JsonValue>((at, step) => asObject(at)[String(step)] ?? null, base)
  return isJsonArray(value) ? value.length : 0
}
