import {CrossplaneError} from '../errors.js'
import type {JsonValue} from '../yaml/json-value.js'
import {jsonEqual} from '../yaml/json-equal.js'
import type {Declaration} from './declaration.js'
import {readDeclaration} from './read-declaration.js'

/** A declaration as it is stored. */
export interface DeclarationFile {
  /** The file's name for messages. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Returns the text of a file. A byte order mark is kept like every other character. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes)
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
