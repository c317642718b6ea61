import {failureOf} from '../../cluster/api/cluster-failure.js'
import {CrossplaneError} from '../../errors.js'
import type {Denial} from '../../health/health-snapshot.js'
import {compareText} from '../../reference/compare-text.js'

/** Reads the objects that the user may read, and records the missing permissions for the others. */
export class DeniedReads {
  readonly #denials = new Map<string, Denial>()

  /** The missing permissions, by the key of the read, in the order of the responses. */
  get denials(): ReadonlyMap<string, Denial> {
    return this.#denials
  }

  /** The missing permissions of reads at the same time, sorted by their keys, whichever response came first. */
  get sortedDenials(): ReadonlyMap<string, Denial> {
    return new Map([...this.#denials].sort(([one], [other]) => compareText(one, other)))
  }

  /** Runs a read; undefined if the user lacks the permission. Throws any other failure. */
  async attempt<T>(key: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read()
    } catch (error) {
      const denial = denialIn(error)
      if (denial === undefined) throw error
      this.#denials.set(key, denial)
      return undefined
    }
  }
}

/** Reads optional facts; `otherwise` if the user lacks the permission. Throws any other failure. */
export async function ifAllowed<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  return (await new DeniedReads().attempt('', read)) ?? otherwise
}

/** The permission that a failure names. Credentials that are rejected are another failure. */
function denialIn(error: unknown): Denial | undefined {
  if (!(error instanceof CrossplaneError) || error.code !== 'cluster-denied') return undefined
  if (failureOf(error)?.status !== 403) return undefined
  return {message: error.message, suggestions: error.suggestions}
}
