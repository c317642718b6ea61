import type {LintDiagnostic} from './lint-diagnostic.js'

/** What lint looks for, and how it explains itself: the pages under docs/lint are made of these. */
export interface LintRule {
  /** Stable: scripts test it. */
  readonly id: string
  readonly severity: LintDiagnostic['severity']
  /** What is wrong, in a few words. */
  readonly title: string
  /** Why it matters to those who install the package. */
  readonly why: string
  /** The next step. */
  readonly advice: string
  /** A package in which this rule finds something, and no other does. */
  readonly failing: LintExample
  /** Rules that find something there as well, because this one never comes alone. */
  readonly beside?: readonly string[]
  /** The same package, mended: nothing is found. */
  readonly passing: LintExample
}

export interface LintExample {
  /** By path below `.registry/`. Without an app.yaml, `EXAMPLE_APP` is there; null leaves it out. */
  readonly files: Readonly<Record<string, string | Base64 | null>>
  /** What the package is pulled as. */
  readonly reference?: string
}

/** Bytes that are no text. */
interface Base64 {
  readonly base64: string
}

/** The least that app.yaml says in a package without findings. */
export const EXAMPLE_APP = 'title: Example\npermissionScope: Cluster\n'
