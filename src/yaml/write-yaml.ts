import {defineScalarTag, dump, DUMP_SCHEMA, NOT_RESOLVED, type ScalarTagDefinition} from 'js-yaml'
import {CrossplaneError} from '../errors.js'
import {isJsonArray, isJsonObject, type JsonValue} from './json-value.js'

/** Forms that go-yaml reads as numbers and js-yaml's schema does not know: strings of that form have to be quoted. */
const goNumber = defineScalarTag('tag:yaml.org,2002:x-go-number', {
  implicit: true,
  implicitFirstChars: '0123456789+-._'.split(''),
  identify: () => false,
  resolve: text => (GO_NUMBER.test(text.replaceAll('_', '')) ? 0 : NOT_RESOLVED),
})
const GO_NUMBER =
  /^[-+]?(?:0[bB][-+]?[01]+|0[oO]?[-+]?[0-7]+|0[xX][-+]?[0-9a-fA-F]+|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/

const integer = DUMP_SCHEMA.tags.find(tag => tag.tagName === 'tag:yaml.org,2002:int') as ScalarTagDefinition
const anyInteger = defineScalarTag(integer.tagName, {
  ...integer,
  identify: value => typeof value === 'bigint' || integer.identify(value),
  represent: value => (typeof value === 'bigint' ? String(value) : integer.represent(value)),
})

const SCHEMA = DUMP_SCHEMA.withTags(goNumber, anyInteger)

/**
 * A YAML stream that every reader of YAML 1.1 and 1.2 reads as these values: keys sorted, no anchors, no folded lines.
 * Throws `output-failed` for a string that is no Unicode text, which no reader takes.
 */
export function writeYaml(documents: readonly JsonValue[]): string {
  return documents.map(document => dump(canonical(document), OPTIONS)).join('---\n')
}

const OPTIONS = {schema: SCHEMA, noRefs: true, seqNoIndent: true, lineWidth: -1} as const

/** Sorted, indented JSON with integers of any size written out. Throws as `writeYaml` does. */
export function writeJson(value: JsonValue): string {
  return `${formatJson(canonical(value), '')}\n`
}

function canonical(value: JsonValue): JsonValue {
  if (typeof value === 'string') return unicodeText(value)
  if (isJsonArray(value)) return value.map(canonical)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map(key => [unicodeText(key), canonical(value[key] ?? null)]))
}

function unicodeText(text: string): string {
  if (text.isWellFormed()) return text
  throw new CrossplaneError(
    'output-failed',
    `the text ${JSON.stringify(text.slice(0, 40))} holds half of a character`,
  )
}

function formatJson(value: JsonValue, indent: string): string {
  const inner = `${indent}  `
  if (isJsonArray(value))
    return bracketed(
      '[]',
      value.map(item => inner + formatJson(item, inner)),
      indent,
    )
  if (!isJsonObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatJson(item, inner)}`,
  )
  return bracketed('{}', entries, indent)
}

function bracketed(brackets: '[]' | '{}', lines: readonly string[], indent: string): string {
  if (lines.length === 0) return brackets
  return `${brackets.charAt(0)}\n${lines.join(',\n')}\n${indent}${brackets.charAt(1)}`
}
