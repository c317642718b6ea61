import type {ArtifactStore} from '../fetch/artifact-store.js'
import type {Digest} from '../fetch/image.js'
import type {SourceFile, SourceFiles} from '../fetch/source-files.js'
import type {ImageName} from '../reference/image-name.js'
import type {ArchiveReference} from '../reference/package-reference.js'
import type {PackageDirectory} from '../unpack/files/package-directory.js'

/** Reads local packages. */
export interface PackageSources {
  /** Opens a directory that is or contains `.registry/`. Throws `not-found`, as the others do. */
  directory(path: string): Promise<PackageDirectory>
  /** The files of a directory, such as an OCI layout, by path. */
  files(path: string): Promise<SourceFiles>
  /** One file, such as a tarball. */
  file(path: string): Promise<SourceFile>
}

/** A folder of packages: `<path>/<version>` or `<path>@<version>`, each a directory, a layout or a tarball. */
export interface PackageFolder {
  /**
   * The versions of one repository, in no order; none if there is no such package. A folder has paths without registries; a bundle
   * has full names, so that a name without a registry is on the default source, otherwise on docker.io.
   */
  versions(name: RepositoryPlace, defaultSource?: string): Promise<readonly FolderVersion[]>
  /** Every package in the folder, in no order. */
  all(): Promise<readonly (FolderVersion & {readonly repositoryPath: string})[]>
  /** The signatures of the images of a repository; absent, or undefined, if the folder has none. */
  artifacts?(repository: string, digest?: Digest): Promise<ArtifactStore | undefined>
  /** The digest of an image by its reference, of those that packages run. */
  digestOf?(reference: string): Promise<Digest | undefined>
}

/** A repository as it is written. */
type RepositoryPlace = Pick<ImageName, 'registry' | 'path'>

export interface FolderVersion {
  readonly tag: string
  readonly at: PackagePlace
  /** Whether it is recognized as a package for a current Crossplane by its name or files. */
  readonly isXpkg?: boolean
  /** Whether there is only a folder with the name of a version. It is never selected; reading it is an error. */
  readonly isEmpty?: boolean
}

/** The versions that have a package, and that of the tag in any case. */
export function withPackages<T extends FolderVersion>(versions: readonly T[], tag?: string): readonly T[] {
  return versions.filter(version => version.isEmpty !== true || version.tag === tag)
}

/** The place of a package; the kind of a tarball is detected, and a bundle is open, with the bundles that it adds to. */
export type PackagePlace =
  | {readonly kind: 'directory'; readonly path: string}
  | {readonly kind: 'tarball'; readonly path: string}
  | {readonly kind: 'bundle'; readonly path: string; readonly tag: string; readonly layout: SourceFiles}
  | ArchiveReference
