import type {Allowance} from '../../fetch/allowance.js'
import {ByteCursor} from '../../fetch/byte-cursor.js'
import {SNIFF_BYTES, sniffCompression} from '../../fetch/compression.js'
import type {Blob} from '../../fetch/image.js'
import type {SourceLimits} from '../../fetch/source-limits.js'
import {CrossplaneError} from '../../errors.js'
import {GzipDamage, gunzip} from './gunzip.js'
import {ZstdDamage} from './zstd/zstd-damage.js'
import {ZstdWindowTooLarge, unzstd} from './zstd/unzstd.js'

/**
 * Decompresses a layer to its tar while it is read, regardless of its media type. Every byte is taken from
 * `allowance`, shared by all layers of an image. Throws `source-invalid` for damaged data, `limit-exceeded`,
 * `unsupported` for compressions that no registry serves. `holder` names the layer in errors.
 */
export async function* layerBytes(
  layer: Blob,
  holder: string,
  allowance: Allowance,
  limits: SourceLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const cursor = new ByteCursor(layer.open())
  try {
    for await (const chunk of decompressed(
      cursor,
      sniffCompression(await cursor.peek(SNIFF_BYTES)),
      holder,
      limits,
    )) {
      allowance.spend(chunk.length, holder)
      yield chunk
    }
  } catch (error) {
    throw explained(error, holder)
  } finally {
    await cursor.close()
  }
}

function decompressed(
  cursor: ByteCursor,
  compression: ReturnType<typeof sniffCompression>,
  holder: string,
  limits: SourceLimits,
): AsyncIterable<Uint8Array> {
  switch (compression) {
    case 'none':
      return cursor.rest()
    case 'gzip':
      return gunzip(cursor.rest())
    case 'zstd':
      return unzstd(cursor, limits.zstdWindowBytes)
    case 'xz':
    case 'bzip2':
      throw new CrossplaneError(
        'unsupported',
        `cannot read ${holder}: ${compression} is not supported, only gzip and zstd`,
      )
  }
}

function explained(error: unknown, holder: string): unknown {
  if (error instanceof ZstdWindowTooLarge) {
    return new CrossplaneError(
      'limit-exceeded',
      `cannot read ${holder}: decompression requires too much memory`,
      {
        cause: error,
      },
    )
  }
  if (!(error instanceof GzipDamage) && !(error instanceof ZstdDamage)) return error
  const format = error instanceof GzipDamage ? 'gzip' : 'zstd'
  return new CrossplaneError('source-invalid', `cannot read ${holder}: corrupt ${format} data`, {
    cause: error,
    suggestions: ['Fetch or build it again.'],
  })
}
