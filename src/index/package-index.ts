import type {Found, Summaries} from './summaries.js'

/** An index in a registry, a file or a folder of packages. */
export interface PackageIndex extends Summaries {
  /** The name in messages. */
  readonly name: string
  /** Reads the whole index; the cost grows with its size. */
  all(): Promise<Found>
}
