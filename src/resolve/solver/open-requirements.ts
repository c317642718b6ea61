import {type Constraints, ROOT} from './constraints.js'
import type {CrdRequirement} from '../requirement.js'

/** A requirement of a selected version whose owner no rule decides. */
export interface OpenRequirement {
  readonly node: number
  readonly position: number
  readonly requirement: CrdRequirement
  readonly candidates: readonly string[]
}

/** Lists those of a resolution, in the order in which it was found. */
export function openRequirements(
  model: Constraints,
  selected: ReadonlyMap<number, number>,
): OpenRequirement[] {
  return [[ROOT, 0] as const, ...selected].flatMap(([node, position]) =>
    model
      .demands(node, position)
      .flatMap(({requirement, outcome}) =>
        outcome.kind === 'ambiguous' && requirement.form === 'crd'
          ? [{node, position, requirement, candidates: outcome.candidates}]
          : [],
      ),
  )
}
