import type {Platform} from '../../fetch/platform.js'
import type {PackageIndex} from '../../index/package-index.js'
import type {ImageName} from '../../reference/image-name.js'
import type {PackageFolder, PackageSources} from './package-sources.js'
import type {RemotePackages} from './remote-repository.js'
import type {ReadSource} from './read-source.js'

/** The bytes of a package, and what is known of where they came from. */
export interface LocatedPackage extends ReadSource {
  /** How messages name it. */
  readonly name: string
  /** The folder, layout, archive or pinned reference that was read. */
  readonly readFrom: string
  readonly repositoryPath: string
  /** The reference it is pulled by; none for a folder or tarball without `asPackage`. */
  readonly reference?: ImageName
}

/** Where packages come from. */
export interface PackagePorts {
  readonly sources: PackageSources
  readonly folder?: PackageFolder
  /** Where names are looked up that the folder does not have. */
  readonly remote: RemotePackages
  /** Where is looked up, besides in the folder, which packages own what; the first before the others. */
  readonly indexes?: () => Promise<readonly PackageIndex[]>
  /** The registry, with or without a path, of names that name none. */
  readonly defaultSource?: string
  /** Which image of several to read. */
  readonly platform?: Platform
}

export interface LocateOptions extends PackagePorts {
  /** The identity of a local package: as if it were pulled from there. */
  readonly asPackage?: ImageName
}
