import type {JsonObject, JsonValue} from '../yaml/json-value.js'
import type {Schema} from './schema-node.js'

/** Rules in CEL of schemas (`x-kubernetes-validations`), read as a current API server reads them. */
export interface SchemaRules {
  /** Returns why a server cannot compile a rule of a node. */
  compile(rule: JsonObject, node: RuleNode): readonly RuleFault[]
  /**
   * Returns whether a new value of a node satisfies a rule; undefined for a rule that is for changed values only, or that
   * cannot be evaluated.
   */
  isSatisfied(rule: JsonObject, node: RuleNode, value: JsonValue): boolean | undefined
}

/** The node that a rule is of. */
export interface RuleNode {
  readonly schema: Schema
  /** Whether it is a resource, whose apiVersion, kind and metadata are known to rules. */
  readonly isResource: boolean
  /** Whether a server knows its previous value: not below a list that is merged as a whole. */
  readonly isCorrelated: boolean
}

/** An error in one text of a rule. */
export interface RuleFault {
  readonly field: 'rule' | 'messageExpression'
  readonly message: string
}
