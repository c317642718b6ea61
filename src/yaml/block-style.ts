import {isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue} from './json-value.js'
import {lineText, valueText} from './text-style.js'
import {numberText, sortedKeys} from './written-values.js'

/** Deeper parts are indented by two blanks, but items of a list are in the column of its key. */
const INDENTATION = '  '

/** Formats a document without a final line break. A text is never a block here: readers disagree on its indentation. */
export function documentText(value: JsonValue): string {
  return typeof value === 'string' ? lineText(value) : compactText(value, '')
}

/** Formats a value that begins on the line of the text before it; its further lines have this indentation. */
function compactText(value: JsonValue, indent: string): string {
  if (isJsonArray(value)) return value.length === 0 ? '[]' : sequenceText(value, indent)
  if (!isJsonObject(value)) return scalarText(value, indent)
  const keys = sortedKeys(value)
  return keys.length === 0 ? '{}' : mappingText(value, keys, indent)
}

/** Formats a value with the separator that follows its key, which has this indentation. */
function textBelow(value: JsonValue, indent: string): string {
  const inner = indent + INDENTATION
  if (isJsonArray(value)) return value.length === 0 ? ' []' : `\n${indent}${sequenceText(value, indent)}`
  if (!isJsonObject(value)) return ` ${scalarText(value, inner)}`
  const keys = sortedKeys(value)
  return keys.length === 0 ? ' {}' : `\n${inner}${mappingText(value, keys, inner)}`
}

function sequenceText(items: JsonArray, indent: string): string {
  let text = ''
  for (const item of items) {
    if (text !== '') text += `\n${indent}`
    text += `- ${compactText(item, indent + INDENTATION)}`
  }
  return text
}

function mappingText(mapping: JsonObject, keys: readonly string[], indent: string): string {
  let text = ''
  for (const key of keys) {
    if (text !== '') text += `\n${indent}`
    text += entryText(key, mapping[key] ?? null, indent)
  }
  return text
}

/** A key of several lines, or a long one, is marked as a key: readers do not look far for the colon. */
function entryText(key: string, value: JsonValue, indent: string): string {
  const text = lineText(key)
  if (!key.includes('\n') && !isLongKey(text)) return `${text}:${textBelow(value, indent)}`
  return `? ${text}\n${indent}: ${compactText(value, indent + INDENTATION)}`
}

const MAX_KEY = 1024

/** Counts in characters of Unicode. */
function isLongKey(text: string): boolean {
  return text.length > MAX_KEY && Array.from(text).length > MAX_KEY
}

function scalarText(value: null | boolean | number | bigint | string, indent: string): string {
  switch (typeof value) {
    case 'string':
      return valueText(value, indent)
    case 'number':
      return numberText(value)
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return 'null'
  }
}
