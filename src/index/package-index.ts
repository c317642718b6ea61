import type {Found, Summaries} from './summaries.js'

/** An index as far as it is read, wherever it is: in a registry, in a file, in a folder of packages. */
export interface PackageIndex extends Summaries {
  /** How messages name it. */
  readonly name: string
  /** All that it holds; what that costs grows with the index. */
  all(): Promise<Found>
}
