import {Readable} from 'node:stream'
import {buffer} from 'node:stream/consumers'
import {extract} from 'tar-stream'

/** Returns the content of files of a tar archive by their paths; those that it does not contain are left out. */
export async function tarFiles(
  archive: Uint8Array,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const entries = Readable.from([archive]).pipe(extract())
  for await (const entry of entries) {
    if (paths.includes(entry.header.name)) files.set(entry.header.name, await buffer(entry))
    else entry.resume()
  }
  return files
}
