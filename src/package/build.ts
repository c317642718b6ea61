import type {BaseImage} from '../author/build/base-image.js'
import type {SourceControl} from '../author/build/source-control.js'
import type {SchemaRules} from '../crd/schema-rules.js'
import type {Diagnostic} from '../diagnostic.js'
import type {Image} from '../fetch/image.js'
import type {PackageSources} from '../locate/package-sources.js'
import type {Era} from '../render/era.js'
import type {PackageDirectory} from '../unpack/files/package-directory.js'
import type {TemplateChecks} from './lint.js'

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
  /** The name of the file that `crossplane xpkg build` would write; absent for an image that is not written so. */
  readonly fileName?: string
}

/** A folder to build, the tag that the image gets, and the image that it is built over. */
export interface BuildSource {
  readonly directory: PackageDirectory
  readonly tag: string | undefined
  readonly base: BaseImage | undefined
}

/** What a build reads besides its folder, and checks with. */
export interface BuildPorts {
  readonly sources: PackageSources
  readonly sourceControl: SourceControl
  /** Compiles rules in CEL; loaded for packages that have some. */
  readonly schemaRules: () => Promise<SchemaRules>
  /** Checks templates with their engine, as lint does. */
  readonly checkTemplates?: TemplateChecks
}
