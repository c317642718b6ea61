import type {Lock} from '../declaration/lock.js'
import type {FileLosses} from '../plan/folder/with-losses.js'
import type {JsonValue} from '../yaml/json-value.js'
import type {JudgedCrdChange} from '../inspect/policy/judged-plan.js'
import type {PlanPolicies} from '../inspect/policy/package-judge.js'
import {joinedPolicies} from '../inspect/policy/plan-policies.js'
import type {XpkgSet} from '../render/xpkg/xpkg-set.js'
import type {XpkgSettings} from '../render/xpkg/xpkg-settings.js'
import type {ReadRequest} from '../pipeline/request/read-request.js'
import type {InstallSet} from '../render/install-set.js'
import type {ChangedXpkgSet} from './xpkg/changed-set.js'
import type {RequestQuery, ResolutionSettings} from '../pipeline/request/request-query.js'
import type {RenderPackage} from './stack/render-package.js'
import type {ResolvedSet} from './stack/render-resolved.js'

/** A query for an install set, as data: the files and packages that it names have not been read. */
export type RenderQuery = FilesQuery | PackageQuery | ResolvedQuery

/** Install requests, records and CRDs in files. */
export interface FilesQuery {
  readonly kind: 'files'
  /** `-` is standard input. */
  readonly files: readonly string[]
  /** The namespace of objects without one. */
  readonly namespace?: string
  /** The namespace of requests for Cluster packages that have none, if `namespace` is absent too. */
  readonly systemNamespace: string
  readonly settings: ResolutionSettings
}

/** One package without its dependencies. */
export interface PackageQuery extends RenderPackage {
  readonly kind: 'package'
  /** The version of Crossplane that a package for a current Crossplane is for. */
  readonly coreVersion?: string
  /** Whether the dependencies of a package for a current Crossplane are left out. */
  readonly isAlone?: boolean
}

/** One package or a declaration with all dependencies. */
export interface ResolvedQuery {
  readonly kind: 'resolution'
  readonly query: RequestQuery
}

/** A set, with what its resolution says of it if there was one, and its declaration. */
export type NotedSet = InstallSet &
  Partial<
    Pick<
      ResolvedSet,
      'notes' | 'firstOwners' | 'ownerChanges' | 'signerChanges' | 'removed' | 'identities' | 'planPolicies'
    >
  > &
  Pick<ReadRequest, 'declaration'>

/** Settings of a command line for packages for a current Crossplane; absent ones have their defaults. */
export interface GivenXpkgSettings extends Partial<Omit<XpkgSettings, 'coreVersion' | 'own'>> {
  /** Whether the set has everything that Crossplane creates. */
  readonly expand?: boolean
}

/** A rendered query: the set of packages with `.registry/`, that of packages for a current Crossplane, or both. */
export interface RenderedSets {
  readonly stacks?: NotedSet
  readonly xpkgs?: DeclaredXpkgSet
  /** The settings that were used, as fields of a declaration by their paths. */
  readonly fields?: ReadonlyMap<string, JsonValue>
  /**
   * Reviews what changes where a tree has these texts before, by path: the tree has only the requests for xpkgs. The repositories of
   * packages that are reviewed elsewhere can be left out.
   */
  readonly treeReview?: (
    before: ReadonlyMap<string, string>,
    reviewed?: ReadonlySet<string>,
  ) => Promise<TreeReview>
}

/** A set that was judged, if the policy of the team rejects anything. */
export interface JudgedXpkgSet extends XpkgSet {
  /** By what a plan of the set is judged, if the policy of the team has anything about plans. */
  readonly planPolicies?: PlanPolicies
}

/** What new versions of the packages of a tree do. */
export interface TreeReview {
  readonly crds: readonly JudgedCrdChange[]
  readonly losses: readonly FileLosses[]
  /** How the packages change. */
  readonly xpkgs?: ChangedXpkgSet
  /** The files that are not YAML, as changes of anything; `crds` has them too. */
  readonly unreadable?: readonly JudgedCrdChange[]
  /** Adds the versions in which objects of the packages can be stored to a lock. */
  readonly remembering?: (lock: Lock) => Lock
}

/** A set, and the declaration that requests it. */
type DeclaredXpkgSet = JudgedXpkgSet & Pick<ReadRequest, 'declaration'>

/** Returns by what a plan for sets is judged; undefined if the policy of the team has nothing about plans. */
export function planPoliciesOf({stacks, xpkgs}: RenderedSets): PlanPolicies | undefined {
  return joinedPolicies([stacks?.planPolicies, xpkgs?.planPolicies])
}
