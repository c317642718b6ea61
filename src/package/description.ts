import type {PackageExamples} from '../xpkg/content/read-examples.js'
import type {PackageSurface} from '../usage/package-surface.js'
import type {Presentation} from './presentation.js'
import type {Inspection} from './reports.js'

/** Everything that users look at before they choose a package, as the stages that install it compute it. */
export interface Description {
  readonly presentation: Presentation
  /** The report of `inspect` on a package that no request names. */
  readonly inspection: Inspection
  /** With the descriptions of schemas. */
  readonly surface: PackageSurface
  /** Of packages of a current Crossplane; those of v0.12 have no place for them. */
  readonly examples: PackageExamples
}
