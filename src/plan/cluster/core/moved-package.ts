import type {Diagnostic} from '../../../diagnostic.js'
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
