import {
  type PolicyCase,
  type PolicyInput,
  type PolicyTest,
  readPolicyTest,
} from '../../declaration/policy/read-policy-test.js'
import {readPolicyFile} from '../../declaration/policy/read-policy.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {type JudgedPackage, NO_PACKAGE, RULE_VARIABLES} from '../../inspect/policy/judged-package.js'
import {type JudgedPlan, writtenPlan} from '../../inspect/policy/judged-plan.js'
import {packageJudge, type PackageJudge} from '../../inspect/policy/package-judge.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {isLocalPath} from '../../reference/package-reference.js'
import {quoted} from '../../text.js'
import {asObject, isJsonArray, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {RequestPorts} from '../request/read-request.js'
import {withFullOwners} from '../request/team-policy.js'
import {judgedReference} from './judged-reference.js'

/** The result of a case. */
export interface PolicyCaseResult {
  readonly name: string
  readonly passed: boolean
  readonly expected: 'allowed' | 'denied'
  readonly got: 'allowed' | 'denied'
  /** Why it failed; absent if it passed. */
  readonly reason?: string
  /** What the policy rejects. */
  readonly violations: readonly Diagnostic[]
}

/** The ports for running the tests of a policy. */
export interface PolicyTestPorts extends Pick<RequestPorts, 'inputs' | 'rules'> {
  readonly packages: PackagePorts
}

/** Runs the tests of a file. Throws as reading the policy and the packages does. */
export async function testPolicy(file: string, ports: PolicyTestPorts): Promise<readonly PolicyCaseResult[]> {
  const {policy, cases} = await policyTestIn(file, ports)
  const {name, bytes} = await ports.inputs.read(ports.inputs.beside(file, policy), 'policy')
  const full = withFullOwners(readPolicyFile(name, bytes), ports.packages.defaultSource)
  const judge = await packageJudge(full, ports.rules)
  const results: PolicyCaseResult[] = []
  for (const one of cases) results.push(await testCase(one, file, judge, ports))
  return results
}

async function policyTestIn(file: string, {inputs}: PolicyTestPorts): Promise<PolicyTest> {
  const {name, bytes} = await inputs.read(file, 'FILE')
  return readPolicyTest(name, bytes)
}

async function testCase(
  {name, input, expect: expected, rules}: PolicyCase,
  file: string,
  judge: PackageJudge,
  ports: PolicyTestPorts,
): Promise<PolicyCaseResult> {
  const {judged, plan} = await judgedInput(input, file, ports)
  const violations = [
    ...(await judge.violations([judged])),
    ...(plan === undefined ? [] : await judge.violations([judged], plan)),
  ]
  const got = violations.length === 0 ? 'allowed' : 'denied'
  const reason = got === expected ? otherRules(rules, violations) : `want ${expected}, got ${got}`
  return {
    name,
    passed: reason === undefined,
    expected,
    got,
    ...(reason === undefined ? {} : {reason}),
    violations,
  }
}

/** A case that names rules is about these and no others. */
function otherRules(
  rules: readonly string[] | undefined,
  violations: readonly Diagnostic[],
): string | undefined {
  if (rules === undefined) return undefined
  const [want, got] = [[...new Set(rules)].sort(), [...new Set(violations.map(({rule}) => rule))].sort()]
  return want.join() === got.join() ? undefined : `want rules ${want.join(', ')}, got ${got.join(', ')}`
}

async function judgedInput(
  input: PolicyInput,
  file: string,
  {inputs, packages}: PolicyTestPorts,
): Promise<TestedInput> {
  if (input.kind === 'folder') return await judgedFolder(inputs.beside(file, input.folder), inputs)
  const {reference, ...others} = input
  const path = isLocalPath(reference) ? inputs.beside(file, reference) : reference
  const query = {reference: isLocalPath(reference) ? asPath(path) : path, ...others}
  return {judged: await judgedReference(query, packages)}
}

function asPath(path: string): string {
  return isLocalPath(path) ? path : `./${path}`
}

/** What a test has in place of a package. */
interface TestedInput {
  readonly judged: JudgedPackage
  readonly plan?: JudgedPlan
}

const VARIABLES = Object.keys(RULE_VARIABLES.types)

/** Reads a file for each variable, such as `images.yaml`; fields and variables that are missing are empty. */
async function judgedFolder(folder: string, inputs: PolicyTestPorts['inputs']): Promise<TestedInput> {
  const read = await Promise.all(
    VARIABLES.map(async variable => await variableIn(`${folder}/${variable}.yaml`, variable, inputs)),
  )
  const {plan, ...variables} = Object.fromEntries(read.flatMap(own => own ?? []))
  if (Object.keys(variables).length === 0 && plan === undefined) throw withoutVariables(folder)
  const pkg = {...NO_PACKAGE.pkg, ...asObject(variables['pkg'])}
  const judged = {...NO_PACKAGE, ...variables, pkg, isUnnamed: pkg.repository === ''}
  return {judged, ...(plan === undefined ? {} : {plan: writtenPlan(asObject(plan))})}
}

function withoutVariables(folder: string): CrossplaneError {
  const message = `cannot test with ${quoted(folder)}: it has none of the variables`
  return new CrossplaneError('not-found', message, {
    suggestions: [`Add ${VARIABLES.map(variable => `${variable}.yaml`).join(', ')}.`],
  })
}

async function variableIn(
  path: string,
  variable: string,
  inputs: PolicyTestPorts['inputs'],
): Promise<readonly (readonly [string, JsonValue])[] | undefined> {
  const file = await inputs.read(path, 'folder').catch((error: unknown) => {
    if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  })
  if (file === undefined) return undefined
  const [document] = readYaml(file.bytes, file.name)
  const value = document?.value ?? null
  const isRight = RULE_VARIABLES.types[variable] === 'map' ? isJsonObject(value) : isJsonArray(value)
  if (!isRight) {
    const kind = RULE_VARIABLES.types[variable] ?? ''
    throw new CrossplaneError('input-invalid', `cannot read ${path}: ${variable} is not a ${kind}`)
  }
  return [[variable, isJsonArray(value) ? value.map(item => withFields(item, variable)) : value]]
}

/** What a test leaves out of an item of a list is empty, as in `pkg`. */
function withFields(item: JsonValue, variable: string): JsonValue {
  const lists = [
    'apiGroups',
    'resources',
    'resourceNames',
    'nonResourceURLs',
    'verbs',
    'wide',
    'versions',
    'served',
  ]
  const empty = (RULE_VARIABLES.fields[variable] ?? []).map(
    field => [field, lists.includes(field) ? [] : ''] as const,
  )
  return isJsonObject(item) ? {...Object.fromEntries(empty), ...item} : item
}
