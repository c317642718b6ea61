import type {FieldPath} from '../../yaml/json-value.js'

/** The decisions of a conversion from v1beta1 to v1. The names are stable. */
export type NoteRule =
  | 'pruned-by-default' // the old server kept unknown fields of this schema; v1 drops them
  | 'kept-as-declared' // preserveUnknownFields: true, now set on every object
  | 'no-schema'
  | 'payload-kept' // an object without fields keeps all of them
  | 'untyped-kept' // no type: any value is still accepted, and kept
  | 'unknown-kept' // its validity depends on fields that it does not name
  | 'field-added' // required or named in a junctor, and not described
  | 'items-added'
  | 'type-inferred' // only where no other type could be valid
  | 'int-or-string'
  | 'keyword-dropped' // without effect on the old server, and rejected by the new one
  | 'default-dropped' // v1beta1 never applied one
  | 'format-dropped' // without effect on the old server, or rejecting every value on the new one
  | 'format-enforced' // kept, and the new server enforces it
  | 'bound-truncated' // rounded to the integer that the old server compared with
  | 'metadata-dropped'
  | 'junctor-rewritten'
  | 'review-versions'
  | 'fallback' // could not be made structural: accepts everything

/** `path` leads to the place within the v1beta1 object; `version` is absent where a schema holds for several. */
export interface ConversionNote {
  readonly rule: NoteRule
  readonly message: string
  readonly path: FieldPath
  readonly version?: string
}

/** A place without a structural form. */
export interface NonStructural {
  readonly message: string
  readonly path: FieldPath
  readonly version?: string
}

/** The results of converting one schema. */
export interface Conversion {
  readonly version: string | undefined
  /** `true` or `false` as declared; undefined if not declared. */
  readonly preserve: boolean | undefined
  readonly notes: ConversionNote[]
  /** The parts that cannot be made structural. */
  readonly diagnostics: NonStructural[]
}

export function note(to: Conversion, rule: NoteRule, path: FieldPath, message: string): void {
  to.notes.push({rule, message, path, version: to.version})
}

export function addDiagnostic(to: Conversion, path: FieldPath, message: string): void {
  to.diagnostics.push({message, path, version: to.version})
}
