import type {Diagnostic} from '../../diagnostic.js'
import type {Image} from '../../fetch/image.js'
import type {Era} from '../../render/era.js'

/** The package to build. */
export interface BuildQuery {
  /** The folder that is or contains `.registry/`. */
  readonly path: string
  readonly lint: boolean
  /** The era whose annotations metadata files become; absent to keep the files. */
  readonly bake?: Era
  /** In seconds since 1970. */
  readonly epoch?: number
  /** Of a package for a current Crossplane: the folder of examples in place of its own, and what is left out. */
  readonly examples?: string
  readonly ignore?: readonly string[]
  /** Folders beside the package that the image contains, such as the program of its controller. */
  readonly copies?: readonly FolderCopy[]
}

/** A folder, and its absolute path in the image. */
export interface FolderCopy {
  readonly from: string
  readonly to: string
}

/** An image that is not written yet. */
export interface BuiltImage {
  readonly image: Image
  /** The requested tag, otherwise the version if it is a valid tag. */
  readonly tag?: string
  /** The number of files of the package. */
  readonly files: number
  /** The folders beside the package whose files are in the image. */
  readonly folders: readonly string[]
  readonly warnings: readonly Diagnostic[]
  /** The name of a package for a current Crossplane in its metadata, which can be empty. */
  readonly xpkg?: {readonly name: string}
}
