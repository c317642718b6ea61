/** What is wrong with an object. The names are an interface, described in docs/validate.md. */
export type ValidationRule =
  | ('invalid' | 'unknown-field' | 'rule-violated' | 'no-schema' | 'not-served')
  | (
      | 'input-invalid'
      | 'path-unknown'
      | 'type-mismatch'
      | 'required-unset'
      | 'scope-mismatch'
      | 'patch-failed'
      | 'composition-mismatch'
    )

/** A part of an object that an API server, Crossplane or a function rejects. */
export interface ValidationFinding {
  readonly rule: ValidationRule
  readonly file: string
  readonly line: number
  /** `Kind namespace/name` */
  readonly object: string
  /** Absent for the whole object. */
  readonly path?: string
  readonly message: string
}

/** A part that was not judged. */
export interface UnreadUse {
  readonly file: string
  readonly line?: number
  readonly object?: string
  readonly path?: string
  readonly reason: string
}

/** Objects whose kind no package of the set defines. */
export interface SkippedKind {
  readonly apiVersion: string
  readonly kind: string
  /** Whether Kubernetes or Crossplane itself defines the kind, or the user allows it. */
  readonly because: 'kubernetes' | 'crossplane' | 'allowed'
  readonly objects: number
}

/** The result of a validation. */
export interface Validation {
  /** By file and line. */
  readonly findings: readonly ValidationFinding[]
  readonly unread: readonly UnreadUse[]
  /** The number of objects with a schema. */
  readonly validated: number
  readonly skipped: readonly SkippedKind[]
}
