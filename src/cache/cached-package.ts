import type {Digest} from '../fetch/image.js'
import type {Platform} from '../fetch/platform.js'
import type {Repository} from '../reference/repository.js'
import type {PackageFile} from '../unpack/package-file.js'

/** The files of the package in one image, with its metadata. */
export interface CachedPackage {
  /** The digest that a reference is pinned to: that of the index if there is one, else of the manifest. */
  readonly digest: Digest
  /** The requested platform. */
  readonly platform: Platform
  /** The repository that it was pulled from first; another one may have it too. */
  readonly repository: Repository
  /** The tag that the image itself records. */
  readonly tag?: string
  readonly files: readonly PackageFile[]
  /** Of a package for a current Crossplane, whose file is its stream: the number of layers that are marked. */
  readonly baseLayers?: number
  /** The files of its examples; absent if these were not read. */
  readonly examples?: readonly PackageFile[]
}
