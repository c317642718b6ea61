import {CrossplaneError} from '../errors.js'
import {commandLine, count, escaped} from '../text.js'
import {type Check, failedCheck, okCheck} from './check.js'

/** Checks a declaration: the number of its packages, or the reason why it cannot be read. */
export function checkDeclaration(file: string, packages: number | CrossplaneError): Check {
  if (packages instanceof CrossplaneError) {
    const suggestions = ['kubectl crossplane package lock --dry-run']
    return failedCheck('declaration', {message: packages.message, suggestions})
  }
  return okCheck('declaration', `${escaped(file)} requests ${count(packages, 'package')}`)
}

/** The outcome of a request to a registry. */
export interface SeenRegistry {
  /** `host[:port]`, or `docker.io`. */
  readonly host: string
  /** Whether the user has credentials for it. */
  readonly hasCredentials: boolean
  /** Absent if it accepted the request. */
  readonly failure?: CrossplaneError
}

/** Checks a registry. One that only rejects anonymous requests works for users who log in. */
export function checkRegistry({host, hasCredentials, failure}: SeenRegistry): Check {
  const name = escaped(host)
  const who = hasCredentials ? 'with your credentials' : 'without credentials'
  if (failure === undefined) return okCheck('registry', `${name} accepts requests ${who}`)
  if (failure.code !== 'access-denied' || hasCredentials) return failedCheck('registry', failure)
  return {
    id: 'registry',
    state: 'warning',
    message: `${name} requires authentication, and no credentials are stored`,
    suggestion: `kubectl crossplane registry login ${name}`,
  }
}

/** Checks an index that was looked up in. */
export function checkIndex(name: string, failure: CrossplaneError | undefined): Check {
  return failure === undefined
    ? okCheck('index', `${escaped(name)} can be read`)
    : failedCheck('index', failure)
}

/** The state of the cache. */
export interface SeenCache {
  /** The folder. */
  readonly name: string
  readonly packages: number
  /** Packages and tags whose documents or files have changed since they were written. */
  readonly damaged: number
}

/** Checks the cache. */
export function checkCache(seen: SeenCache | CrossplaneError): Check {
  if (seen instanceof CrossplaneError) return failedCheck('cache', seen)
  const {name, packages, damaged} = seen
  if (damaged === 0) return okCheck('cache', `${count(packages, 'package')} in ${escaped(name)}`)
  return {
    id: 'cache',
    state: 'broken',
    message: `${count(damaged, 'entry', 'entries')} in ${escaped(name)} ${damaged === 1 ? 'is' : 'are'} damaged`,
    suggestion: clearCommand(name),
  }
}

function clearCommand(name: string): string {
  return commandLine(['cache', 'clear', '--cache-dir', name])
}
