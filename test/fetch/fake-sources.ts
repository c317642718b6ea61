import type {Blob} from '../../src/fetch/image.js'
import type {SourceFile, SourceFiles} from '../../src/fetch/source-files.js'
import {OCI, part} from './image-parts.js'

/** Bytes in chunks of a size, delivered one by one. */
export async function* chunked(
  bytes: Uint8Array,
  size = 64 * 1024,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

/** A file in memory. */
export function memoryFile(name: string, bytes: Uint8Array, chunk?: number): SourceFile {
  return {
    name,
    size: bytes.length,
    read: (start = 0, end = bytes.length) => chunked(bytes.subarray(start, end), chunk),
  }
}

/** A directory in memory, by path. */
export function memoryFiles(name: string, files: Readonly<Record<string, string | Uint8Array>>): SourceFiles {
  return {
    name,
    file: path => {
      const content = files[path]
      return Promise.resolve(content === undefined ? undefined : memoryFile(path, Buffer.from(content)))
    },
  }
}

/** A layer in memory. */
export function memoryLayer(bytes: Uint8Array, chunk?: number): Blob {
  const {descriptor} = part(OCI.layer, bytes)
  return {descriptor: {...descriptor, annotations: {}}, open: () => chunked(bytes, chunk)}
}

/** Everything that an iterable yields, in one buffer. */
export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
