import {asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {fieldAt} from './field-at.js'
import {child, item, type Report, type Spot} from '../schema-diagnostic.js'
import {RULES, type Schema} from '../schema-node.js'
import {isUnreadable} from './check-structure.js'

const REASONS = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate']

/**
 * Reports errors in the rules of a node, except in their expressions (CEL), which are not compiled: only a server can
 * check their types and cost.
 */
export function checkRules(schema: Schema, spot: Spot, report: Report): void {
  asObjects(schema[RULES]).forEach((rule, index) => {
    const at = item(child(spot, RULES), index)
    const blank = (field: string) => rule[field] !== undefined && isBlank(rule, field)
    checkText(rule, at, report)
    if (blank('messageExpression')) report('validation-rule', child(at, 'messageExpression'), 'it is blank')
    const {reason} = rule
    if (typeof reason === 'string' && !REASONS.includes(reason)) {
      report('validation-rule', child(at, 'reason'), `it is one of ${REASONS.join(', ')}`)
    }
    checkPath(schema, rule, at, report)
  })
}

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
