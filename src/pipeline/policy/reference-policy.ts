import {readPolicyFile} from '../../declaration/policy/read-policy.js'
import {packageJudge} from '../../inspect/policy/package-judge.js'
import {expectSource} from '../../resolve/packages/source-policy.js'
import {type JudgedQuery, judgedReference} from './judged-reference.js'
import type {PolicyTestPorts} from './test-policy.js'

/** Judges a package by itself, also its source if it has a name. Throws `policy-refused`. */
export async function expectReferenceAllowed(
  file: string,
  query: JudgedQuery,
  {inputs, rules, packages}: PolicyTestPorts,
): Promise<void> {
  const {name, bytes} = await inputs.read(file, '--policy')
  const policy = readPolicyFile(name, bytes)
  const judge = await packageJudge(policy, rules)
  const judged = await judgedReference(query, packages)
  if (/^[^/]*[.:][^/]*\//.test(judged.pkg.repository)) expectSource(judged.pkg.repository, policy)
  await judge.expect([judged])
}
