import type {Problem} from '../search/problem.js'
import type {Question} from '../question.js'
import type {ChosenPackage, MetNeed} from '../resolution.js'

/** What an answer was made of. */
export interface Answered {
  readonly problem: Problem
  readonly question: Question
  readonly packages: readonly ChosenPackage[]
  readonly roots: readonly MetNeed[]
  readonly chosen: ReadonlyMap<number, number>
}
