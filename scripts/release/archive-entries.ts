import {unzipSync} from 'fflate'
import {Readable} from 'node:stream'
import {buffer} from 'node:stream/consumers'
import {gunzipSync} from 'node:zlib'
import {extract} from 'tar-stream'

/** A file of an archive, as it is read. */
export interface ArchiveEntry {
  readonly path: string
  /** The bits of permissions. */
  readonly mode: number
  readonly content: Uint8Array
}

/** Returns the files of a gzipped tar archive. */
export async function tarGzEntries(archive: Uint8Array): Promise<readonly ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for await (const entry of Readable.from([gunzipSync(archive)]).pipe(extract())) {
    const {name, mode} = entry.header
    entries.push({path: name, mode: mode & 0o777, content: await buffer(entry)})
  }
  return entries
}

const DIRECTORY_HEADER = 0x02014b50
const DIRECTORY_END = 0x06054b50

/** Returns the files of a ZIP archive without a comment. See APPNOTE.TXT of PKWARE, 4.3.12 and 4.3.16. */
export function zipEntries(archive: Uint8Array): readonly ArchiveEntry[] {
  const contents = unzipSync(archive)
  const bytes = Buffer.from(archive)
  const end = bytes.length - 22
  if (bytes.readUInt32LE(end) !== DIRECTORY_END) throw new Error('a ZIP archive has no end of its directory')
  const entries: ArchiveEntry[] = []
  for (let at = bytes.readUInt32LE(end + 16); at < end && bytes.readUInt32LE(at) === DIRECTORY_HEADER;) {
    const lengths = [28, 30, 32].map(field => bytes.readUInt16LE(at + field))
    const path = bytes.toString('utf8', at + 46, at + 46 + (lengths[0] ?? 0))
    const mode = (bytes.readUInt32LE(at + 38) >>> 16) & 0o777
    entries.push({path, mode, content: contents[path] ?? new Uint8Array()})
    at += 46 + lengths.reduce((sum, length) => sum + length, 0)
  }
  return entries
}
