/** A zstd frame that breaks its own format. Caught where the source of the bytes is known, and named there. */
export class ZstdDamage extends Error {
  override readonly name = 'ZstdDamage'
}
