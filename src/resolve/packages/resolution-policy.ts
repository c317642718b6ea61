import type {Acknowledged} from '../../declaration/acknowledged.js'
import type {Policy} from '../../declaration/policy/policy.js'
import type {Fact} from '../facts.js'
import type {HeldLock} from '../lock/held-lock.js'
import type {Places} from '../placement.js'
import type {InstalledState} from '../requested/installed-package.js'
import type {PackageTrust} from '../../signatures/package-trust.js'
import type {CrossplaneReleases, OwnerRule} from '../solver-input.js'
import type {Budget} from '../solver/solver.js'

/** The part of a team's policy that holds for every package of a resolution. */
export type SourcePolicy = Pick<Policy, 'file' | 'contact' | 'sources' | 'limits'>

/** The settings that decide, apart from the request. */
export interface ResolutionPolicy extends Places {
  readonly facts: readonly Fact[]
  /** The release whose CRDs are among the facts, and what all releases provided. */
  readonly crossplane: CrossplaneReleases
  /** The version of Crossplane that reads the constraints of packages for a current one; without it, any. */
  readonly coreVersion?: string
  /** `identity` as the user wrote the repository. */
  readonly owners: readonly OwnerRule[]
  /** Registry of repositories without one (default: docker.io). */
  readonly defaultSource?: string
  readonly allowVersionMismatch: boolean
  /** The notes that the declaration acknowledges. */
  readonly acknowledged?: Acknowledged
  /** The content of the cluster that packages are resolved for. */
  readonly installed?: InstalledState
  /** The policies that apply, each by itself; their owners are among the others. */
  readonly teams?: readonly SourcePolicy[]
  /** Which packages are signed as the team requires; absent if it requires nothing. */
  readonly trust?: PackageTrust
  /** The lock to keep to. */
  readonly lock?: HeldLock
  readonly budget: Budget
}
