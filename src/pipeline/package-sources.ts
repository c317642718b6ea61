import type {Image} from '../fetch/image.js'
import type {ArchiveReference} from '../reference/package-reference.js'
import type {RegistryFile} from '../unpack/registry-file.js'

/** Where packages are read from on this machine. */
export interface PackageSources {
  /** The files below `.registry/` of a directory that is one or holds one. */
  directory(path: string): Promise<readonly RegistryFile[]>
  /** The image that a layout or tarball holds. */
  image(reference: ArchiveReference): Promise<Image>
}

/** A folder of packages: `<path>/<version>` or `<path>@<version>`, each a directory, a layout or a tarball. */
export interface PackageFolder {
  /** The versions of one repository path, in no order; none if the folder has no such package. */
  versions(repositoryPath: string): Promise<readonly FolderVersion[]>
  /** Every package in the folder, in no order. */
  all(): Promise<readonly (FolderVersion & {readonly repositoryPath: string})[]>
}

export interface FolderVersion {
  readonly tag: string
  readonly at: {readonly kind: 'directory'; readonly path: string} | ArchiveReference
}
