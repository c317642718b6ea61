import {asText, type JsonValue} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import type {Spot} from '../schema-diagnostic.js'
import {isJudgedPattern} from '../checks/breaks-pattern.js'
import {
  isGiven,
  isIntOrStringPattern,
  JUNCTORS,
  LIST_TYPE,
  partsOf,
  RULES,
  type Schema,
} from '../schema-node.js'

/**
 * Lists the keywords of rules that `checkInstance` does not check and that the previous schema did not have in the
 * same place: the API server has checked those already. Sorted.
 */
export function uncheckedKeywords(after: Schema, before: Schema): readonly string[] {
  const rulesBefore = new Set(rulesIn(before, ROOT).map(writeJson))
  const added = rulesIn(after, ROOT).filter(rule => !rulesBefore.has(writeJson(rule)))
  return [...new Set(added.map(([, keyword]) => keyword))].sort()
}

const ROOT: Spot = {path: '', place: []}

type Rule = readonly [path: string, keyword: string, value: JsonValue]

function rulesIn(schema: Schema, spot: Spot): readonly Rule[] {
  const own = KEYWORDS.filter(keyword => isGiven(schema[keyword]) && !isJudged(keyword, schema))
  return [
    ...own.map((keyword): Rule => [spot.path, keyword, schema[keyword] ?? null]),
    ...partsOf(schema, spot).flatMap(([part, at]) => rulesIn(part, at)),
  ]
}

const KEYWORDS = ['format', 'pattern', ...JUNCTORS, 'not', LIST_TYPE, RULES]

function isJudged(keyword: string, schema: Schema): boolean {
  if (keyword === 'pattern') return isJudgedPattern(asText(schema.pattern))
  // The API server checks formats of strings only.
  if (keyword === 'format') return schema.type === 'integer' || schema.type === 'number'
  if (keyword === LIST_TYPE) return schema[LIST_TYPE] === 'atomic'
  return keyword === 'anyOf' && isIntOrStringPattern(schema.anyOf)
}
