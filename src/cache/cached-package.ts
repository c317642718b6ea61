import type {Digest} from '../fetch/image.js'
import type {Platform} from '../fetch/platform.js'
import type {Repository} from '../reference/repository.js'
import type {PackageFile} from '../unpack/package-file.js'

/** The files below `.registry/` of one image, and what is known of it. */
export interface CachedPackage {
  /** What a reference is pinned to: the digest of the index if there is one, else of the manifest. */
  readonly digest: Digest
  /** The platform that was asked for. */
  readonly platform: Platform
  /** Where it was pulled from first; another repository may have it too. */
  readonly repository: Repository
  /** The tag that the image itself records. */
  readonly tag?: string
  readonly files: readonly PackageFile[]
}
