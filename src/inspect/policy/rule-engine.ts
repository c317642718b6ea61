/** The texts of a rule. */
export interface RuleTexts {
  readonly expression: string
  readonly messageExpression?: string
}

/** Why a text is not an expression that can be evaluated. */
export interface ExpressionFault {
  readonly in: keyof RuleTexts
  readonly message: string
  /** The place in the expression; both count from 1. */
  readonly row: number
  readonly column: number
}

/** A rule that was compiled, or what is wrong with it. */
export type CompiledRule =
  | {readonly uses: readonly string[]; readonly faults?: never}
  | {readonly uses?: never; readonly faults: readonly ExpressionFault[]}

/** What a rule says of one package. */
export type RuleVerdict =
  | {readonly kind: 'allowed'}
  /** `message` is that of the rule's messageExpression, if it has one that gives a text. */
  | {readonly kind: 'denied'; readonly message?: string}
  /** The rule cannot be evaluated for it. */
  | {readonly kind: 'failed'; readonly message: string}
  /** It takes more time, steps or memory than a rule may. */
  | {readonly kind: 'limit'; readonly message: string}

/**
 * Compiles and evaluates the rules of one policy. It loads nothing before it is used, and evaluates outside of the thread of
 * the program, so that no rule can stop it.
 */
export interface RuleEngine {
  compile(rules: readonly RuleTexts[], variables: RuleVariables): Promise<readonly CompiledRule[]>
  /** Evaluates compiled rules, by their index, over variables in JSON. Ends with the first one that reaches a limit. */
  evaluate(rules: readonly number[], variables: string): Promise<readonly RuleVerdict[]>
}

/** The variables that expressions can name. */
export interface RuleVariables {
  /** The type of each in CEL. */
  readonly types: Readonly<Record<string, 'list' | 'map'>>
  /** The fields of maps, and of the maps in lists, also of those in a map, as `plan.crds`: all are always there. */
  readonly fields: Readonly<Record<string, readonly string[]>>
}
