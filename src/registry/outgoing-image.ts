import type {Descriptor} from '../fetch/descriptor.js'

/**
 * An image on its way to a registry, layout or archive. Blobs come before the manifests that name them, manifests
 * before the index that lists them; `root` describes the last manifest.
 */
export interface OutgoingImage {
  readonly blobs: readonly OutgoingBlob[]
  readonly manifests: readonly OutgoingManifest[]
  readonly root: Descriptor
}

/**
 * `open` begins anew at each call. `mountFrom` is a repository path of the same registry that has the blob already.
 * `isNew` is for a small blob that the repository hardly has: it is uploaded without a look.
 */
export interface OutgoingBlob {
  readonly descriptor: Descriptor
  readonly mountFrom?: string
  readonly isNew?: boolean
  open(): AsyncIterable<Uint8Array>
}

export interface OutgoingManifest {
  readonly descriptor: Descriptor
  readonly bytes: Uint8Array
}
