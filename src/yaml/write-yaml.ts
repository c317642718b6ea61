import {documentText} from './block-style.js'
import {isJsonArray, isJsonObject, type JsonValue} from './json-value.js'
import {expectText, numberText, sortedKeys} from './written-values.js'

/**
 * Formats a YAML stream that every reader of YAML 1.1 and 1.2 reads as these values: keys sorted by code units, no
 * anchors, no folded lines, several lines of text as a block, `---` between documents. Throws `output-failed` for a
 * string that is not Unicode text, which no reader accepts, and `limit-exceeded` for one that is longer than a
 * mebibyte.
 */
export function writeYaml(documents: readonly JsonValue[]): string {
  return [...yamlParts(documents)].join('')
}

/** Formats the same stream, a document at a time: all of it in one string takes several times its memory. */
export function* yamlParts(documents: Iterable<JsonValue>): Generator<string, void, undefined> {
  let separator = ''
  for (const document of documents) {
    yield `${separator}${documentText(document)}\n`
    separator = '---\n'
  }
}

/** Sorted, indented JSON with a final line break; integers of any size in full. Throws as `writeYaml` does. */
export function writeJson(value: JsonValue): string {
  return `${jsonText(value, '')}\n`
}

function jsonText(value: JsonValue, indent: string): string {
  const inner = `${indent}  `
  if (isJsonArray(value)) {
    return bracketed(
      '[]',
      indent,
      value.map(item => inner + jsonText(item, inner)),
    )
  }
  if (!isJsonObject(value)) return jsonScalar(value)
  const entries = sortedKeys(value).map(
    key => `${inner}${jsonString(key)}: ${jsonText(value[key] ?? null, inner)}`,
  )
  return bracketed('{}', indent, entries)
}

function bracketed(brackets: '[]' | '{}', indent: string, lines: readonly string[]): string {
  if (lines.length === 0) return brackets
  return `${brackets.charAt(0)}\n${lines.join(',\n')}\n${indent}${brackets.charAt(1)}`
}

/**
 * Escapes the characters that YAML requires to be escaped, so that the result is YAML, too, and those that reorder text
 * on a terminal.
 */
function jsonString(text: string): string {
  expectText(text)
  if (UNESCAPED.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Most strings have nothing that is escaped, and are written many times. */
const UNESCAPED = /^[ !#-[\]-~]*$/

function jsonScalar(value: null | boolean | number | bigint | string): string {
  if (typeof value === 'string') return jsonString(value)
  return typeof value === 'number' ? numberText(value) : String(value)
}
