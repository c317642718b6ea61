const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB

/**
 * The limits of a package source; reading beyond them fails with `limit-exceeded`. Sizes are in bytes. Real packages
 * stay far below all of these: the limits bound memory and time for hostile ones.
 */
const limits = {
  /** A manifest or index, which is read into memory; registries reject larger ones, too. */
  manifestBytes: 4 * MiB,
  /** Indexes within indexes: two are seen in practice, and each costs a request. */
  indexDepth: 4,
  /** As many layers as overlay filesystems can stack, so an image with more runs nowhere. */
  layers: 127,
  /** All layers of an image, decompressed: limits the time for a decompression bomb, since nothing of it is kept. */
  unpackedBytes: 4 * GiB,
  /** Headers in all tars of an image; a Linux distribution has some 100,000 files. Each takes some 10 µs. */
  tarHeaders: 500_000,
  /** One extended tar header (long names, pax records), which is read into memory. */
  tarHeaderBytes: 1 * MiB,
  /** The window of a zstd frame; up to twice this size is allocated for it. */
  zstdWindowBytes: 32 * MiB,
  /** Files and links below `.registry/`, counted in every layer. */
  files: 10_000,
  /** Directories below `.registry/`: without files they would use memory without being counted. */
  directories: 10_000,
  /** One file of a package. Kubernetes itself accepts no object above 1.5 MiB; icons are larger than CRDs. */
  fileBytes: 16 * MiB,
  /** All files below `.registry/`, which are kept in memory. */
  packageBytes: 64 * MiB,
  /** The `package.yaml` of a package for a current Crossplane: three times the size of the largest known one. */
  xpkgBytes: 64 * MiB,
  /** A path below `.registry/`, in bytes of UTF-8. */
  pathBytes: 1024,
  /** Segments of such a path; the walk over a package is recursive. */
  pathDepth: 32,
  /** Names of links outside of `.registry/`, which are kept to find entries that pass through one. */
  linkBytes: 32 * MiB,
  /** Segments followed to resolve one link, including further links on the way. */
  linkSteps: 256,
}

/** Limits with the names of `SOURCE_LIMITS`. */
export type SourceLimits = Readonly<Record<keyof typeof limits, number>>

/** The default limits of all readers of packages. */
export const SOURCE_LIMITS: SourceLimits = Object.freeze(limits)
