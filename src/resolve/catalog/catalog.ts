import type {PackageSummary} from '../../index/package-summary.js'
import type {Summaries, YankedVersion} from '../../index/summaries.js'
import {summaryOf} from '../../index/summary-of.js'
import type {ImageName} from '../../reference/image-name.js'
import type {ExcludedVersion} from '../solver-input.js'
import type {Package} from '../../unpack/package.js'
import type {LocatedPackage} from '../../locate/located-package.js'

/** Packages that can be selected: their summaries, and the packages themselves. */
export interface Catalog {
  readonly summaries: Summaries
  /** The tags of a repository, in no order; none if it has no such package. */
  tagsOf(name: ImageName): Promise<readonly string[]>
  /** The yanked versions of a package, as far as the catalog can know. */
  yankedOf(identity: string): Promise<readonly YankedVersion[]>
  /**
   * Compares the digest that a summary of this catalog claims for its tag with the registry. Returns the exclusion if
   * they disagree; throws the errors of the registry.
   */
  contradictionOf(summary: PackageSummary): Promise<ExcludedVersion | undefined>
  /** The name of the index that an entry is from, if it is from one. */
  carrierOf(summary: PackageSummary): string | undefined
  /** Reads a package, by its digest if it has one. Throws if it is not found or cannot be read. */
  open(version: PackageVersion): Promise<OpenPackage>
}

/** One version of a package. */
export type PackageVersion = Pick<PackageSummary, 'identity' | 'tag' | 'digest'>

/** A package and its source. */
export interface OpenPackage {
  readonly located: LocatedPackage
  readonly package: Package
}

/** Summarizes a package that was read before anything was selected. */
export function summaryOfOpen({located, package: read}: OpenPackage, identity: string): PackageSummary {
  const {reference, digest} = located
  const tag = reference?.tag ?? located.tag ?? read.version ?? 'local'
  return summaryOf(read, {identity, tag, digest})
}
