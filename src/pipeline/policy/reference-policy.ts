import {readPolicyFile} from '../../declaration/policy/read-policy.js'
import {packageJudge} from '../../inspect/policy/package-judge.js'
import {expectSource} from '../../resolve/packages/source-policy.js'
import {withFullOwners} from '../request/team-policy.js'
import type {GivenPackage} from '../../locate/locate-package.js'
import {judgedReference} from './judged-reference.js'
import type {PolicyTestPorts} from './test-policy.js'

/** Judges a package by itself, also its source if it has a name. Throws `policy-refused`. */
export async function expectReferenceAllowed(
  file: string,
  query: GivenPackage,
  {inputs, rules, packages}: PolicyTestPorts,
): Promise<void> {
  const {name, bytes} = await inputs.read(file, '--policy')
  const policy = withFullOwners(readPolicyFile(name, bytes), packages.defaultSource)
  const judge = await packageJudge(policy, rules)
  const judged = await judgedReference(query, packages)
  if (judged.isUnnamed !== true) expectSource(judged.pkg.repository, [policy])
  await judge.expect([judged])
}
