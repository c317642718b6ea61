import {MAX_VALUES} from './anchors.js'
import {type BlockText, readBlockStyle} from './block-reader.js'
import {type BuiltDocument, DocumentBuilder} from './build-value.js'
import type {Positions} from './entries.js'
import type {FieldPath, JsonValue} from './json-value.js'
import {lineNumbers} from './line-numbers.js'
import {countSeparators, MAX_SEPARATORS, parseText} from './parse-events.js'
import {sourceText} from './source-text.js'
import {type Reject, throwYamlError} from './yaml-error.js'

/** A document of a YAML stream as JSON, with the lines of its parts. */
export interface YamlDocument {
  readonly value: JsonValue
  /** The line at which its content begins, from 1. */
  readonly line: number
  /** The first hundred duplicate keys, in the order of the file; the last one of a key counts. */
  readonly duplicateKeys: readonly {readonly path: FieldPath; readonly line: number}[]
  /** The different keys and values of its file without quotes that may be of another type, if they are known. */
  readonly ambiguous?: ReadonlySet<string> | undefined
  /**
   * Returns the line of a part of it: of the key of an entry. Of a part that does not exist, that of the nearest that
   * does.
   */
  lineOf(path: FieldPath): number
}

/**
 * Reads the documents of a YAML or JSON file as kubectl does, in order; empty and null ones are omitted. `file` is the
 * name for messages. Throws `input-invalid` with one diagnostic, of a `YamlRule`, for the first error, and the errors
 * of `budget`.
 */
export function readYaml(bytes: Uint8Array, file: string, budget?: YamlBudget): YamlDocument[] {
  const source = sourceText(bytes, file)
  const {room = 1} = budget ?? {}
  const separators = separatorsIn(source, budget)
  budget?.separators?.spend(separators, file)
  const fast = readFast(source, separators, room)
  const {documents, values, text} = fast ?? readEvents(source, file, room)
  budget?.values?.spend(values, file)
  const lineAt = lineNumbers(text)
  const places = new Places(() => readEvents(text, file, room, new Map()))
  return documents.flatMap(({value, at, duplicates}, index) => {
    if (value === null) return []
    const duplicateKeys = duplicates.map(duplicate => ({path: duplicate.path, line: lineAt(duplicate.at)}))
    const lineOf = (path: FieldPath) => lineAt(places.offsetOf(index, path))
    return [{value, line: lineAt(at), duplicateKeys, ambiguous: fast?.ambiguous, lineOf}]
  })
}

/** A text that is shorter than the limit cannot have more. */
function separatorsIn(source: string, budget: YamlBudget | undefined): number {
  return budget?.separators === undefined && source.length <= MAX_SEPARATORS ? 0 : countSeparators(source)
}

/** The limits for several files together; `spend` throws beyond them. `separators` limits what is parsed. */
export interface YamlBudget {
  readonly separators?: {spend(count: number, file: string): void}
  readonly values?: {spend(count: number, file: string): void}
  /** How many times more values a file may have than one of a package: more memory is spent. */
  readonly room?: number
}

interface Built {
  readonly documents: readonly BuiltDocument[]
  readonly values: number
  /** The text of the offsets; its lines are those of the file. */
  readonly text: string
  readonly positions: Positions
}

const NO_POSITIONS: Positions = new Map()

/** Reads what programs write; undefined for any other text. */
function readFast(
  source: string,
  separators: number,
  room: number,
): (BlockText & Pick<Built, 'text'>) | undefined {
  const isDense = separators > MAX_SEPARATORS * room
  const blockText = isDense ? undefined : readBlockStyle(source, MAX_VALUES * room)
  return blockText && {...blockText, text: source}
}

function readEvents(source: string, file: string, room: number, positions?: Positions): Built {
  const parsed = parseText(source, file, MAX_SEPARATORS * room)
  const {text} = parsed
  const lineAt = lineNumbers(text)
  const reject: Reject = (rule, message, at) => throwYamlError(rule, message, file, lineAt(at))
  const builder = new DocumentBuilder(parsed, reject, positions, MAX_VALUES * room)
  const documents: BuiltDocument[] = []
  for (let next = builder.document(); next !== undefined; next = builder.document()) documents.push(next)
  return {documents, values: builder.values, text, positions: positions ?? NO_POSITIONS}
}

/**
 * Finds the positions of the parts of a file. It is read a second time for them: errors are rare, and positions cost
 * time.
 */
class Places {
  readonly #build: () => Built
  #built: Built | undefined

  constructor(build: () => Built) {
    this.#build = build
  }

  /** The offset of the deepest part of a document on the path. */
  offsetOf(document: number, path: FieldPath): number {
    this.#built ??= this.#build()
    const root = this.#built.documents[document]
    let offset = root?.at ?? 0
    let part: unknown = root?.value
    for (const step of path) {
      const next = isCollection(part) ? this.#built.positions.get(part)?.get(step) : undefined
      if (next === undefined) break
      offset = next
      part = (part as Readonly<Record<string | number, unknown>>)[step]
    }
    return offset
  }
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
