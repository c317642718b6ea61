import {oneChunk} from '../../http/one-chunk.js'
import {tarEnd, tarHeader, tarPadding} from '../build/tar-writer.js'

/** A file of an archive. */
export interface ArchiveMember {
  readonly path: string
  readonly size: number
  open(): AsyncIterable<Uint8Array>
}

/** The time of all members, in seconds since 1970. */
const TIME = 0

/** Writes an archive: the folders first, then the files in their order. */
export async function* archiveTar(
  folders: readonly string[],
  members: readonly ArchiveMember[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const path of folders) yield tarHeader({path, kind: 'directory', size: 0}, TIME)
  for (const member of members) {
    yield tarHeader({...member, kind: 'file'}, TIME)
    yield* member.open()
    yield tarPadding(member.size)
  }
  yield tarEnd()
}

/** Creates a member from bytes in memory. */
export function documentMember(path: string, bytes: Uint8Array): ArchiveMember {
  return {path, size: bytes.length, open: () => oneChunk(bytes)}
}
