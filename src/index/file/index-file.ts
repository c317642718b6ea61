import {API_VERSION} from '../../api-version.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {ENTRY_KIND, entryOf, entryText, YANK_KIND, yankOf, yankText} from '../entry/entry-document.js'
import {FieldCheck} from '../entry/field-check.js'
import {MAX_DOCUMENT_BYTES, parseDocument} from '../entry/read-document.js'
import type {PackageSummary} from '../package-summary.js'
import type {Found, YankedVersion} from '../summaries.js'
import {LineCutter} from './line-cutter.js'
import {compareText} from '../../reference/compare-text.js'
import {count} from '../../text.js'

/** The header, the first line of an index file. */
const INDEX_KIND = 'PackageIndex'

const MAX_FILE_BYTES = 256 * 1024 * 1024
const MAX_LINES = 1_000_000
/** Reading stops after this many lines with errors. */
const MAX_BAD_LINES = 20

/**
 * Returns an index as lines of JSON with line breaks: a header, then entries and yanks sorted by identity, tag and digest,
 * so that the same index gives the same text and two branches of it merge line by line. Of two entries of one version, the
 * first in this order is written. Unreadable entries are not written; the caller reports them.
 */
export function* writeIndexFile({summaries, yanked}: Found): Iterable<string> {
  yield `${JSON.stringify({apiVersion: API_VERSION, kind: INDEX_KIND})}\n`
  const lines = [...summaries, ...yanked]
    .map(line => ({key: lineKey(line), text: lineText(line)}))
    .sort((a, b) => compareText(a.key, b.key) || compareText(a.text, b.text))
  for (const [index, {key, text}] of lines.entries()) {
    if (lines[index - 1]?.key !== key) yield `${text}\n`
  }
}

/** The content of one line. */
type Line = PackageSummary | YankedVersion

function lineText(line: Line): string {
  return isYank(line) ? yankText(line) : entryText(line)
}

/** Identifies a line. It sorts as its parts do, as none contains a character that sorts before a line break. */
function lineKey(line: Line): string {
  const {identity, tag, version, digest = ''} = line
  return [identity, tag, digest, version, isYank(line) ? YANK_KIND : ENTRY_KIND].join('\n')
}

function isYank(line: Line): line is YankedVersion {
  return 'reason' in line
}

/**
 * Reads the lines of `writeIndexFile`, in any order; messages call the file `name`. Throws `index-invalid` with the errors
 * of the first 20 invalid lines, and `limit-exceeded` for a file of more than 256 MiB or a million lines.
 */
export async function readIndexFile(name: string, bytes: AsyncIterable<Uint8Array>): Promise<Found> {
  const cutter = new LineCutter(MAX_DOCUMENT_BYTES)
  const reader = new IndexFileReader(name)
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > MAX_FILE_BYTES) throw tooLarge(name, `${MAX_FILE_BYTES} bytes`)
    for (const line of cutter.cut(piece)) if (!reader.take(line)) return reader.found()
  }
  reader.take(cutter.rest())
  return reader.found()
}

function tooLarge(name: string, max: string): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `cannot read the index ${name}: it has more than ${max}`, {
    suggestions: ['Use the index in its registry: --index ROOT'],
  })
}

class IndexFileReader {
  readonly #name: string
  readonly #summaries: PackageSummary[] = []
  readonly #yanked: YankedVersion[] = []
  readonly #diagnostics: Diagnostic[] = []
  /** Each version with its line. */
  readonly #seen = new Map<string, {readonly line: number; readonly read: Line}>()
  #line = 0
  #badLines = 0
  #hasHeader = false

  constructor(name: string) {
    this.#name = name
  }

  /** Takes the next line; false after too many errors. */
  take(bytes: Uint8Array): boolean {
    this.#line += 1
    if (this.#line > MAX_LINES) throw tooLarge(this.#name, `${MAX_LINES} lines`)
    if (isBlank(bytes)) return true
    const check = new FieldCheck({file: this.#name, line: this.#line})
    if (isMergeMark(bytes)) check.reject('unresolved merge conflict', undefined, 'index-merge')
    else this.#document(parseDocument(bytes, check), check)
    if (check.diagnostics.length === 0) return true
    this.#diagnostics.push(...check.diagnostics)
    this.#badLines += 1
    return this.#hasHeader && this.#badLines < MAX_BAD_LINES
  }

  /** Returns the lines that were read. Throws if there are errors. */
  found(): Found {
    if (!this.#hasHeader && this.#diagnostics.length === 0) {
      this.#diagnostics.push({
        severity: 'error',
        rule: 'index-empty',
        message: 'the file is empty',
        file: this.#name,
      })
    }
    if (this.#diagnostics.length > 0) throw this.#invalid()
    return {summaries: this.#summaries, unreadable: [], yanked: this.#yanked}
  }

  #document(document: JsonObject | undefined, check: FieldCheck): void {
    if (document === undefined) return
    if (!this.#hasHeader) return this.#header(document, check)
    if (document.kind === YANK_KIND) return this.#keep(this.#yanked, yankOf(document, check), check)
    if (document.kind === ENTRY_KIND) return this.#keep(this.#summaries, entryOf(document, check), check)
    check.reject(`kind must be ${ENTRY_KIND} or ${YANK_KIND}`, 'kind')
  }

  #header({apiVersion, kind}: JsonObject, check: FieldCheck): void {
    this.#hasHeader = kind === INDEX_KIND && apiVersion === API_VERSION
    if (kind !== INDEX_KIND) check.reject(`kind must be ${INDEX_KIND}: the file is not an index`, 'kind')
    else if (!this.#hasHeader) check.reject(`apiVersion must be ${API_VERSION}`, 'apiVersion')
  }

  /** Keeps one of several equal lines, as a merge can leave them. Different lines of one version are an error. */
  #keep<Read extends Line>(into: Read[], read: Read | undefined, check: FieldCheck): void {
    if (read === undefined || check.diagnostics.length > 0) return
    const key = lineKey(read)
    const earlier = this.#seen.get(key)
    if (earlier === undefined) {
      this.#seen.set(key, {line: this.#line, read})
      into.push(read)
    } else if (lineText(earlier.read) !== lineText(read)) {
      check.reject(`contradicts line ${earlier.line}`, undefined, 'index-contradiction')
    }
  }

  #invalid(): CrossplaneError {
    const isAll = this.#badLines < MAX_BAD_LINES
    const total = count(this.#diagnostics.length, 'error')
    return new CrossplaneError(
      'index-invalid',
      `cannot read the index ${this.#name}: ${total}${isAll ? '' : `, stopped at line ${this.#line}`}`,
      {
        diagnostics: this.#diagnostics,
        suggestions: ['Export the index again: kubectl crossplane registry index export --help'],
      },
    )
  }
}

function isBlank(line: Uint8Array): boolean {
  return line.length === 0 || (line.length === 1 && line[0] === 0x0d)
}

/** Reports whether a line is a conflict marker of git. */
function isMergeMark(line: Uint8Array): boolean {
  return MERGE_MARKS.includes(Buffer.from(line.subarray(0, MARK_LENGTH)).toString('latin1'))
}

const MARK_LENGTH = 7
const MERGE_MARKS = ['<<<<<<<', '=======', '>>>>>>>', '|||||||']
