import type {Plan} from './plan.js'

/**
 * A target of plans, such as an output folder. A pure function between the two methods makes every decision; it is
 * declared beside the type of the snapshot.
 */
export interface Target<Desired, Snapshot, Outcome> {
  /** Reads the state that planning for `desired` requires, once. Changes nothing. */
  observe(desired: Desired): Promise<Snapshot>
  /**
   * Executes the operations in order. Throws `output-refused` before the first change if a precondition no longer
   * holds; an operation whose result already exists is skipped, so that an interrupted run can be repeated.
   */
  apply(plan: Plan): Promise<Outcome>
}
