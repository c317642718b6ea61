import type {Problem} from '../solver/problem.js'
import type {Question} from '../question.js'
import type {SelectedPackage, SatisfiedRequirement} from '../resolution.js'

/** What an answer was made of. */
export interface Answered {
  readonly problem: Problem
  readonly question: Question
  readonly packages: readonly SelectedPackage[]
  readonly roots: readonly SatisfiedRequirement[]
  readonly selected: ReadonlyMap<number, number>
}
