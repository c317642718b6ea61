import type {PackageJudge} from '../../inspect/policy/package-judge.js'
import type {Policy} from '../../declaration/policy/policy.js'
import type {ResolutionPolicy, SourcePolicy} from '../../resolve/packages/resolution-policy.js'

/** The settings that decide about a request: how packages are selected, and what is then judged. */
export interface RequestPolicy extends ResolutionPolicy {
  /** What the policies of teams say about sources and acceptance. */
  readonly teams?: readonly (SourcePolicy & Partial<Pick<Policy, 'reject'>>)[]
  /** Judges what is rendered; absent if the policy of the team rejects nothing. */
  readonly judge?: PackageJudge
}
