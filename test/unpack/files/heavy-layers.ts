import {gzipSync} from 'node:zlib'
import type {Blob} from '../../../src/fetch/image.js'
import {TAR_END, member, tarHeader} from '../../fetch/raw-tar.js'

const MiB = 2 ** 20
const GiB = 2 ** 30

/** Layers that are small to write down and large to read. They are made while they are read, so cost no memory. */
export const HEAVY_LAYERS = {
  'a gzip bomb of 10 GB': () => gzipped(zerosIn('bomb', 10 * GiB)),
  'a zstd bomb of 10 GB': () => zstdOf(zerosIn('bomb', 10 * GiB)),
  'a bomb below .registry': () => gzipped(zerosIn('.registry/bomb', 10 * GiB)),
  'a gzip bomb behind the end of the tar': () => gzipped([TAR_END, {zeros: 10 * GiB}]),
  '2 GB of which .registry is 1 MB': () =>
    plain([...zerosIn('large', 2 * GiB), ...files(256, 4096), TAR_END]),
  '2 GB of zeros, compressed, of which .registry is 1 MB': () =>
    gzipped([...zerosIn('large', 2 * GiB), ...files(256, 4096), TAR_END]),
  '2 GB of zeros in four layers, of which .registry is 1 MB': () => [
    ...[1, 2, 3].map(number => gzipped([...zerosIn(`large-${number}`, 700 * MiB), TAR_END])),
    gzipped([...files(256, 4096), TAR_END]),
  ],
  '64 MiB below .registry': () => plain([...files(4, 16 * MiB), TAR_END]),
  '10,000 files of 6 KiB below .registry': () => plain([...files(10_000, 6 * 1024), TAR_END]),
  '80 MiB below .registry': () => plain([...files(5, 16 * MiB), TAR_END]),
  '100,000 files below .registry': () => plain(numbered(100_000, number => `.registry/${number}.yaml`)),
  '100,000 directories below .registry': () =>
    plain(numbered(100_000, number => `.registry/${number}/`, '5')),
  'three million entries': () => plain(same(3_000_000, 'usr/share/file')),
  '200,000 whiteouts of ten thousand files': () => plain(whiteouts()),
  'ten thousand links to one large file': () => plain(linksToOne()),
} satisfies Record<string, () => Blob | readonly Blob[]>

/** What layers are made of: bytes, and stretches of zeros too long to have at hand. */
type Piece = Uint8Array | {readonly zeros: number}
type Pieces = Iterable<Piece>

function zerosIn(name: string, size: number): Piece[] {
  return [tarHeader({name, size: sizeField(size)}), {zeros: size}]
}

/** Sizes from 8 GiB on do not fit octal digits: GNU writes them in base 256. */
function sizeField(size: number): number | string {
  if (size < 8 * GiB) return size
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(BigInt(size), 4)
  bytes[0] = 0x80
  return bytes.toString('latin1')
}

function files(count: number, size: number): Piece[] {
  return Array.from({length: count}, (_, number) =>
    member({name: `.registry/${number}.yaml`}, Buffer.alloc(size, 'a')),
  )
}

function* numbered(count: number, name: (number: number) => string, type = '0'): Generator<Piece> {
  for (let number = 0; number < count; number++) yield tarHeader({name: name(number), type})
  yield TAR_END
}

/** Entries of one name, which is an entry for each time. */
function* same(count: number, name: string): Generator<Piece> {
  const batch = Buffer.concat(new Array<Buffer>(1000).fill(tarHeader({name})))
  for (let left = count; left > 0; left -= 1000) yield batch
}

function* whiteouts(): Generator<Piece> {
  for (let number = 0; number < 9_999; number++) yield tarHeader({name: `.registry/${number}.yaml`})
  yield* same(200_000, '.wh..wh..opq')
  yield TAR_END
}

function* linksToOne(): Generator<Piece> {
  yield member({name: '.registry/large'}, Buffer.alloc(8 * MiB))
  for (let number = 0; number < 9_999; number++) {
    yield tarHeader({name: `.registry/${number}`, type: '2', linkName: 'large'})
  }
  yield TAR_END
}

// oxlint-disable-next-line typescript/require-await -- a source delivers asynchronously; this one has no reason to
async function* streamed(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/** Neither the size nor the digest of a heavy layer is known: nobody reads it to the end. */
function layer(mediaType: string, open: () => Iterable<Uint8Array>): Blob {
  const digest = `sha256:${'0'.repeat(64)}` as const
  return {descriptor: {mediaType, digest, size: 0, annotations: {}}, open: () => streamed(open())}
}

function plain(pieces: Pieces): Blob {
  return layer('application/vnd.oci.image.layer.v1.tar', () => bytesOf(pieces))
}

function* bytesOf(pieces: Pieces): Generator<Uint8Array> {
  const zeros = Buffer.alloc(MiB)
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece
    else for (let left = piece.zeros; left > 0; left -= MiB) yield zeros.subarray(0, Math.min(left, MiB))
  }
}

function gzipped(pieces: Pieces): Blob {
  return layer('application/vnd.oci.image.layer.v1.tar+gzip', () => gzip(pieces))
}

/** A member for every mebibyte: a gibibyte of zeros is one member again and again. */
function* gzip(pieces: Pieces): Generator<Uint8Array> {
  const zeros = gzipSync(Buffer.alloc(MiB))
  for (const chunk of batched(pieces)) yield chunk instanceof Uint8Array ? gzipSync(chunk, {level: 1}) : zeros
}

/** The same pieces in chunks of about a mebibyte, of exactly that for zeros. */
function* batched(pieces: Pieces): Generator<Piece> {
  let batch: Uint8Array[] = []
  let size = 0
  for (const piece of pieces) {
    const isZeros = !(piece instanceof Uint8Array)
    if (!isZeros) size += batch.push(piece) && piece.length
    if (batch.length > 0 && (isZeros || size >= MiB)) {
      yield Buffer.concat(batch)
      batch = []
      size = 0
    }
    if (isZeros) for (let left = piece.zeros; left > 0; left -= MiB) yield {zeros: MiB}
  }
  if (batch.length > 0) yield Buffer.concat(batch)
}

function zstdOf(pieces: Pieces): Blob {
  return layer('application/vnd.oci.image.layer.v1.tar+zstd', () => zstd(pieces))
}

const ZSTD_BLOCK = 128 * 1024

/** A frame with a window of 8 MiB, whose zeros are blocks of four bytes. It never ends; nobody reads so far. */
function* zstd(pieces: Pieces): Generator<Uint8Array> {
  const zeros = Buffer.concat(new Array<Buffer>(8).fill(zstdBlock(1, ZSTD_BLOCK, [0])))
  yield Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3])
  for (const chunk of batched(pieces)) {
    yield chunk instanceof Uint8Array ? zstdBlock(0, chunk.length, chunk) : zeros
  }
}

function zstdBlock(type: number, size: number, content: Iterable<number>): Buffer {
  const header = Buffer.alloc(3)
  header.writeUIntLE((size << 3) | (type << 1), 0, 3)
  return Buffer.concat([header, Buffer.from([...content])])
}
