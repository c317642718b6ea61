import {CrossplaneError, withSuggestions} from '../errors.js'

/** Reports whether a server was not reached, or its identity was not proven. */
export function isConnection({code}: CrossplaneError): boolean {
  return ['registry-unreachable', 'timeout', 'tls-refused'].includes(code)
}

/**
 * Rethrows an error; a failed connection, which names only a host that the user may not have written, with the action and the
 * reference: `cannot pull example/app`.
 */
export function rethrowNaming(reference: string, aim: string): (error: unknown) => never {
  return error => {
    if (!(error instanceof CrossplaneError) || !isConnection(error) || names(error.message, reference))
      throw error
    throw withSuggestions(error, [], `${aim}: ${error.message}`)
  }
}

/** Reports whether a message has a reference as a whole word: `a` is a part of many other words. */
function names(message: string, reference: string): boolean {
  return message.split(/[\s"(),]+/).some(word => word.replace(/:$/, '') === reference)
}
