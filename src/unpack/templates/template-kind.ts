/** A kind of objects that a template creates; without a field where only rendering can tell. */
export interface TemplateKind {
  readonly apiVersion?: string
  readonly kind?: string
  /** The path in the folder of the templates. */
  readonly file: string
  readonly line: number
  /** Whether a condition or a loop around it decides if it is created; absent where only rendering can tell. */
  readonly isConditional?: boolean
  /** The texts of fields that an expression computes. Where the kind is known, it is one that they can print. */
  readonly computed?: {readonly apiVersion?: string; readonly kind?: string}
}

/** Reports whether the text of the template names the kind. */
export function isLiteral(kind: TemplateKind): kind is TemplateKind & {apiVersion: string; kind: string} {
  return kind.apiVersion !== undefined && kind.kind !== undefined
}
