import {isUtf8} from 'node:buffer'
import {CrossplaneError, withDiagnostics} from '../../errors.js'
import {readYaml, type YamlDocument} from '../../yaml/read-yaml.js'
import {isTemplate} from './charts.js'
import {jsonObjectsIn} from './json-stream.js'
import type {UnreadObjects, UsageFile} from './used-object.js'
import {errorBesideTemplates} from './template-text.js'

/** A List of all objects of a cluster has more values than a file of a package. */
const ROOM = 10

/** Reports whether bytes are text in UTF-8. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

/** The documents of a file, or why it is not read. */
type FileDocuments =
  | {readonly documents: readonly YamlDocument[]}
  | {readonly isFailure: boolean; readonly unread: UnreadObjects}

/**
 * Reads the documents of a file. A template has none, and a file that cannot be read is a failure.
 * @param charts - the folders of charts, as of `chartFolders`.
 */
export function documentsOf(file: UsageFile, charts: readonly string[]): FileDocuments {
  const {path, bytes} = file
  const template = (reason: string) => ({isFailure: false, unread: {file: path, reason}})
  if (isTemplate(path, charts)) return template('it is a template of a Helm chart')
  try {
    return {documents: readFile(file)}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const rest = isText(bytes) ? errorBesideTemplates(file, readFile) : error
    if (rest === undefined) return template('it is a template')
    return {isFailure: true, unread: failureOf(rest, path)}
  }
}

/** Of JSON objects one after another, kubectl applies each; as YAML, they are one document with an error. */
function readFile({path, bytes}: UsageFile): readonly YamlDocument[] {
  try {
    return readYaml(bytes, path, {room: ROOM})
  } catch (error) {
    const parts = jsonObjectsIn(Buffer.from(bytes).toString())
    if (parts.length < 2) throw error
    return parts.flatMap(({text, lines}) => readPart(text, path, lines))
  }
}

/** Reads a part of a file that has some lines before it. */
function readPart(text: string, file: string, lines: number): readonly YamlDocument[] {
  try {
    return readYaml(Buffer.from(text), file, {room: ROOM}).map(document => movedBy(document, lines))
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    throw withDiagnostics(
      error,
      error.diagnostics.map(one => (one.line === undefined ? one : {...one, line: one.line + lines})),
    )
  }
}

function movedBy(document: YamlDocument, lines: number): YamlDocument {
  const {line, duplicateKeys} = document
  return {
    ...document,
    line: line + lines,
    duplicateKeys: duplicateKeys.map(key => ({...key, line: key.line + lines})),
    lineOf: path => document.lineOf(path) + lines,
  }
}

function failureOf({message, diagnostics: [first]}: CrossplaneError, file: string): UnreadObjects {
  const reason = `it cannot be read: ${first?.message ?? message}`
  return {file, ...(first?.line === undefined ? {} : {line: first.line}), reason}
}
