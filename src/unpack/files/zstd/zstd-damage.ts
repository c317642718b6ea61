/** A zstd frame that violates its format. Caught where the source of the bytes is known, and named there. */
export class ZstdDamage extends Error {
  override readonly name = 'ZstdDamage'
}
