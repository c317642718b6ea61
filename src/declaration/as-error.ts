import type {Diagnostic} from '../diagnostic.js'

/** Turns a warning of the package reader into an error: here, no field is ignored. */
export function asError(warning: Diagnostic): Diagnostic {
  return {...warning, message: warning.message.replace(/ and is ignored$|: the last one is used$/, '')}
}
