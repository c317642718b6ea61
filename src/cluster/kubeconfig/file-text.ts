import {CrossplaneError} from '../../errors.js'
import {escaped} from '../../text.js'
import type {ConnectionFiles} from './ports.js'

/** Reads a file that a field names; undefined, with a message, where it cannot be read. */
export async function fileText(
  files: ConnectionFiles,
  field: string,
  path: string,
  messages: string[],
): Promise<string | undefined> {
  try {
    const bytes = await files.read(path)
    if (bytes !== undefined) return Buffer.from(bytes).toString('latin1')
    messages.push(`${field} ${escaped(path)}: no such file or directory`)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    messages.push(`${field}: ${error.message}`)
  }
  return undefined
}
