import type {JudgedPlan} from './judged-plan.js'
import type {PlanPolicies} from './package-judge.js'
import type {RuleEngine} from './rule-engine.js'

/** Joins the packages of several parts of a request, which have the same policies; undefined if no policy has anything about plans. */
export function joinedPolicies(parts: readonly (PlanPolicies | undefined)[]): PlanPolicies | undefined {
  const own = parts.flatMap(part => part ?? [])
  if (own.length === 0) return undefined
  const policies = new Set(own.flatMap(part => part.policies))
  return {policies: [...policies], packages: own.flatMap(part => part.packages)}
}

/** Throws `policy-refused` for what the first policy that rejects a plan has against it. */
export async function expectPlanAllowed(
  {policies, packages}: PlanPolicies,
  plan: JudgedPlan,
  rules: () => Promise<RuleEngine>,
): Promise<void> {
  // Loaded here: few policies have anything about plans.
  const {packageJudge} = await import('./package-judge.js')
  for (const policy of policies) await (await packageJudge(policy, rules)).expectPlan(packages, plan)
}
