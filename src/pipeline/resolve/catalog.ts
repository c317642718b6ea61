import type {PackageSummary} from '../../index/package-summary.js'
import type {Summaries, YankedVersion} from '../../index/summaries.js'
import {summaryOf} from '../../index/summary-of.js'
import type {ImageName} from '../../reference/image-name.js'
import type {Package} from '../../unpack/package.js'
import type {LocatedPackage} from '../locate/located-package.js'

/** Packages that may be chosen: what they say of themselves, and the packages as such. */
export interface Catalog {
  readonly summaries: Summaries
  /** The tags of a repository, in no order; none where it has no such package. */
  tagsOf(name: ImageName): Promise<readonly string[]>
  /** The versions of a package that were withdrawn, where that can be known at all. */
  yankedOf(identity: string): Promise<readonly YankedVersion[]>
  /** The package that a summary of this very catalog is of. Throws where it is not there, or cannot be read. */
  open(summary: PackageSummary): Promise<OpenPackage>
}

/** A package, and where it came from. */
export interface OpenPackage {
  readonly located: LocatedPackage
  readonly package: Package
}

/** The summary of a package that was read before anything was chosen. */
export function summaryOfOpen({located, package: read}: OpenPackage, identity: string): PackageSummary {
  const {reference, digest} = located
  const tag = reference?.tag ?? located.tag ?? read.version ?? 'local'
  return summaryOf(read, {identity, tag, ...(digest === undefined ? {} : {digest})})
}
