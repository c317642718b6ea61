import {COLLECTION_STYLE, type Node, SCALAR_STYLE, type ScalarNode, type ScalarStyle} from 'js-yaml'
import {CrossplaneError} from '../errors.js'
import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from './json-value.js'

const TAG = 'tag:yaml.org,2002:'

/**
 * Converts a document to a node for js-yaml, with keys in the order of their code units. Throws as `writeYaml` does.
 * A document that is text is not a block: readers disagree on the base of its indentation.
 */
export function documentNode(value: JsonValue): Node {
  return typeof value === 'string' ? textNode(value, SCALAR_STYLE.DOUBLE_QUOTED) : yamlNode(value)
}

function yamlNode(value: JsonValue): Node {
  if (isJsonArray(value)) {
    const items = value.map(item => yamlNode(item))
    return {kind: 'sequence', tag: `${TAG}seq`, tagged: false, style: COLLECTION_STYLE.BLOCK, items}
  }
  if (!isJsonObject(value)) return scalarNode(value)
  const items = sortedKeys(value).map(key => ({
    key: textNode(key, SCALAR_STYLE.DOUBLE_QUOTED),
    value: yamlNode(value[key] ?? null),
  }))
  return {kind: 'mapping', tag: `${TAG}map`, tagged: false, style: COLLECTION_STYLE.BLOCK, items}
}

/**
 * Sorted by code units, digits too: objects themselves keep numeric keys in numeric order. Keys without a value are
 * omitted, as by JSON.stringify.
 */
export function sortedKeys(value: JsonObject): string[] {
  return Object.keys(value)
    .filter(key => value[key] !== undefined)
    .sort()
}

function scalarNode(value: null | boolean | number | bigint | string): ScalarNode {
  switch (typeof value) {
    case 'string':
      return textNode(value, isExactAsBlock(value) ? SCALAR_STYLE.LITERAL_BLOCK : SCALAR_STYLE.DOUBLE_QUOTED)
    case 'bigint':
      return plainNode('int', String(value))
    case 'number':
      return plainNode(Number.isSafeInteger(value) ? 'int' : 'float', numberText(value))
    case 'boolean':
      return plainNode('bool', String(value))
    default:
      return plainNode('null', 'null')
  }
}

function plainNode(type: string, value: string): ScalarNode {
  return {kind: 'scalar', tag: TAG + type, tagged: false, style: SCALAR_STYLE.PLAIN, value}
}

/** js-yaml chooses quotes for a line that requires them; `forLines` is the style of several lines. */
function textNode(text: string, forLines: ScalarStyle): ScalarNode {
  const style = text.includes('\n') ? forLines : styleOfLine(text)
  return {kind: 'scalar', tag: `${TAG}str`, tagged: false, style, value: expectText(text)}
}

/** js-yaml would write a key of the outermost mapping plain if it begins like the start or the end of a document. */
function styleOfLine(text: string): ScalarStyle {
  return /^(?:---|\.\.\.)(?:[ \t]|$)/.test(text) || reordersText(text)
    ? SCALAR_STYLE.DOUBLE_QUOTED
    : SCALAR_STYLE.PLAIN
}

/**
 * Reports whether readers agree on every character of these lines unquoted: so there is no line break of YAML 1.1
 * only, and the first character is not a tab, which libyaml reads as indentation.
 */
function isExactAsBlock(text: string): boolean {
  return /\S/.test(text) && !/[\x7f-\x9f\u2028\u2029\ufeff]|^\n*\t/.test(text) && !reordersText(text)
}

/** Characters that a terminal or a review shows in another order: they are written as escapes. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/

function reordersText(text: string): boolean {
  return REORDERING.test(text)
}

/** Formats a document, with double quotes and escapes for texts that contain such characters. */
export function escapeReordering(yaml: string): string {
  if (!reordersText(yaml)) return yaml
  return yaml.replace(
    new RegExp(REORDERING, 'g'),
    character => `\\u${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Half the size that etcd stores for a whole object; js-yaml fails with texts of three times that. */
const MAX_TEXT = 1024 * 1024

/** Checks a text. Throws `output-failed` if it is not Unicode, or `limit-exceeded`. */
export function expectText(text: string): string {
  const shown = JSON.stringify(text.slice(0, 40))
  if (!text.isWellFormed()) {
    throw new CrossplaneError('output-failed', `cannot write the text ${shown}: it has half of a character`)
  }
  if (text.length > MAX_TEXT) {
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot write the text ${shown}…: it is too long for Kubernetes`,
    )
  }
  return text
}

/**
 * Formats a number so that all readers of YAML and JSON read the same one. An integer that they might not hold
 * exactly is written as the float that it is; YAML 1.1 requires a point in every float.
 */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not JSON`)
  if (Number.isSafeInteger(value)) return String(value)
  const text = Number.isInteger(value) ? value.toExponential() : String(value)
  return text.replace(/^(-?\d+)e/, '$1.0e')
}
