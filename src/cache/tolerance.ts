import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import type {CacheStore} from './cache-store.js'

/** Turns a cache's failures into warnings: a pull continues without the cache. */
export interface Tolerance {
  /** Undefined where it fails. */
  reading<T>(act: () => Promise<T>): Promise<T | undefined>
  writing(act: () => Promise<void>): Promise<void>
  /** Warns that the copy of a package, tag or document is corrupt. */
  damaged(what: string): void
}

/**
 * Reports each kind of failure once, however many packages it concerns; bugs are not tolerated, and no failure of a cache
 * that is required.
 */
export function tolerance(
  {name}: CacheStore,
  warn: (warning: Diagnostic) => void,
  isRequired = false,
): Tolerance {
  const reported = new Set<string>()
  async function tolerate<T>(rule: string, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof CrossplaneError) || isRequired) throw error
      if (!reported.has(rule))
        warn({severity: 'warning', rule, message: `${error.message}; ${CONSEQUENCES[rule] ?? ''}`})
      reported.add(rule)
      return undefined
    }
  }
  return {
    reading: act => tolerate('cache-unreadable', act),
    writing: act => tolerate('cache-unwritable', act),
    damaged: what =>
      warn({
        severity: 'warning',
        rule: 'cache-damaged',
        message: `the copy of ${what} in the cache ${name} is corrupt and was removed`,
      }),
  }
}

const CONSEQUENCES: Readonly<Record<string, string>> = {
  'cache-unreadable': 'packages are pulled again',
  'cache-unwritable': 'packages will be pulled again',
}
