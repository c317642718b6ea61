import {type Zippable, zipSync} from 'fflate'
import {buffer} from 'node:stream/consumers'
import {pack} from 'tar-stream'
import {gzipped} from '../../src/author/build/gzip.js'

/** A file of an archive; `path` is relative, with `/` between segments. */
export interface ArchiveFile {
  readonly path: string
  readonly isProgram: boolean
  readonly content: Uint8Array
}

/** ZIP has no earlier time: 1980-01-01, in seconds since 1970. */
const FIRST_ZIP_TIME = 315_532_800

/** Returns a gzipped tar archive, which depends on the files and the time (in seconds since 1970) alone. */
export async function tarGz(files: readonly ArchiveFile[], time: number): Promise<Uint8Array> {
  const archive = pack()
  for (const {path, isProgram, content} of inOrder(files)) {
    archive.entry(
      {name: path, mode: modeOf(isProgram), uid: 0, gid: 0, mtime: new Date(time * 1000)},
      Buffer.from(content),
    )
  }
  archive.finalize()
  return gzipped([await buffer(archive)])
}

/** Returns a ZIP archive, which depends on the files and the time (in seconds since 1970) alone. */
export function zip(files: readonly ArchiveFile[], time: number): Uint8Array {
  const entries: Zippable = {}
  for (const {path, isProgram, content} of inOrder(files)) {
    const attrs = (0o100000 | modeOf(isProgram)) << 16
    entries[path] = [content, {mtime: localTime(Math.max(time, FIRST_ZIP_TIME)), os: 3, attrs, level: 6}]
  }
  return zipSync(entries)
}

function inOrder(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  return [...files].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}

function modeOf(isProgram: boolean): number {
  return isProgram ? 0o755 : 0o644
}

/** ZIP and fflate write the fields of local time: this is a time whose local fields are those of UTC. */
function localTime(time: number): Date {
  const utc = new Date(time * 1000)
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  )
}
