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
}
