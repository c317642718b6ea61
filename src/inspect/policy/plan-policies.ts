import type {JudgedPlan} from './judged-plan.js'
import type {PlanPolicies} from './package-judge.js'

/** Joins the packages of several parts of a request, which have the same policies; undefined if no policy has anything about plans. */
export function joinedPolicies(parts: readonly (PlanPolicies | undefined)[]): PlanPolicies | undefined {
  const own = parts.flatMap(part => part ?? [])
  if (own.length === 0) return undefined
  const judges = new Set(own.flatMap(part => part.judges))
  return {judges: [...judges], packages: own.flatMap(part => part.packages)}
}

/** Throws `policy-refused` for what the first policy that rejects a plan has against it. */
export async function expectPlanAllowed({judges, packages}: PlanPolicies, plan: JudgedPlan): Promise<void> {
  for (const judge of judges) await judge.expectPlan(packages, plan)
}
