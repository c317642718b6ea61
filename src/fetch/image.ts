/** `sha256:` and 64 hex digits. */
export type Digest = `sha256:${string}`

/**
 * One layer of an image, opened as often as its reader likes. `size` is in bytes as stored; sources that know none
 * (a docker-archive records no digest) leave `digest` out. The bytes that `open` yields were checked against digest
 * and size by the time the iteration ends: a mismatch throws `digest-mismatch` in place of the end.
 */
export interface Layer {
  readonly mediaType: string
  readonly size: number
  readonly digest?: Digest
  /** Its manifest says that all of `.registry/` is in it: see `REGISTRY_LAYER`. */
  readonly claimsWholeRegistry?: boolean
  open(): AsyncIterable<Uint8Array>
}

/** An immutable view of one image: what its manifest says, whichever of the sources it came from. */
export interface Image {
  /** The digest a reference can be pinned to: the index's if the source has one, else the manifest's. */
  readonly digest?: Digest
  /** The tag that the source itself records, such as a layout's `org.opencontainers.image.ref.name`. */
  readonly tag?: string
  readonly layers: readonly Layer[]
}
