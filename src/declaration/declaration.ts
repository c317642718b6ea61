import type {Mirrors} from '../reference/mirrors.js'
import type {PullPolicy} from '../reference/pull-policy.js'
import type {XpkgPin} from '../xpkg/pins.js'
import type {Acknowledged} from './acknowledged.js'
import type {LayoutSettings} from './layout-settings.js'
import type {RenderSettings} from './render-settings.js'
import type {Runtime} from './runtime/runtime.js'
import type {DeclaredXpkgSettings, RevisionPolicy} from './xpkg-settings.js'

/** The name of the file that commands look for without REF and `--declaration`. */
export const DECLARATION_FILE = 'crossplane-packages.yaml'

/** The packages that users request: the content of `crossplane-packages.yaml`. */
export interface Declaration {
  /** The registry, with or without a path, of packages without one. */
  readonly defaultSource?: string
  /** The mirrors of registries. */
  readonly registries: Mirrors
  /**
   * The indexes in which packages are looked up, in this order: repositories of indexes, or local paths relative to the
   * declaration's folder, as written.
   */
  readonly indexes: readonly string[]
  /** Namespace of Cluster packages. */
  readonly systemNamespace?: string
  /** Namespace of Namespaced packages that Cluster packages require. */
  readonly dependencyNamespace?: string
  /** The Crossplane release whose own CRDs are assumed to exist; `none` for a current one. */
  readonly crossplaneVersion?: string
  /** The version of Crossplane that reads the constraints of packages for a current one; without it, any. */
  readonly coreVersion?: string
  /**
   * Further CRDs that are assumed to exist: their names, or local paths of files with CRDs, relative to the
   * declaration's folder, as written.
   */
  readonly assume: readonly string[]
  /** The notes that are not printed again. */
  readonly acknowledged?: Acknowledged
  readonly render: RenderSettings
  /** How packages for a current Crossplane are rendered. */
  readonly xpkg?: DeclaredXpkgSettings
  /** How the rendered tree is laid out. */
  readonly tree: LayoutSettings
  /** The file with the policy of a team, relative to the declaration's folder, as written. */
  readonly policy?: string
  /** The policy of its base, which applies as well; relative to the folder of this declaration. */
  readonly basePolicy?: string
  /** The objects that the users of the packages have; absent if it names none. */
  readonly usage?: {
    /** Paths of files and folders, relative to the declaration's folder, as written. */
    readonly objects: readonly string[]
  }
  /** Why packages are not updated, by repository. */
  readonly hold?: Readonly<Record<string, string>>
  /** The trusted owners of API groups; `group` is a group, or `*.` and a suffix of groups. */
  readonly owners: readonly {readonly group: string; readonly package: string}[]
  /** Its own entries and, after them, those of its base that it neither replaces nor removes. */
  readonly packages: readonly DeclaredPackage[]
}

/** One requested install: a package, or the package that provides a CRD. */
export interface DeclaredPackage {
  readonly package?: string
  /** A semver range, or for a current Crossplane a constraint: the newest stable version of the package within it. */
  readonly version?: string
  readonly crd?: string
  readonly namespace?: string
  readonly name?: string
  /** How a package for a current Crossplane is pinned, in place of `xpkg.pin`. */
  readonly pin?: XpkgPin
  /** Whether it is being uninstalled: the controller stays, and CRDs are no longer claimed. Only of rendered files. */
  readonly draining?: boolean
  /** Whether its objects are removed, except for the CRDs. */
  readonly crdsOnly?: boolean
  readonly parameters: DeclaredParameters
  /** How its controller runs; without it, as the package says. */
  readonly runtime?: Runtime
}

export interface DeclaredParameters {
  readonly source?: string
  readonly imagePullPolicy?: PullPolicy
  readonly imagePullSecrets: readonly string[]
  readonly serviceAccountAnnotations: Readonly<Record<string, string>>
  /** Of packages for a current Crossplane; takes precedence over that of all. */
  readonly revisionActivationPolicy?: RevisionPolicy
  /** As `revisionActivationPolicy`. */
  readonly revisionHistoryLimit?: number
  /** The name of a DeploymentRuntimeConfig that the cluster has. */
  readonly runtimeConfig?: string
  /** Whether Crossplane ignores the request. */
  readonly paused?: boolean
}
