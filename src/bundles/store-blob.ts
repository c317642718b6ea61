import {createHash, type Hash} from 'node:crypto'
import {CrossplaneError} from '../errors.js'
import type {Descriptor} from '../fetch/image.js'
import type {SourceFile} from '../fetch/source-files.js'
import type {BlobFolder} from './blob-folder.js'

/** Opens the bytes of a blob from an offset on, unverified. */
export type OpenBlob = (start: number) => AsyncIterable<Uint8Array>

/** How a blob came into the folder, and how many bytes were read for it. */
export interface StoredBlob {
  readonly outcome: 'present' | 'continued' | 'stored'
  readonly read: number
}

/**
 * Stores a blob: what an earlier run has stored is verified and kept, the begin of a blob is continued. Throws
 * `digest-mismatch` if the source has other bytes.
 */
export async function storeBlob(
  descriptor: Descriptor,
  open: OpenBlob,
  folder: BlobFolder,
): Promise<StoredBlob> {
  const {digest, size} = descriptor
  const whole = await folder.complete(digest)
  if (whole !== undefined) {
    if (whole.size === size && (await hashOf(whole)).digest('hex') === hexOf(descriptor))
      return {outcome: 'present', read: 0}
    await folder.discard(digest)
  }
  const begin = await folder.partial(digest)
  if (begin !== undefined && begin.size > 0 && begin.size <= size) {
    if (await complete(descriptor, open, folder, begin))
      return {outcome: 'continued', read: size - begin.size}
  }
  await folder.discard(digest)
  if (await complete(descriptor, open, folder)) return {outcome: 'stored', read: size}
  throw new CrossplaneError('digest-mismatch', `the source of ${digest} has other bytes, or another size`, {
    suggestions: ['Run the command again; if that fails too, the source is corrupt.'],
  })
}

/** Reports whether the bytes are those of the descriptor; those that are not are removed. */
async function complete(
  descriptor: Descriptor,
  open: OpenBlob,
  folder: BlobFolder,
  begin?: SourceFile,
): Promise<boolean> {
  const {digest, size} = descriptor
  const hash = begin === undefined ? createHash('sha256') : await hashOf(begin)
  const start = begin?.size ?? 0
  const end = new End(size - start)
  if (start < size || begin === undefined) await folder.append(digest, end.pass(open(start), hash))
  if (end.isReached && hash.digest('hex') === hexOf(descriptor)) {
    await folder.finish(digest)
    return true
  }
  await folder.discard(digest)
  return false
}

/** Counts bytes, and stops after too many: a source without an end must not fill the disk. */
class End {
  #left: number

  constructor(size: number) {
    this.#left = size
  }

  get isReached(): boolean {
    return this.#left === 0
  }

  async *pass(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      this.#left -= chunk.length
      if (this.#left < 0) return
      hash.update(chunk)
      yield chunk
    }
  }
}

async function hashOf(file: SourceFile): Promise<Hash> {
  const hash = createHash('sha256')
  for await (const chunk of file.read()) hash.update(chunk)
  return hash
}

function hexOf({digest}: Descriptor): string {
  return digest.slice('sha256:'.length)
}
