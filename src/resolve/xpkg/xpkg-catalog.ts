import type {XpkgDependency, XpkgObject} from '../../xpkg/content/xpkg.js'

/** The part of a version of a package that resolution needs. */
export interface XpkgContent {
  readonly kind: string
  /** The constraint on the version of Crossplane. */
  readonly crossplane?: string
  readonly dependencies: readonly XpkgDependency[]
  /** Absent for a package in a folder. */
  readonly digest?: string
  /** What rendering needs besides; absent where only dependencies are read. */
  readonly capabilities?: readonly string[]
  readonly objects?: readonly XpkgObject[]
}

/** Port: the packages for a current Crossplane, by repository and by tag or digest. Each method can throw. */
export interface XpkgCatalog {
  tags(repository: string): Promise<readonly string[]>
  read(repository: string, version: string): Promise<XpkgContent>
}

/** A package that the user requests; without a version, the newest release. */
export interface XpkgRoot {
  readonly repository: string
  /** A tag or digest. */
  readonly version?: string
}

/** A value that was read, or the reason why it cannot be. */
export type Readable<Value> = {readonly value: Value} | {readonly reason: string}

/** What was read so far of one repository. */
export interface XpkgRepository {
  readonly tags: Readable<readonly string[]>
  /** By tag or digest. */
  readonly contents: ReadonlyMap<string, Readable<XpkgContent>>
}
