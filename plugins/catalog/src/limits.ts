import type {Diagnostic} from 'kubectl-crossplane/plugin'

/** The limits of what is shown of a package: what is beyond them is left out, with a note on the page and a warning. */
export const LIMITS = {
  /** Characters of a readme. */
  readme: 200_000,
  /** Characters of a description. */
  description: 20_000,
  /** Fields of one version of a kind: six times those of the largest known kind. */
  fields: 20_000,
  /** Levels of fields. */
  depth: 40,
  /** Characters of an icon as a `data:` URI. */
  icon: 150_000,
  /** Changes between two versions. */
  changes: 5_000,
  /** Examples of a kind. */
  examples: 20,
  /** Characters of an example: a part of one would be no object. */
  example: 20_000,
  /** Reasons why examples of a package are not shown. */
  unreadExamples: 10,
  /** Packages in a drawing. */
  nodes: 40,
  /** Values of an enum that are listed. */
  values: 200,
} as const

/** Collects what was left out. */
export interface Omissions {
  readonly warnings: Diagnostic[]
}

/** Notes that a page lacks something. */
export function omitted({warnings}: Omissions, subject: string, message: string): void {
  warnings.push(omittedText(`${subject}: ${message}`))
}

/** Returns the warning that a page lacks something. */
export function omittedText(message: string): Diagnostic {
  return {severity: 'warning', rule: 'catalog-omitted', message}
}
