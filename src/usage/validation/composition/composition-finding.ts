import {isPatchAndTransform, WITHOUT_RESOURCES} from '../../../xpkg/content/composed-kinds.js'
import {asObject, asObjects, asText, type FieldPath, type JsonObject} from '../../../yaml/json-value.js'
import type {UsedObject} from '../../objects/used-object.js'
import type {ValidationRule} from '../validation.js'

/** Reports whether a step can compose resources that are not known, or change those of earlier steps. */
export function composesOthers(step: JsonObject): boolean {
  return !isPatchAndTransform(step) && !WITHOUT_RESOURCES.test(asText(asObject(step.functionRef).name))
}

/** What a later step of another function can still set. */
const COMPLETED: readonly ValidationRule[] = ['required-unset', 'scope-mismatch']

/** Leaves out what a resource of a step lacks, where a later step of another function can set it. */
export function certainlyLacking(
  findings: readonly CompositionFinding[],
  {pipeline, step}: {readonly pipeline: readonly JsonObject[]; readonly step: number},
): readonly CompositionFinding[] {
  if (!pipeline.slice(step + 1).some(composesOthers)) return findings
  return findings.filter(({rule, isFinal}) => isFinal === true || !COMPLETED.includes(rule))
}

/** A problem in a Composition; the place is a path within it. */
export interface CompositionFinding {
  readonly rule: ValidationRule
  readonly place: FieldPath
  readonly message: string
  /** Whether no later step can complete the resource. */
  readonly isFinal?: true
  /** Whether Crossplane drops the part without an error. */
  readonly isDropped?: true
  /** The composite resource whose values show the problem; absent if the schemas show it. */
  readonly composite?: UsedObject
  /** The kind with the problem, of which a text of the step can name several. */
  readonly composed?: ComposedKind
}

/** A kind that a Composition composes. */
export interface ComposedKind {
  readonly apiVersion: string
  readonly kind: string
}

const TEXT_METADATA = /^metadata\.(?:labels|annotations|name)\b/

/** Marks findings of a field that Crossplane drops without an error if it is not text. */
export function dropped<Of extends CompositionFinding>(finding: Of, target: string): Of {
  return TEXT_METADATA.test(target) ? {...finding, isDropped: true} : finding
}

/** A patch of a resource, or of a patch set that it uses. */
export interface PlacedPatch {
  readonly patch: JsonObject
  readonly place: FieldPath
}

/** Returns the patches of a resource, those of patch sets at the place that uses them. */
export function placedPatches(
  resource: JsonObject,
  {sets, place}: {readonly sets: ReadonlyMap<string, JsonObject>; readonly place: FieldPath},
): readonly PlacedPatch[] {
  return asObjects(resource.patches).flatMap((patch, at): readonly PlacedPatch[] => {
    const own = [...place, 'patches', at]
    if (patch.type !== 'PatchSet') return [{patch, place: own}]
    const set = sets.get(asText(patch.patchSetName))
    return asObjects(set?.patches).map(inner => ({patch: inner, place: own}))
  })
}

/** Returns the patches of later resources of the same name without a base, and whether a later one has a base. */
export function laterPatches(
  pipeline: readonly JsonObject[],
  {step, index, name}: {readonly step: number; readonly index: number; readonly name: string},
): {readonly patches: readonly PlacedPatch[]; readonly isReplaced: boolean} {
  const later = pipeline.slice(step).flatMap(({functionRef = null, input = null}, at) => {
    if (!isPatchAndTransform({functionRef, input})) return []
    const {patchSets, resources} = asObject(input)
    const sets = new Map(asObjects(patchSets).map(set => [asText(set.name), set]))
    const place = ['spec', 'pipeline', step + at, 'input', 'resources']
    return asObjects(resources).flatMap((resource, own) =>
      resource.name !== name || (at === 0 && own <= index) ? [] : [{resource, sets, place: [...place, own]}],
    )
  })
  return {
    patches: later.flatMap(({resource, ...around}) => placedPatches(resource, around)),
    isReplaced: later.some(({resource}) => resource.base !== undefined),
  }
}
