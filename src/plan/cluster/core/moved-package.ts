import type {Diagnostic} from '../../../diagnostic.js'
import {escaped} from '../../../text.js'
import type {CoreRequest} from '../state/core-state.js'

/** A package of a cluster, and what it moves to. */
export interface MovedPackage {
  readonly from: CoreRequest
  readonly to: {
    readonly name: string
    readonly repository: string
    readonly kind: string
    /** The objects of the package, as `KIND/NAME`. */
    readonly objects: readonly string[]
    /** The repositories that the package requires. */
    readonly requires: readonly string[]
  }
}

/** Creates an error of a rule. */
export function rejection(rule: string, message: string, suggestions: readonly string[] = []): Diagnostic {
  return {severity: 'error', rule, message, ...(suggestions.length === 0 ? {} : {suggestions})}
}

/** Says that custom resources cannot be compared with a package. */
export function unknownUseText(reference: string, reason: string): string {
  return `whether custom resources fit ${escaped(reference)} is not known: it cannot be read: ${escaped(reason)}`
}

/** Replaces the flags of other commands that accept what a new version does to custom resources: a move accepts nothing. */
export function withMoveAdvice(rejections: readonly Diagnostic[]): readonly Diagnostic[] {
  const adviceOf = (text: string) =>
    text.includes('--custom-resources=') ? [] : [text.includes('--accept-impact') ? FIRST : text]
  return rejections.map(one =>
    one.suggestions === undefined ? one : {...one, suggestions: one.suggestions.flatMap(adviceOf)},
  )
}

const FIRST =
  'A move accepts no effects on custom resources: change or delete them first, or move to a version with the same CRDs, and upgrade that with --accept-impact.'
