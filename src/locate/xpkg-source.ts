import type {PackageFile} from '../unpack/package-file.js'

/** The form of a package for a current Crossplane. */
export interface XpkgSource {
  readonly form: 'folder' | 'image'
  /** The number of layers of the image that are marked as the package's. */
  readonly baseLayers?: number
  /** The files of its examples, if they were to be read. */
  readonly examples?: readonly PackageFile[]
  /** Why examples cannot be read: packages are installed without them. */
  readonly unreadExamples?: string
}
