import type {PackageJudge} from '../../inspect/policy/package-judge.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'

/** The settings that decide about a request: how packages are selected, and what is then judged. */
export interface RequestPolicy extends ResolutionPolicy {
  /** Judges what is rendered; absent if the policy of the team rejects nothing. */
  readonly judge?: PackageJudge
}
