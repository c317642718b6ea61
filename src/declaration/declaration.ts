import type {Mirrors} from '../reference/mirrors.js'
import type {PullPolicy} from '../reference/pull-policy.js'

/** What a person wants to have installed: the content of crossplane-packages.yaml. */
export interface Declaration {
  /** Registry, with or without a path, of packages that name none. */
  readonly defaultSource?: string
  /** Where the bytes of a registry really come from. */
  readonly registries: Mirrors
  /**
   * Where packages are looked up, in this order: repositories of indexes, or what `isLocalPath` takes, as it was written,
   * from the folder of the declaration on.
   */
  readonly indexes: readonly string[]
  /** Namespace of Cluster packages. */
  readonly systemNamespace?: string
  /** Namespace of Namespaced packages that Cluster ones need. */
  readonly dependencyNamespace?: string
  /** Whom the reader trusts with groups: `group` is one, or `*.` and what groups end in. */
  readonly owners: readonly {readonly group: string; readonly package: string}[]
  readonly packages: readonly DeclaredPackage[]
}

/** One install that is wanted: either a package or whatever package defines a CRD. */
export interface DeclaredPackage {
  readonly package?: string
  readonly crd?: string
  readonly namespace?: string
  readonly name?: string
  readonly parameters: DeclaredParameters
}

export interface DeclaredParameters {
  readonly source?: string
  readonly imagePullPolicy?: PullPolicy
  readonly imagePullSecrets: readonly string[]
  readonly serviceAccountAnnotations: Readonly<Record<string, string>>
}
