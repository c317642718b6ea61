/** The severity of a diagnostic: an error stops the command, a warning or a note does not. */
export type Severity = 'error' | 'warning' | 'note'

/** A diagnostic of an input or a result, from the reader of YAML to the JSON on stderr. */
export interface Diagnostic {
  readonly severity: Severity
  /** A stable ID that scripts can test. */
  readonly rule: string
  /** States the fact: lowercase start, no period. */
  readonly message: string
  /** The file as users know it. */
  readonly file?: string
  /** Counts from 1. */
  readonly line?: number
  /** A path within the file, such as `spec.names.kind`. */
  readonly field?: string
  /** The subject of the diagnostic, as data for programs. */
  readonly subject?: Subject
  /** Who answers for the rule, if its policy names someone. */
  readonly owner?: string
  /** Imperative sentences, or commands that work when pasted. */
  readonly suggestions?: readonly string[]
}

/** The package, requirement, object or path that a diagnostic is about; only the fields that apply are present. */
export interface Subject {
  /** Identity of a package, such as `example/app`. */
  readonly package?: string
  readonly tag?: string
  /** A requirement as its package or the user wrote it. */
  readonly requirement?: string
  /** The package that has the requirement, as `identity:tag`; absent for what the user requested. */
  readonly requiredBy?: string
  /** The packages or versions that were considered. */
  readonly candidates?: readonly string[]
  /** A Kubernetes object, as `Kind namespace/name` or `Kind name`. */
  readonly object?: string
}

/** Returns diagnostics without those that equal an earlier one, such as the notes of two stages on one package. */
export function distinctDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map(diagnostic => [JSON.stringify(diagnostic), diagnostic])).values()]
}

/** Returns a diagnostic with other texts; its subject stays. */
export function changedTexts(diagnostic: Diagnostic, change: (text: string) => string): Diagnostic {
  const {message, file, suggestions} = diagnostic
  return {
    ...diagnostic,
    message: change(message),
    ...(file === undefined ? {} : {file: change(file)}),
    ...(suggestions === undefined ? {} : {suggestions: suggestions.map(change)}),
  }
}
