import {listAll, quoted} from '../../text.js'
import {asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {fieldAt} from './field-at.js'
import {child, item, type Report, type Spot} from '../schema-diagnostic.js'
import {EMBEDDED, RULES, type Schema} from '../schema-node.js'
import {costlyMatch} from './rule-cost.js'
import {ruleTypes} from '../rule-types.js'
import type {SchemaRules, SelfMatch} from '../schema-rules.js'
import {isUnreadable} from './check-structure.js'

const REASONS = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate']

/** Where a node with rules is, and what compiles them; without it, only their other fields are checked. */
interface RuleContext {
  readonly isRoot: boolean
  readonly isCorrelated: boolean
  /** How many values of the node an object can have. */
  readonly occurrences: number
  readonly rules?: SchemaRules | undefined
}

/** Reports errors in the rules of a node; of the cost of their expressions (CEL), only that of patterns is estimated. */
export function checkRules(schema: Schema, context: RuleContext, spot: Spot, report: Report): void {
  asObjects(schema[RULES]).forEach((rule, index) => {
    const at = item(child(spot, RULES), index)
    const blank = (field: string) => rule[field] !== undefined && isBlank(rule, field)
    checkText(rule, at, report)
    if (blank('messageExpression')) report('validation-rule', child(at, 'messageExpression'), 'it is blank')
    const {reason} = rule
    if (typeof reason === 'string' && !REASONS.includes(reason)) {
      report('validation-rule', child(at, 'reason'), `it is one of ${listAll(REASONS, 'or')}`)
    }
    checkPath(schema, rule, at, report)
    checkExpressions(schema, rule, context, at, report)
  })
}

/** An empty rule is reported as such, and a schema that cannot be read gives expressions no types. */
function checkExpressions(
  schema: Schema,
  rule: JsonObject,
  {isRoot, isCorrelated, rules, ...context}: RuleContext,
  at: Spot,
  report: Report,
): void {
  if (rules === undefined || asText(rule.rule).trim() === '' || rule.optionalOldSelf !== undefined) return
  if (isUnreadable(schema)) return
  for (const [field, type] of EXPRESSIONS) {
    const text = asText(rule[field])
    const types = text === '' ? undefined : ruleTypes(schema, isRoot || schema[EMBEDDED] === true, text)
    const fault = types && rules.faultOf({text, type, isCorrelated, ...types})
    if (fault !== undefined)
      report('validation-rule', child(at, field), `${quoted(text)} cannot be compiled: ${fault}`)
  }
  checkCost(schema, context, rules.matchesOf(asText(rule.rule)), child(at, 'rule'), report)
}

function checkCost(
  schema: Schema,
  {occurrences}: Pick<RuleContext, 'occurrences'>,
  matches: readonly SelfMatch[],
  at: Spot,
  report: Report,
): void {
  const costly = costlyMatch(schema, occurrences, matches)
  if (costly !== undefined) report('validation-rule', at, costText(costly, occurrences))
}

function costText({path, pattern}: SelfMatch, occurrences: number): string {
  const text = ['self', ...path].join('.')
  const around = occurrences === 1 ? '' : ', or maxItems or maxProperties around it'
  return `matching ${text} with ${quoted(pattern)} costs more than a server allows: set maxLength of the text${around}`
}

/** The expressions of a rule, with their types. */
const EXPRESSIONS = [
  ['rule', 'bool'],
  ['messageExpression', 'string'],
] as const

function checkText(rule: JsonObject, at: Spot, report: Report): void {
  const message = asText(rule.message)
  if (asText(rule.rule).trim() === '') {
    report('validation-rule', child(at, 'rule'), 'the rule is empty')
  } else if (isBlank(rule, 'message') || /[\n\r]/.test(message.trim())) {
    report('validation-rule', child(at, 'message'), 'a message is one line')
  } else if (/[\n\r]/.test(asText(rule.rule).trim()) && message.trim() === '') {
    report('validation-rule', child(at, 'message'), 'a rule of several lines must have a message')
  }
}

function checkPath(schema: Schema, rule: JsonObject, at: Spot, report: Report): void {
  const path = asText(rule.fieldPath)
  if (path === '') return
  const fits = !/[\n\r]/.test(path) && path.trim() !== ''
  if (fits && (isUnreadable(schema) || fieldAt(schema, path, {brackets: true}) !== undefined)) return
  report('validation-rule', child(at, 'fieldPath'), `${path} leads to no field`)
}

function isBlank(rule: JsonObject, field: string): boolean {
  const text = asText(rule[field])
  return text !== '' && text.trim() === ''
}
