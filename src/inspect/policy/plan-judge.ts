import type {JudgedPlan} from './judged-plan.js'

/** Judges a plan by the policy of a team; absent if the policy has nothing about plans. Throws `policy-refused`. */
export type PlanJudge = (plan: JudgedPlan) => Promise<void>

/** Returns what asks several judges of plans, in their order; undefined if there is none. */
export function joinedPlanJudge(judges: readonly (PlanJudge | undefined)[]): PlanJudge | undefined {
  const own = judges.flatMap(judge => judge ?? [])
  if (own.length === 0) return undefined
  return async plan => {
    for (const judge of own) await judge(plan)
  }
}
