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
import type {CompositionFinding, PlacedPatch} from './composition-finding.js'
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
      .map(({keyword, place: at, message}): CompositionFinding => ({
        rule:
          keyword === UNKNOWN_FIELD ? 'unknown-field' : keyword === 'required' ? 'required-unset' : 'invalid',
        place: [...place, ...at],
        message:
          keyword === 'required'
            ? 'the field is required, and neither the base nor a patch sets it'
            : message,
      })),
    ...scopeFindings(base, targets, context),
    ...listFindings(base, context),
  ]
}

function targetOf(patch: JsonObject): readonly (readonly PathStep[])[] {
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
  return patches.flatMap(({patch, place}): readonly CompositionFinding[] => {
    const [target = []] = targetOf(patch)
    const at = target.findIndex(step => step === '[*]' || typeof step === 'number')
    const step = target[at]
    const list = target.slice(0, at)
    const others = patches.filter(other => other.patch !== patch).flatMap(other => targetOf(other.patch))
    if (step === undefined || others.some(other => startsAlike(other, list))) return []
    const length = lengthAt(base, list)
    if (step === '[*]' ? length > 0 : Number(step) <= length) return []
    const message = step === '[*]' ? 'the list has no items' : `the items before ${step} are null`
    return [
      {rule: 'path-unknown', place: [...place, 'toFieldPath'], message: `${pathText(list)}: ${message}`},
    ]
  })
}

function startsAlike(one: readonly PathStep[], other: readonly PathStep[]): boolean {
  const length = Math.min(one.length, other.length)
  return one.slice(0, length).every((step, at) => step === other[at])
}

function lengthAt(base: JsonObject, list: readonly PathStep[]): number {
  const value = list.reduce<JsonValue>((at, step) => asObject(at)[String(step)] ?? null, base)
  return isJsonArray(value) ? value.length : 0
}
