import type {Diagnostic} from '../diagnostic.js'

/** Turns a warning of the package reader into an error: here, no field is ignored. */
export function asError(warning: Diagnostic): Diagnostic {
  const message = warning.message
    .replace(/^(.*) is not a field of this type and is ignored$/s, 'unknown field $1')
    .replace(/ and is ignored$|: the last one is used$/, '')
  return {...warning, message}
}
