import type {XpkgDependency, XpkgObject} from '../../xpkg/content/xpkg.js'

/** One package of a set: a version of a repository, and the content that rendering needs. */
export interface ClosurePackage {
  readonly repository: string
  /** A tag or digest. */
  readonly version: string
  /** The digest of the version; absent for a package in a folder or an archive of Docker. */
  readonly digest?: string
  readonly kind: string
  readonly dependencies: readonly XpkgDependency[]
  readonly capabilities?: readonly string[]
  /** What a Crossplane before 2.0 runs in place of its image. */
  readonly formerImage?: string
  readonly objects?: readonly XpkgObject[]
}

/** Packages with all packages that they require, directly or not. */
export interface Closure {
  /** What was requested; the policy of a set has the name of the first one. */
  readonly roots: readonly {readonly repository: string}[]
  readonly packages: readonly ClosurePackage[]
  /** The names of their requests, by repository. */
  readonly names: ReadonlyMap<string, string>
  /** The tags of the repositories, as far as they were listed. */
  readonly tags?: ReadonlyMap<string, readonly string[]>
}
