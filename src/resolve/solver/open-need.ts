import {type Problem, ROOT} from './problem.js'
import type {CrdNeed} from '../requirement.js'

/** A need of what was chosen whose owner nobody has decided on. */
export interface OpenRequirement {
  readonly node: number
  readonly position: number
  readonly need: CrdNeed
  readonly candidates: readonly string[]
}

/** Those of an answer, in the order in which it was found. */
export function openRequirements(problem: Problem, selected: ReadonlyMap<number, number>): OpenRequirement[] {
  return [[ROOT, 0] as const, ...selected].flatMap(([node, position]) =>
    problem
      .demands(node, position)
      .flatMap(({requirement, outcome}) =>
        outcome.kind === 'ambiguous' && requirement.form === 'crd'
          ? [{node, position, need: requirement, candidates: outcome.candidates}]
          : [],
      ),
  )
}
