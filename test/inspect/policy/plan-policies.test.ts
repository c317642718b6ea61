import {expect, it} from '@jest/globals'
import {celEngine} from '../../../src/adapters/cel/cel-engine.js'
import {NO_PACKAGE} from '../../../src/inspect/policy/judged-package.js'
import {joinJudges, packageJudge} from '../../../src/inspect/policy/package-judge.js'
import {expectPlanAllowed, joinedPolicies} from '../../../src/inspect/policy/plan-policies.js'
import {present} from '../../outcome.js'

const PLAN = {target: 'git', operations: [], crds: []} as const

function policy(file: string, ...expressions: readonly string[]) {
  const rules = expressions.map((text, at) => ({
    ...{name: `r${at}`, line: at, message: text},
    expression: {text, line: at, indent: 0},
  }))
  return {file, owners: [], reject: {}, rules}
}

it('plans are judged by the engines that judged their packages: a policy has its time once', async () => {
  let opened = 0
  const open = () => Promise.resolve((opened++, celEngine()))
  const policies = [policy('a.yaml', 'plan.target != "git"'), policy('b.yaml', 'pkg.format == "stack"')]
  const judge = joinJudges(await Promise.all(policies.map(one => packageJudge(one, open))))
  const parts = [await judge.expect([NO_PACKAGE]), await judge.expect([NO_PACKAGE, NO_PACKAGE]), undefined]
  const joined = present(joinedPolicies(parts))
  expect(joined).toMatchObject({judges: [{}], packages: {length: 3}})
  await expectPlanAllowed(joined, {...PLAN, target: 'cluster'})
  await expect(expectPlanAllowed(joined, PLAN)).rejects.toMatchObject({
    code: 'policy-refused',
    message: 'cannot apply the plan: the policy a.yaml rejects it',
  })
  expect(opened).toBe(policies.length)
})
