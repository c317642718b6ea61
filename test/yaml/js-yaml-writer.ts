import {
  COLLECTION_STYLE,
  defineScalarTag,
  DUMP_SCHEMA,
  type Node,
  NOT_RESOLVED,
  present,
  SCALAR_STYLE,
  type ScalarNode,
  type ScalarStyle,
} from 'js-yaml'
import {isJsonArray, isJsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {expectText, numberText, sortedKeys} from '../../src/yaml/written-values.js'

/** What js-yaml writes with the rules of `writeYaml`: the program wrote YAML so until it had a writer of its own. */
export function writeWithJsYaml(documents: readonly JsonValue[]): string {
  return documents.map(writeDocument).join('---\n')
}

/**
 * Text that go-yaml reads as numbers, or readers of YAML 1.1 as theirs, and js-yaml's schema does not recognize: strings
 * of that form have to be quoted.
 */
const GO_NUMBER =
  /^[-+]?(?:0[bB][-+]?[01]+|0[oO]?[-+]?[0-7]+|0[xX][-+]?[0-9a-fA-F]+|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/
const YAML_1_1 =
  /^(?:[-+]?0[bx]_+|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/
const goNumber = defineScalarTag('tag:yaml.org,2002:x-go-number', {
  implicit: true,
  implicitFirstChars: Array.from('0123456789+-._'),
  identify: () => false,
  resolve: text => (GO_NUMBER.test(text.replaceAll('_', '')) || YAML_1_1.test(text) ? 0 : NOT_RESOLVED),
})
const LAYOUT = {schema: DUMP_SCHEMA.withTags(goNumber), seqNoIndent: true, lineWidth: -1}

/** js-yaml ends a document with `...` where its last text ends in empty lines; the next `---` or the end does too. */
function writeDocument(value: JsonValue): string {
  const text = present([{contents: documentNode(value), directives: []}], LAYOUT)
  return escapeReordering(text.replace(/\n\.\.\.\n$/, '\n'))
}

const TAG = 'tag:yaml.org,2002:'

/**
 * Converts a document to a node for js-yaml, with keys in the order of their code units. Throws as `writeYaml` does.
 * A document that is text is not a block: readers disagree on the base of its indentation.
 */
function documentNode(value: JsonValue): Node {
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
function escapeReordering(yaml: string): string {
  if (!reordersText(yaml)) return yaml
  return yaml.replace(
    new RegExp(REORDERING, 'g'),
    character => `\\u${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
