import {jsonEqual} from '../../yaml/json-equal.js'
import {asObjects, asText, asTexts, isJsonArray, type JsonValue} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {
  EMBEDDED,
  INT_OR_STRING,
  isIntOrStringPattern,
  JUNCTORS,
  LIST_MAP_KEYS,
  LIST_TYPE,
  MAP_TYPE,
  META_FIELDS,
  PRESERVE,
  propertyOf,
  RULES,
  type Schema,
} from '../schema-node.js'
import type {SchemaChange} from './schema-change.js'

/** A change of a schema's own keywords. */
type KeywordChange = Omit<SchemaChange, 'path'>

type Compare = (before: Schema, after: Schema, keyword: string) => readonly KeywordChange[]

/** Compares the keywords of a schema, but not those of its parts. */
export function keywordChanges(before: Schema, after: Schema): readonly KeywordChange[] {
  const changes: KeywordChange[] = []
  for (const [keyword, compare] of KEYWORDS) {
    const [old, now] = [before[keyword], after[keyword]]
    if (old === now || jsonEqual(old ?? null, now ?? null)) continue
    changes.push(...compare(before, after, keyword))
  }
  return changes
}

/** Where one comparison is about several keywords, the first of them that differs makes it. */
const firstOf =
  (keywords: readonly string[], compare: Compare): Compare =>
  (before, after, keyword) =>
    keywords.find(name => !jsonEqual(before[name] ?? null, after[name] ?? null)) === keyword
      ? compare(before, after, keyword)
      : []

const TYPE = ['type', INT_OR_STRING]
const LIST = [LIST_TYPE, LIST_MAP_KEYS]
const LEAST = ['minItems', 'minLength', 'minProperties']
const MOST = ['maximum', 'maxItems', 'maxLength', 'maxProperties']
const SWITCHES = ['exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems']

const KEYWORDS: readonly (readonly [string, Compare])[] = [
  ...TYPE.map(keyword => [keyword, firstOf(TYPE, compareType)] as const),
  ['nullable', compareNullable],
  ['default', compareDefault],
  ['enum', compareEnum],
  ['minimum', compareLimit((old, now) => old < now)],
  ...LEAST.map(keyword => [keyword, compareLimit((old, now) => old < now, 0)] as const),
  ...MOST.map(keyword => [keyword, compareLimit((old, now) => old > now)] as const),
  ...SWITCHES.map(keyword => [keyword, compareSwitch] as const),
  ['multipleOf', compareMultiple],
  ['pattern', comparePattern],
  ['format', compareFormat],
  ...[...JUNCTORS, 'not'].map(keyword => [keyword, compareCondition] as const),
  [EMBEDDED, compareEmbedded],
  [RULES, compareRules],
  ...LIST.map(keyword => [keyword, firstOf(LIST, compareListType)] as const),
  [MAP_TYPE, compareMapType],
]

function compareType(before: Schema, after: Schema): readonly KeywordChange[] {
  const [old, now] = [typeName(before), typeName(after)]
  if (old === now) return []
  const isWider =
    now === '' || (old === 'integer' && (now === 'number' || now === EITHER)) || isText(old, now)
  return [
    {
      ...(isWider
        ? ({rule: 'type-widened', effect: 'none'} as const)
        : ({rule: 'type-changed', effect: 'rejected'} as const)),
      ...{before: old, after: now},
    },
  ]
}

const EITHER = 'integer or string'

function isText(old: string, now: string): boolean {
  return old === 'string' && now === EITHER
}

function typeName(schema: Schema): string {
  return schema[INT_OR_STRING] === true ? EITHER : asText(schema.type)
}

/** Without a type, null is a value like any other. */
function compareNullable(before: Schema, after: Schema): readonly KeywordChange[] {
  if (after.nullable === true) return [{rule: 'null-accepted', effect: 'none'}]
  return before.nullable === true && typeName(after) !== ''
    ? [{rule: 'null-rejected', effect: 'rejected'}]
    : []
}

function compareDefault(
  {default: before = null}: Schema,
  {default: after = null}: Schema,
): readonly KeywordChange[] {
  const effect = 'changed'
  if (before === null) return [{rule: 'default-added', effect, after}]
  if (after === null) return [{rule: 'default-removed', effect, before}]
  return [{rule: 'default-changed', effect, before, after}]
}

/** An enum can have thousands of values. */
function compareEnum(before: Schema, after: Schema): readonly KeywordChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  if (now === undefined) return [{rule: 'enum-widened', effect: 'none', before: before.enum ?? null}]
  if (old === undefined) return [{rule: 'enum-narrowed', effect: 'rejected', after: after.enum ?? null}]
  const lost = [...old].flatMap(([text, value]) => (now.has(text) ? [] : [value]))
  const gained = [...now].flatMap(([text, value]) => (old.has(text) ? [] : [value]))
  return [
    ...(lost.length === 0 ? [] : [{rule: 'enum-narrowed', effect: 'rejected', before: lost} as const]),
    ...(gained.length === 0 ? [] : [{rule: 'enum-widened', effect: 'none', after: gained} as const]),
  ]
}

function valuesOf({enum: values}: Schema): ReadonlyMap<string, JsonValue> | undefined {
  if (values === undefined || !isJsonArray(values)) return undefined
  return new Map(values.map(value => [writeJson(value), value]))
}

/** @param least - the limit of a schema without one. */
function compareLimit(isTighter: (before: number, after: number) => boolean, least?: number): Compare {
  return (before, after, keyword) => {
    const [old, now] = [numberOf(before[keyword]) ?? least, numberOf(after[keyword]) ?? least]
    if (old === now) return []
    const isNarrowed = now !== undefined && (old === undefined || isTighter(old, now))
    return [limitChange(keyword, before, after, isNarrowed)]
  }
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

function limitChange(keyword: string, before: Schema, after: Schema, isNarrowed: boolean): KeywordChange {
  const [old, now] = [before[keyword], after[keyword]]
  return {
    rule: isNarrowed ? 'limit-narrowed' : 'limit-widened',
    effect: isNarrowed ? 'rejected' : 'none',
    ...(old === undefined ? {} : {before: {[keyword]: old}}),
    ...(now === undefined ? {} : {after: {[keyword]: now}}),
  }
}

function compareSwitch(before: Schema, after: Schema, keyword: string): readonly KeywordChange[] {
  const [old, now] = [before[keyword] === true, after[keyword] === true]
  return old === now ? [] : [limitChange(keyword, before, after, now)]
}

function compareMultiple(before: Schema, after: Schema, keyword: string): readonly KeywordChange[] {
  const [old, now] = [numberOf(before[keyword]), numberOf(after[keyword])]
  const isNarrowed = now !== undefined && (old === undefined || old % now !== 0)
  return [limitChange(keyword, before, after, isNarrowed)]
}

/** Whether a pattern accepts what another one accepts is not decided. */
function comparePattern({pattern: before}: Schema, {pattern: after}: Schema): readonly KeywordChange[] {
  const [old, now] = [asText(before), asText(after)]
  if (now === '') return [{rule: 'pattern-removed', effect: 'none', before: old}]
  return [{rule: 'pattern-changed', effect: 'rejected', ...(old === '' ? {} : {before: old}), after: now}]
}

/** The API server checks formats of texts only, and those that it does not know not at all. */
function compareFormat(before: Schema, after: Schema): readonly KeywordChange[] {
  const [old, now] = [asText(before.format), asText(after.format)]
  const isChecked = typeName(after) === 'string' && now !== ''
  return [
    {
      rule: 'format-changed',
      effect: isChecked ? 'rejected' : 'none',
      ...(old === '' ? {} : {before: old}),
      ...(now === '' ? {} : {after: now}),
    },
  ]
}

/** What branches accept is not decided. */
function compareCondition(before: Schema, after: Schema, keyword: string): readonly KeywordChange[] {
  const [old, now] = [before[keyword], after[keyword]]
  if (now === undefined || now === null || now === false)
    return [{rule: 'condition-removed', effect: 'none', before: keyword}]
  const isNotation = keyword === 'anyOf' && after[INT_OR_STRING] === true && isIntOrStringPattern(now)
  if (isNotation && old === undefined) return []
  return [{rule: 'condition-changed', effect: 'rejected', after: keyword}]
}

/** The API server keeps `apiVersion`, `kind` and `metadata` of an embedded object, and requires them. */
function compareEmbedded(before: Schema, after: Schema): readonly KeywordChange[] {
  if (after[EMBEDDED] === true) return [{rule: 'condition-changed', effect: 'rejected', after: EMBEDDED}]
  const isKept = after[PRESERVE] === true || META_FIELDS.every(name => propertyOf(after, name) !== undefined)
  return before[EMBEDDED] === true
    ? [{rule: 'condition-removed', effect: isKept ? 'none' : 'dropped', before: EMBEDDED}]
    : []
}

/** A map is granular unless it says otherwise. */
function compareMapType(before: Schema, after: Schema): readonly KeywordChange[] {
  const [old, now] = [before, after].map(({[MAP_TYPE]: type}) => asText(type) || 'granular')
  return old === now ? [] : [{rule: 'list-type-changed', effect: 'changed'}]
}

/** Rules in CEL are compared by their text; their messages do not matter. */
function compareRules(before: Schema, after: Schema): readonly KeywordChange[] {
  const [old, now] = [rulesOf(before), rulesOf(after)]
  const added = [...now].filter(([key]) => !old.has(key))
  const removed = [...old].filter(([key]) => !now.has(key))
  return [
    ...added.map(([, rule]) => addedRule(rule)),
    ...removed.map(([, {rule}]) => ({...REMOVED, before: rule})),
  ]
}

interface Rule {
  readonly rule: string
  /** Whether it also applies to an object that is created, which has no former value. */
  readonly isForNew: boolean
}

const REMOVED = {rule: 'rule-removed', effect: 'none'} as const

function rulesOf({[RULES]: rules}: Schema): ReadonlyMap<string, Rule> {
  return new Map(
    asObjects(rules).map(({rule, optionalOldSelf}) => {
      const own = {rule: asText(rule).trim(), isForNew: optionalOldSelf === true}
      return [`${own.isForNew} ${own.rule}`, own] as const
    }),
  )
}

/** A rule about the former value does not apply to new objects. */
function addedRule({rule, isForNew}: Rule): KeywordChange {
  const words = rule.replace(/\s+/g, '')
  if (words === 'self==oldSelf' || words === 'oldSelf==self')
    return {rule: 'immutable', effect: 'frozen', after: rule}
  return {
    rule: 'rule-added',
    effect: /\boldSelf\b/.test(rule) && !isForNew ? 'frozen' : 'rejected',
    after: rule,
  }
}

/** Sets and maps reject two items with the same value or keys; lists are replaced as a whole when they are applied. */
function compareListType(before: Schema, after: Schema): readonly KeywordChange[] {
  const [old, now] = [listTypeOf(before), listTypeOf(after)]
  if (old === now) return []
  const isUnique = now !== 'atomic'
  return [{rule: 'list-type-changed', effect: isUnique ? 'rejected' : 'changed', before: old, after: now}]
}

function listTypeOf({[LIST_TYPE]: type, [LIST_MAP_KEYS]: keys}: Schema): string {
  const name = asText(type) || 'atomic'
  return name === 'map' ? `map by ${asTexts(keys).join(', ')}` : name
}
