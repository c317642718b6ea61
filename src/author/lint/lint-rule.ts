import type {LintDiagnostic} from './lint-diagnostic.js'

/** A rule of lint and its explanation; the pages under docs/lint are generated from these. */
export interface LintRule {
  /** Stable, since scripts test it. */
  readonly id: string
  readonly severity: LintDiagnostic['severity']
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
  /** By path below `.registry/`. `EXAMPLE_APP` is added unless there is an app.yaml; null omits it. */
  readonly files: Readonly<Record<string, string | Base64 | null>>
  /** The reference that the package is pulled with. */
  readonly reference?: string
}

/** Binary content. */
interface Base64 {
  readonly base64: string
}

/** The smallest app.yaml of a package without problems. */
export const EXAMPLE_APP = 'title: Example\npermissionScope: Cluster\n'
