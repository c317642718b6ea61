import type {FieldPath, JsonObject} from '../../../yaml/json-value.js'
import type {ValidationRule} from '../validation.js'

/** A problem in a Composition; the place is a path within it. */
export interface CompositionFinding {
  readonly rule: ValidationRule
  readonly place: FieldPath
  readonly message: string
}

/** A patch of a resource, or of a patch set that it uses. */
export interface PlacedPatch {
  readonly patch: JsonObject
  readonly place: FieldPath
}
