import {
  asObject,
  asText,
  CrossplaneError,
  type Diagnostic,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readYaml,
  type YamlDocument,
} from 'kubectl-crossplane/plugin'
import type {TemplateLine, TemplateObject} from './template-object.js'

/** A text that a template made, which is one or more documents. */
export interface RenderedText {
  readonly file: string
  readonly text: string
  /** The number of the first document in the file. */
  readonly document: number
  /** Returns the line of a template for a line of the text, from 1; undefined if it is not known. */
  readonly placeOf: (line: number) => TemplateLine | undefined
}

/** The objects of a text, and the documents that are none. */
export interface ReadText {
  readonly objects: readonly TemplateObject[]
  readonly errors: readonly Diagnostic[]
}

/**
 * Reads what a template made, as Kubernetes reads YAML. A List stands for its items. A document without API version,
 * kind or name is an error: nothing that a template prints is left out silently.
 */
export function readRenderedText(source: RenderedText): ReadText {
  const documents = documentsOf(source)
  if ('message' in documents) return {objects: [], errors: [documents]}
  const read = documents.map((document, index) => readDocument(source, document, source.document + index))
  return {objects: read.flatMap(({objects}) => objects), errors: read.flatMap(({errors}) => errors)}
}

function documentsOf(source: RenderedText): readonly YamlDocument[] | Diagnostic {
  const {file, text, document} = source
  try {
    return readYaml(Buffer.from(text), file)
  } catch (error) {
    const [first] = error instanceof CrossplaneError ? error.diagnostics : []
    if (first === undefined) throw error
    const message = `document ${document} is not valid YAML: ${first.message}`
    return {...first, message, line: ownLine(source, first.line ?? 1)}
  }
}

/** A line that a partial wrote is one of another file. */
function ownLine({file, placeOf}: RenderedText, line: number): number | undefined {
  const place = placeOf(line)
  return place?.file === file ? place.line : undefined
}

function readDocument(source: RenderedText, yaml: YamlDocument, document: number): ReadText {
  const {file, placeOf} = source
  const {value, line} = yaml
  const lineIn = (path: FieldPath) => yaml.lineOf(path)
  const read = (item: JsonValue, at: FieldPath, line: number, what: string): ReadText => {
    const place = {file, document, line: ownLine(source, line)}
    const writtenAt = (path: FieldPath) => placeOf(lineIn([...at, ...path]))
    const problem = problemOf(item)
    if (problem === undefined) return {objects: [{object: asObject(item), place, writtenAt}], errors: []}
    const message = `${what} ${problem}`
    return {
      objects: [],
      errors: [{severity: 'error', rule: 'template-object', message, file, line: place.line}],
    }
  }
  if (!isList(value)) return read(value, [], line, `document ${document}`)
  const items = value.items.map((item, index) =>
    read(item, ['items', index], lineIn(['items', index]), `item ${index + 1} of document ${document}`),
  )
  return {objects: items.flatMap(({objects}) => objects), errors: items.flatMap(({errors}) => errors)}
}

function isList(value: JsonValue): value is JsonObject & {readonly items: readonly JsonValue[]} {
  return isJsonObject(value) && asText(value.kind).endsWith('List') && isJsonArray(value.items)
}

function problemOf(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return 'is not an object'
  const {apiVersion, kind, metadata} = value
  return (
    textProblem('apiVersion', apiVersion) ??
    textProblem('kind', kind) ??
    textProblem('metadata.name', asObject(metadata).name)
  )
}

function textProblem(field: string, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return `has no ${field}`
  if (typeof value === 'string') return undefined
  return `has a ${field} that is not a text; put it in quotes`
}
