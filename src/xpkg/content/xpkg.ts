import type {Diagnostic} from '../../diagnostic.js'
import type {ObjectRole, XpkgKind} from './object-kinds.js'

/** The content of a package for a current Crossplane: one metadata object and the objects that it installs. */
export interface Xpkg {
  readonly kind: XpkgKind
  readonly apiVersion: string
  /** The name in its metadata, which the core ignores; often empty. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  /** The constraint on the core's version, as written. */
  readonly crossplane?: string
  readonly dependencies: readonly XpkgDependency[]
  readonly capabilities: readonly string[]
  /** What a Crossplane before 2.0 runs in place of the image of the package. */
  readonly formerImage?: string
  readonly objects: readonly XpkgObject[]
}

/** A dependency on another package. */
export interface XpkgDependency {
  /** The API version and kind of the request that the core creates for it. */
  readonly apiVersion: string
  readonly kind: string
  /** The repository with its registry, as written. */
  readonly package: string
  /** A constraint or a digest, as written. */
  readonly version: string
}

/** An object of a package, and its place. */
export interface XpkgObject {
  readonly role: ObjectRole
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly file: string
  readonly line: number
  /** The kind that a CRD, MRD or XRD defines, or that a Composition is for. */
  readonly defines?: DefinedKind
  /** The CRDs that a CRD, MRD or XRD leads to; an XRD with claims leads to two. */
  readonly crds?: readonly ServedKind[]
  /** The functions that the pipeline of a Composition or operation calls. */
  readonly functions: readonly FunctionStep[]
  /** Of a Composition. */
  readonly composes?: ComposedKinds
}

/** The kinds that a Composition composes, as far as they can be read. */
export interface ComposedKinds {
  readonly kinds: readonly {readonly group: string; readonly version: string; readonly kind: string}[]
  /** The functions of steps that can compose other kinds as well. */
  readonly unread: readonly string[]
}

/** A kind that an object defines. */
export interface DefinedKind {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly scope: string
  readonly versions: readonly string[]
}

/** A CRD that the API server will have. */
export interface ServedKind {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly scope: 'Cluster' | 'Namespaced'
  readonly served: readonly string[]
  readonly stored: string
}

/** A step of a pipeline. */
export interface FunctionStep {
  readonly function: string
  readonly line: number
}

/** Everything that could be read of a package, and its diagnostics in the order of its files. */
export interface XpkgExamination {
  /** The package, if it has exactly one metadata object that can be read. */
  readonly xpkg?: Xpkg
  /** Errors for which the core rejects the package as a whole. */
  readonly errors: readonly Diagnostic[]
  /** All other errors and warnings of the package. */
  readonly problems: readonly Diagnostic[]
}
