import type {JsonValue} from '../../../../yaml/json-value.js'

/** What a transform makes of a value, why it fails, or that it is not certain. */
export type TransformOutcome =
  | {readonly value: JsonValue}
  | {readonly error: string}
  | {readonly isUncertain: true}
