import type {PlanJudge} from '../../inspect/policy/package-judge.js'
import type {XpkgSet} from '../../render/xpkg/xpkg-set.js'
import type {XpkgSettings} from '../../render/xpkg/xpkg-settings.js'
import type {ReadRequest} from '../request/read-request.js'
import type {NotedSet, RenderQuery} from './render.js'

/** Settings of a command line for packages for a current Crossplane; absent ones have their defaults. */
export interface GivenXpkgSettings extends Partial<Omit<XpkgSettings, 'coreVersion' | 'own'>> {
  /** Whether the set has everything that Crossplane creates. */
  readonly expand?: boolean
}

/** A rendered query: the set of packages with `.registry/`, that of packages for a current Crossplane, or both. */
export interface RenderedSets {
  readonly stacks?: NotedSet
  readonly xpkgs?: DeclaredXpkgSet
}

/** A set that was judged, if the policy of the team rejects anything. */
export interface JudgedXpkgSet extends XpkgSet {
  readonly judgePlan?: PlanJudge
}

/** A set, and the declaration that requests it. */
type DeclaredXpkgSet = JudgedXpkgSet & Pick<ReadRequest, 'declaration'>

/** Judges a plan for sets by the policy of the team; undefined if it has nothing about plans. */
export function planJudgeOf({stacks, xpkgs}: RenderedSets): PlanJudge | undefined {
  const judges = [stacks?.judgePlan, xpkgs?.judgePlan].flatMap(judge => judge ?? [])
  if (judges.length === 0) return undefined
  return async plan => {
    for (const judge of judges) await judge(plan)
  }
}

/** A query for one package. */
export type PackageQuery = Extract<RenderQuery, {readonly kind: 'package'}>
