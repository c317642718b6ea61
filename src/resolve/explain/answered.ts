import type {SolverModel} from '../solver/solver-model.js'
import type {SolverInput} from '../solver-input.js'
import type {SelectedPackage, SatisfiedRequirement} from '../resolution.js'

/** What an answer was made of. */
export interface Answered {
  readonly model: SolverModel
  readonly input: SolverInput
  readonly packages: readonly SelectedPackage[]
  readonly roots: readonly SatisfiedRequirement[]
  readonly selected: ReadonlyMap<number, number>
}
