import type {SolverModel} from '../solver/solver-model.js'
import type {SolverInput} from '../solver-input.js'
import type {SelectedPackage, SatisfiedRequirement} from '../resolution.js'

/** A resolution and its input. */
export interface Answered {
  readonly model: SolverModel
  readonly input: SolverInput
  readonly packages: readonly SelectedPackage[]
  readonly roots: readonly SatisfiedRequirement[]
  /** The position of the selected version, by package. */
  readonly selected: ReadonlyMap<number, number>
}
