import type {FieldPath, JsonObject} from '../../yaml/json-value.js'

/** A file in which users may have objects. */
export interface UsageFile {
  /** The path for messages, with `/` between segments, or the name of an input. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** An object of a user, with its place. */
export interface UsedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly value: JsonObject
  readonly file: string
  readonly line: number
  /** Returns the line of a field; of one that does not exist, that of the nearest field around it. */
  readonly lineOf: (path: FieldPath) => number
  /** Whether a cluster has it: a status that controllers write is not what the user has. */
  readonly isLive?: boolean
  /** The package that has it, which is named instead of a file; absent for objects of users. */
  readonly configuration?: string
  /** Returns the kustomization that may change a part of it before it is applied, so that an error of a keyword can be gone. */
  readonly changedBy?: (place: FieldPath, keyword?: string) => string | undefined
}

/** A part of the files that is not read as objects, with the reason. */
export interface UnreadObjects {
  readonly file: string
  readonly line?: number
  readonly reason: string
}
