import type {SolverModel} from '../solver/solver-model.js'
import type {SolverInput} from '../solver-input.js'
import type {SelectedPackage, SatisfiedRequirement} from '../resolution.js'

/** An answer and what it was found from. */
export interface Answered {
  readonly model: SolverModel
  readonly input: SolverInput
  readonly packages: readonly SelectedPackage[]
  readonly roots: readonly SatisfiedRequirement[]
  /** The position of the selected version, by package. */
  readonly selected: ReadonlyMap<number, number>
}
