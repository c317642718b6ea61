import type {OwnerRule} from '../../resolve/solver-input.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'

/** A query for a resolution, as data: the files and packages that it names have not been read. */
export type RequestQuery = WholeQuery | NamedQuery

/** All packages that a declaration lists. */
interface WholeQuery extends CommonQuery {
  readonly kind: 'declaration'
  readonly file: string
}

/** Packages, or those that provide CRDs; of one namespace. */
interface NamedQuery extends CommonQuery {
  readonly kind: 'install'
  readonly requested: readonly RequestedInstall[]
}

interface CommonQuery {
  readonly settings: ResolutionSettings
  /** The lock to keep to, if any. */
  readonly lock?: LockQuery
}

/** The settings of the command line; where one is absent, that of the declaration applies. */
export interface ResolutionSettings {
  readonly owners: readonly OwnerRule[]
  /** The file with the policy of a team. */
  readonly policy?: string
  readonly assume: {
    /** CRDs by name. */
    readonly crds: readonly string[]
    /** Files with CRDs; `-` is standard input. */
    readonly files: readonly string[]
  }
  readonly crossplane: {
    /** The Crossplane release whose own CRDs exist. */
    readonly release: string
    /** Whether a flag names it; a release of the environment, or the default, is less than that of a declaration. */
    readonly isGiven: boolean
  }
  /** The version of Crossplane that reads the constraints of packages for a current one. */
  readonly coreVersion?: string
  readonly defaultSource?: string
  readonly systemNamespace?: string
  readonly dependencyNamespace?: string
  /** The namespace of Namespaced packages that are requested without one: that of a kubeconfig's context. */
  readonly contextNamespace?: string
  readonly allowVersionMismatch: boolean
  /** In milliseconds. */
  readonly solveTimeout: number
  /** Whether packages are only removed: a policy judges the plan then, and not the packages that stay. */
  readonly isRemoval?: boolean
  /** The names of the flags of a command line: those that none of its packages has are rejected. */
  readonly flagNames?: ReadonlySet<string>
}

/** A lock file to read. */
export interface LockQuery {
  readonly file: string
  readonly otherwise: HeldLock['otherwise']
  /** Whether a missing file is the same as no lock. */
  readonly isOptional: boolean
  /** Whether the signatures that the lock records count without being read. */
  readonly isTrusted?: boolean
  /** The command that writes it. */
  readonly remedy: string
  /** The declaration that it belongs to: if that is missing, it is what the user has to correct. */
  readonly declaration?: string
}
