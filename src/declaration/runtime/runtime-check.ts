import type {FieldPath} from '../../yaml/json-value.js'

/** Takes what must hold of the value at a path; the message follows the path. */
export interface RuntimeCheck {
  is(path: FieldPath, holds: boolean, message: string): void
}
