import type {ExportedIndex} from '../../pipeline/index/export-index.js'
import {count} from '../../text.js'
import {imageOutputs} from '../wire.js'
import {show} from '../shell/document/show.js'

/** Characters that are written at a time. */
const PIECE = 64 * 1024

/** Writes an index to a file, or to stdout where none is named. Throws `output-refused` and `output-failed`. */
export async function writeExport(
  {entries, withdrawn, lines}: ExportedIndex,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) {
    for await (const piece of pieces(lines)) await show(piece.toString())
    return
  }
  const target = (await imageOutputs()).file(file)
  await target.existing()
  await target.write(pieces(lines))
  const yanks = withdrawn === 0 ? '' : `, ${withdrawn} yanked`
  process.stderr.write(`${file}: ${count(entries, 'entry', 'entries')}${yanks}\n`)
}

/** Joins lines into chunks of that size. */
async function* pieces(lines: Iterable<string>): AsyncIterable<Buffer> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < PIECE) continue
    yield await Promise.resolve(Buffer.from(piece))
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}
