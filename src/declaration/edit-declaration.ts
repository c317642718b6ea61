import {CrossplaneError} from '../errors.js'
import {formatImageName, parseImageName} from '../reference/image-name.js'
import type {JsonValue} from '../yaml/json-value.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {readYaml} from '../yaml/read-yaml.js'
import type {Declaration} from './declaration.js'
import {readDeclaration} from './read-declaration.js'

/** A declaration as it is stored. */
export interface DeclarationFile {
  /** The file's name for messages. */
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * Returns the text of a declaration in which the package of an entry has another tag; every other character stays. Throws
 * `input-invalid` with the line where that cannot be done by replacing the reference: for aliases, escapes, block
 * scalars and a reference on a different line than its key.
 */
export function withTag(file: DeclarationFile, index: number, tag: string): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const before = declaration.packages[index]?.package ?? ''
  const after = formatImageName({...(parseImageName(before) ?? {path: before}), tag})
  const packages = declaration.packages.map((declaredPackage, at) =>
    at === index ? {...declaredPackage, package: after} : declaredPackage,
  )
  const line = lineOfPackage(file, index)
  const edited = replacements(file, line, {before, after}).find(text =>
    isDeclaration(text, {...declaration, packages}),
  )
  if (edited === undefined) throw notEditable(file, line, after)
  return edited
}

/** The line at which an entry of a declaration names its package, from 1. */
export function lineOfPackage({name, bytes}: DeclarationFile, index: number): number {
  return readYaml(bytes, name)[0]?.lineOf(['packages', index, 'package']) ?? 1
}

/** In a line with more of them, a comment can make the search slow. */
const MAX_REPLACEMENTS = 8

/** The texts of a file in which one occurrence of a text within a line is replaced. */
function replacements(
  {bytes}: DeclarationFile,
  line: number,
  {before, after}: {readonly before: string; readonly after: string},
): readonly string[] {
  const text = textOf(bytes)
  const {start, end} = rangeOfLine(text, line)
  const edited: string[] = []
  for (let at = text.indexOf(before, start); at !== -1 && at < end; at = text.indexOf(before, at + 1)) {
    if (edited.length === MAX_REPLACEMENTS) break
    edited.push(text.slice(0, at) + after + text.slice(at + before.length))
  }
  return edited
}

/** Returns the text of a file. A byte order mark is kept like every other character. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes)
}

/** The offsets of a line, counted from 1, with the line breaks of `sourceText`. */
function rangeOfLine(text: string, line: number): {readonly start: number; readonly end: number} {
  const breaks = [...text.matchAll(/\r\n?|\n/g)]
  const before = breaks[line - 2]
  return {
    start: before === undefined ? 0 : before.index + before[0].length,
    end: breaks[line - 1]?.index ?? text.length,
  }
}

/** Reports whether a text is read as exactly this declaration. */
export function isDeclaration(text: string, expected: Declaration): boolean {
  try {
    return jsonEqual(plain(readDeclaration('', Buffer.from(text))), plain(expected))
  } catch (error) {
    if (error instanceof CrossplaneError) return false
    throw error
  }
}

/** Returns the declaration without fields that are undefined. */
function plain(declaration: Declaration): JsonValue {
  return JSON.parse(JSON.stringify(declaration)) as JsonValue
}

function notEditable({name}: DeclarationFile, line: number, reference: string): CrossplaneError {
  const message = 'only a reference in plain text or in quotes, on the line of its key, can be edited'
  const field = 'package'
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: [{severity: 'error', rule: 'declaration-edit', message, file: name, line, field}],
    suggestions: [`Edit line ${line} of ${name} by hand: ${reference}`],
  })
}
