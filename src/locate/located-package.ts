import type {Platform} from '../fetch/platform.js'
import type {PackageIndex} from '../index/package-index.js'
import type {ImageName} from '../reference/image-name.js'
import type {PackageFolder, PackageSources} from './package-sources.js'
import type {RemotePackages} from './remote-repository.js'
import type {ReadOptions, ReadSource} from './read-source.js'

/** The files of a package, and their source. */
export interface LocatedPackage extends ReadSource {
  /** The name for messages. */
  readonly name: string
  /** The folder, layout, archive or pinned reference that was read. */
  readonly readFrom: string
  readonly repositoryPath: string
  /** The reference that it is pulled by; absent for a folder or archive without `asPackage`. */
  readonly reference?: ImageName
}

/** A package that a local source has; on docker.io, the repository has no host. */
export interface LocalName {
  readonly repository: string
  readonly tag?: string
}

/** Local sources that packages are not read from by their names, but that have names. */
export interface LocalNames {
  /** The packages in index files. */
  indexed(): Promise<readonly LocalName[]>
  /** The packages in the cache; slower than reading one of them. */
  cached(): Promise<readonly LocalName[]>
}

/** The sources of packages. */
export interface PackagePorts {
  readonly sources: PackageSources
  readonly folder?: PackageFolder
  /** The registries of packages that the folder does not have. */
  readonly remote: RemotePackages
  /** The indexes to look packages up in, in order of precedence. */
  readonly indexes?: () => Promise<readonly PackageIndex[]>
  /** The packages that the cache and indexes in files have; reads no network. */
  readonly localNames?: LocalNames
  /** The registry, with or without a path, of names without one. */
  readonly defaultSource?: string
  /** The platform to read of a multi-platform image. */
  readonly platform?: Platform
  /** Whether a version can be selected without being named; absent for all. The locked ones can always be. */
  readonly offers?: VersionOffer
  /** The digest that a tag is known to have, by identity: it is read without asking its registry; absent for none. */
  readonly digestOf?: (identity: string, tag: string) => string | undefined
}

/** Decides whether a version of a package, by identity and tag, can be selected. */
export type VersionOffer = (identity: string, tag: string) => boolean

export interface LocateOptions extends PackagePorts, ReadOptions {
  /** The identity of a local package, as if it were pulled from there. */
  readonly asPackage?: ImageName
}
