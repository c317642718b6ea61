import type {CrossplaneError} from '../../errors.js'
import type {XpkgDependency, XpkgObject} from '../../xpkg/content/xpkg.js'
import {derivedName} from '../../xpkg/package-name.js'

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
  readonly formerImage?: string
  readonly objects?: readonly XpkgObject[]
}

/** Port: the packages for a current Crossplane, by repository and by tag or digest. Each method can throw. */
export interface XpkgCatalog {
  tags(repository: string): Promise<readonly string[]>
  /** `version` is a tag or digest; a `digest` beside a tag names the bytes to read, also if the tag was moved. */
  read(repository: string, version: string, digest?: string): Promise<XpkgContent>
  /** The digest of a tag; undefined for a tag without one, and for one that does not exist. */
  digestOf(repository: string, tag: string): Promise<string | undefined>
  /** Why fewer versions are offered than exist, with the place of each reason: clauses such as `only the lock is read`. */
  narrowings?(repository: string): Promise<readonly string[]>
}

/** A package that the user requests; without a version and a constraint, the newest release. */
export interface XpkgRoot {
  readonly repository: string
  /** A tag or digest. */
  readonly version?: string
  /** The digest that a tag has to have. */
  readonly digest?: string
  /** A constraint on the version, in place of one. */
  readonly constraint?: string
  /** The name of its request, if the user gave it one. */
  readonly name?: string
  /** Why it is a root without a request of the user, after its name: `is installed`. */
  readonly because?: string
}

/** A version of a package: a tag or digest. */
export interface NamedXpkg {
  readonly repository: string
  readonly version: string
}

/** A value that was read, or the reason why it cannot be. */
export type Readable<Value> =
  | {readonly value: Value}
  | {
      readonly reason: string
      /** The error of a package that exists but may not be read, or not here: nothing else takes its place. */
      readonly error?: CrossplaneError
    }

/** What was read so far of one repository. */
export interface XpkgRepository {
  readonly tags: Readable<readonly string[]>
  /** By tag or digest. */
  readonly contents: ReadonlyMap<string, Readable<XpkgContent>>
  /** Of tags, as far as they were read; see `tagsToCompare`. */
  readonly digests: ReadonlyMap<string, string>
  /** The digests by which versions that were read require it. */
  readonly requiredDigests: ReadonlySet<string>
  /** Whether any of them requires it by a constraint. */
  readonly isConstrained: boolean
}

/** Returns the names, by repository, that users gave to requests and Crossplane would not derive. */
export function givenNames(
  roots: readonly Pick<XpkgRoot, 'repository' | 'name'>[],
): ReadonlyMap<string, string> {
  return new Map(
    roots.flatMap(({repository, name}) =>
      name === undefined || name === derivedName(repository) ? [] : [[repository, name] as const],
    ),
  )
}
