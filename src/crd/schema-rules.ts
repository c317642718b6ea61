import type {JsonValue} from '../yaml/json-value.js'

/** Compiles and evaluates expressions in CEL of schemas (`x-kubernetes-validations`), as a current API server does. */
export interface SchemaRules {
  /** Returns why a server cannot compile an expression; undefined if it can, or where that is not known. */
  faultOf(expression: RuleExpression): string | undefined
  /** Returns the patterns that a rule matches with fields of `self`, as far as their cost is a part of its own. */
  matchesOf(rule: string): readonly SelfMatch[]
  /** Returns the result of a rule about a value, `self`; undefined if it cannot be evaluated. */
  resultOf(rule: string, self: JsonValue): boolean | undefined
}

/** A literal pattern that a rule matches with a text. */
export interface SelfMatch {
  /** The names of the fields from `self` on. */
  readonly path: readonly string[]
  readonly pattern: string
}

/** An expression of a schema, and what it can name. */
export interface RuleExpression {
  readonly text: string
  /** The type that it must have. */
  readonly type: 'bool' | 'string'
  /** The type of `self` and of its previous value, `oldSelf`. */
  readonly self: string
  readonly objects: readonly ObjectType[]
  /** Whether a server knows the previous value. */
  readonly isCorrelated: boolean
}

/** A type of objects: the types of its fields by their names. */
export interface ObjectType {
  readonly name: string
  readonly fields: Readonly<Record<string, string>>
}
