const MiB = 1024 * 1024

/** The limits of a bundle: they bound memory and time for a hostile one. Sizes are in bytes. */
export const BUNDLE_LIMITS = Object.freeze({
  /** The description of a bundle, its declaration, its lock, or its part of an index. */
  partBytes: 32 * MiB,
  /** Images that a bundle lists. */
  references: 10_000,
  /** Manifests and indexes of all images, together. */
  documents: 50_000,
  /** The same in bytes, which are kept in memory while a bundle is written. */
  documentBytes: 256 * MiB,
  /** Indexes within indexes. */
  indexDepth: 4,
})
