import type {Diagnostic} from '../diagnostic.js'

/** A warning of a package's reader as an error: nothing is passed over here, so none says what becomes of it. */
export function asError(warning: Diagnostic): Diagnostic {
  return {...warning, message: warning.message.replace(/ and is ignored$|: the last one counts$/, '')}
}
