/** The names of the two eras of the package system, by the API that they have. */
export const ERA_NAMES = ['packages', 'stacks'] as const
export type EraName = (typeof ERA_NAMES)[number]
