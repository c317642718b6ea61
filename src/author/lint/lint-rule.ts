import type {OwnedCrd} from '../../index/package-summary.js'
import type {ImageFacts} from '../../locate/image-files.js'
import type {UnpackedChart} from '../../unpack/templates/unpacked-chart.js'
import type {LintDiagnostic} from './lint-diagnostic.js'

/** A rule of lint and its explanation; the pages under docs/lint are generated from these. */
export interface LintRule {
  /** Stable, since scripts test it. */
  readonly id: string
  readonly severity: LintDiagnostic['severity']
  /**
   * What the engine of the templates finds in the failing example, for rules that need an engine: `template lint` and
   * `package lint` start it, but not this module.
   */
  readonly foundByEngine?: Pick<LintDiagnostic, 'file' | 'line' | 'message'>
  /** The problem in a few words. */
  readonly title: string
  /** The effect on users who install the package. */
  readonly why: string
  /** The next step. */
  readonly advice: string
  /** A package in which only this rule finds a problem. */
  readonly failing: LintExample
  /** Other rules that also find a problem there, because this one never occurs alone. */
  readonly beside?: readonly string[]
  /** The same package without the problem. */
  readonly passing: LintExample
}

export interface LintExample {
  /** The files of a package for a current Crossplane, by path, in place of all others. */
  readonly xpkg?: Readonly<Record<string, string>>
  /** The number of layers of its image that are marked as the package. */
  readonly baseLayers?: number
  /** By path below `.registry/`. `EXAMPLE_APP` is added unless there is an app.yaml; null omits it. */
  readonly files?: Readonly<Record<string, string | Base64 | null>>
  /** The templates, by path in the folder of the behavior. */
  readonly templates?: Readonly<Record<string, string>>
  /** Archives of charts among the templates, whose content only reading a package tells. */
  readonly unreadArchives?: UnpackedChart['unread']
  /** The custom resources of tests, by test. */
  readonly tests?: Readonly<Record<string, string>>
  /** The CRDs of packages in an index. */
  readonly provided?: readonly OwnedCrd[]
  /** The image that the package is read from. */
  readonly image?: ImageFacts
  /** The reference that the package is pulled with. */
  readonly reference?: string
}

/** Binary content. */
interface Base64 {
  readonly base64: string
}

/** The smallest app.yaml of a package without problems. */
export const EXAMPLE_APP = 'title: Example\npermissionScope: Cluster\n'
