import type {DeclaredExpression, Policy} from '../../declaration/policy/policy.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {count, listSome} from '../../text.js'
import {builtInViolations, planViolations, type Violation} from './built-in-checks.js'
import {type JudgedPackage, judgedName, NO_PACKAGE, RULE_VARIABLES} from './judged-package.js'
import type {JudgedCrdChange, JudgedPlan} from './judged-plan.js'
import type {CompiledRule, ExpressionFault, RuleEngine, RuleVerdict} from './rule-engine.js'

/** Judges packages by the policy of a team. */
export interface PackageJudge {
  /**
   * Returns what the policy rejects of packages or, with a plan, what it rejects of the plan; empty for nothing. Throws
   * `limit-exceeded` for a rule that takes too much.
   */
  violations(packages: readonly JudgedPackage[], plan?: JudgedPlan): Promise<readonly Diagnostic[]>
  /** Throws `policy-refused` with all that the policy rejects. Returns by what a plan for the packages is judged, if by anything. */
  expect(packages: readonly JudgedPackage[]): Promise<PlanPolicies | undefined>
  /** Throws `policy-refused` with all that the policy rejects of a plan. */
  expectPlan(packages: readonly JudgedPackage[], plan: JudgedPlan): Promise<void>
  /** Throws `policy-refused` for what the fields of the policy reject of CRDs that a new lock changes. */
  expectCrds(crds: readonly JudgedCrdChange[]): void
}

/** What a judge looks at: packages and plans, or only the plans of changes that add no package. */
export type JudgedParts = 'all' | 'plans'

/**
 * The judges whose policies have something about plans, and what rules see of the packages of a plan. The judges are those of the packages: all
 * evaluations of a policy share its engine, and the time that it has.
 */
export interface PlanPolicies {
  readonly judges: readonly Pick<PackageJudge, 'expectPlan'>[]
  readonly packages: readonly JudgedPackage[]
}

/** What of a policy packages are judged by; owners are compared with full names of packages. */
export type JudgingPolicy = Pick<Policy, 'file' | 'owners' | 'reject' | 'rules' | 'contact'>

/**
 * Creates the judge of a policy. Throws `input-invalid` for rules that cannot be compiled,
 * with the place of each error.
 */
export async function packageJudge(
  policy: JudgingPolicy,
  openEngine: () => Promise<RuleEngine>,
  judges: JudgedParts = 'all',
): Promise<PackageJudge> {
  const {rules, reject} = policy
  const engine = rules.length === 0 ? undefined : await openEngine()
  const compiled = (await engine?.compile(rules.map(ruleTexts), RULE_VARIABLES)) ?? []
  expectCompiled(policy, compiled)
  const {ofPackages, ofPlans, ofPlanAlone} = ruleGroups(compiled)
  const verdicts = async (indexes: readonly number[], judged: JudgedPackage, plan?: JudgedPlan) => {
    const {isUnnamed: _unseen, ...seen} = judged
    const said = (await engine?.evaluate(indexes, JSON.stringify({...seen, plan}))) ?? []
    const own = said.flatMap((verdict, at) => ruleViolation(policy, indexes[at] ?? 0, verdict, judged))
    return own.map(violation => diagnosticOf(policy, violation, judged))
  }
  const ofPackage = async (judged: JudgedPackage) =>
    judges === 'plans'
      ? []
      : [
          ...builtInViolations(policy, judged).map(violation => diagnosticOf(policy, violation, judged)),
          ...(await verdicts(ofPackages, judged)),
        ]
  const ofFields = (plan: Pick<JudgedPlan, 'crds'>) =>
    planViolations(reject, plan).map(violation => diagnosticOf(policy, violation, NO_PACKAGE))
  const ofPlan = async (packages: readonly JudgedPackage[], plan: JudgedPlan) => [
    ...ofFields(plan),
    ...(await verdicts(ofPlanAlone, NO_PACKAGE, plan)),
    ...(await eachOf(packages, judged => verdicts(ofPlans, judged, plan))),
  ]
  const hasPlans = reject.crdChanges !== undefined || ofPlans.length + ofPlanAlone.length > 0
  const judge: PackageJudge = {
    violations: async (packages, plan) =>
      plan === undefined ? await eachOf(packages, ofPackage) : await ofPlan(packages, plan),
    expect: async packages => {
      const diagnostics = await eachOf(packages, ofPackage)
      if (diagnostics.length > 0) throw rejected(policy, diagnostics)
      return hasPlans ? {judges: [judge], packages} : undefined
    },
    expectPlan: async (packages, plan) => {
      const diagnostics = await ofPlan(packages, plan)
      if (diagnostics.length > 0) throw rejectedChange(policy, 'apply the plan', diagnostics)
    },
    expectCrds: crds => {
      const diagnostics = ofFields({crds})
      if (diagnostics.length > 0) throw rejectedChange(policy, 'write the lock', diagnostics)
    },
  }
  return judge
}

/** Returns the judge of several policies, all of which apply. The first that rejects something is named. */
export function joinJudges(judges: readonly PackageJudge[]): PackageJudge {
  return {
    violations: async (packages, plan) => {
      const all: Diagnostic[] = []
      for (const judge of judges) all.push(...(await judge.violations(packages, plan)))
      return all
    },
    expect: async packages => {
      const ofPlans: (PlanPolicies | undefined)[] = []
      for (const judge of judges) ofPlans.push(await judge.expect(packages))
      const ofAll = ofPlans.flatMap(own => own?.judges ?? [])
      return ofAll.length === 0 ? undefined : {judges: ofAll, packages}
    },
    expectPlan: async (packages, plan) => {
      for (const judge of judges) await judge.expectPlan(packages, plan)
    },
    expectCrds: crds => {
      for (const judge of judges) judge.expectCrds(crds)
    },
  }
}

/** One after the other: they share the time of a command. */
async function eachOf(
  packages: readonly JudgedPackage[],
  judge: (judged: JudgedPackage) => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  const all: Diagnostic[] = []
  for (const judged of packages) all.push(...(await judge(judged)))
  return all
}

/** Returns the indexes of rules without `plan`, of those that name it with other variables, and of those that name it alone. */
function ruleGroups(compiled: readonly CompiledRule[]) {
  const indexes = (isWanted: (uses: readonly string[]) => boolean) =>
    compiled.flatMap(({uses = []}, index) => (isWanted(uses) ? [index] : []))
  return {
    ofPackages: indexes(uses => !uses.includes('plan')),
    ofPlans: indexes(uses => uses.includes('plan') && uses.length > 1),
    ofPlanAlone: indexes(uses => uses.includes('plan') && uses.length === 1),
  }
}

function ruleTexts({expression, messageExpression}: Policy['rules'][number]) {
  return {
    expression: expression.text,
    ...(messageExpression === undefined ? {} : {messageExpression: messageExpression.text}),
  }
}

function expectCompiled({rules, file}: JudgingPolicy, compiled: readonly CompiledRule[]): void {
  const diagnostics = compiled.flatMap(({faults = []}, index) =>
    faults.flatMap(fault => {
      const rule = rules[index]
      return rule === undefined ? [] : [faultDiagnostic(fault, rule, index, file)]
    }),
  )
  if (diagnostics.length === 0) return
  const message = `cannot compile the rules of the policy ${file}: ${count(diagnostics.length, 'error')}`
  throw new CrossplaneError('input-invalid', message, {
    diagnostics,
    suggestions: ['Correct the listed expressions; docs/policy-rules.md describes variables and functions.'],
  })
}

function faultDiagnostic(
  fault: ExpressionFault,
  rule: Policy['rules'][number],
  index: number,
  file: string,
): Diagnostic {
  const {line, column} = placeOf(fault, rule[fault.in] ?? rule.expression)
  return {
    ...{severity: 'error', rule: 'policy-expression', file, line, field: `rules[${index}].${fault.in}`},
    message: `the rule ${rule.name}, ${column}: ${fault.message}`,
  }
}

/** Where the lines of a file are not those of the expression, the place is one in the expression. */
function placeOf({row, column}: ExpressionFault, {line, indent}: DeclaredExpression) {
  if (indent !== undefined) return {line: line + row - 1, column: `column ${column + indent}`}
  return {line, column: `line ${row} of the expression, column ${column}`}
}

function ruleViolation(
  {rules, file}: JudgingPolicy,
  index: number,
  verdict: RuleVerdict,
  judged: JudgedPackage,
): readonly Violation[] {
  const rule = rules[index]
  if (rule === undefined || verdict.kind === 'allowed') return []
  if (verdict.kind === 'limit') throw overLimit(rule.name, file, verdict.message, judged)
  const {name, line, message, expression} = rule
  const fallback = message ?? `failed expression: ${expression.text.trim()}`
  const said =
    verdict.kind === 'failed'
      ? `the rule cannot be evaluated: ${verdict.message}`
      : (verdict.message ?? fallback)
  return [{rule: `policy/${name}`, message: said, line, field: `rules[${index}]`}]
}

function overLimit(name: string, file: string, why: string, judged: JudgedPackage): CrossplaneError {
  const message = `cannot evaluate the rule ${name} of ${file} for ${shownName(judged)}: ${why}`
  return new CrossplaneError('limit-exceeded', message, {
    suggestions: ['Make the rule look at fewer values: a loop within a loop multiplies them.'],
  })
}

function diagnosticOf(
  {file, contact}: JudgingPolicy,
  {object, ...violation}: Violation,
  judged: JudgedPackage,
): Diagnostic {
  const {repository, tag} = judged.pkg
  return {
    ...{severity: 'error', ...violation, file},
    message: `${shownName(judged)}: ${violation.message}`,
    ...(contact === undefined ? {} : {owner: contact}),
    subject: {
      ...(repository === '' ? {} : {package: repository}),
      ...(tag === '' ? {} : {tag}),
      ...(object === undefined ? {} : {object}),
    },
  }
}

function shownName(judged: JudgedPackage): string {
  return judged === NO_PACKAGE ? 'the plan' : judgedName(judged)
}

function rejected(policy: JudgingPolicy, diagnostics: readonly Diagnostic[]): CrossplaneError {
  const names = [...new Set(diagnostics.map(({message}) => message.slice(0, message.indexOf(': '))))]
  const message = `cannot use ${listSome(names)}: ${nameOf(policy)} rejects ${names.length === 1 ? 'it' : 'them'}`
  return new CrossplaneError('policy-refused', message, {
    diagnostics,
    suggestions: [`Use other packages or settings, or ${askFor(policy)}.`],
  })
}

function rejectedChange(
  policy: JudgingPolicy,
  action: string,
  diagnostics: readonly Diagnostic[],
): CrossplaneError {
  return new CrossplaneError('policy-refused', `cannot ${action}: ${nameOf(policy)} rejects it`, {
    diagnostics,
    suggestions: [`Use other versions or settings, or ${askFor(policy)}.`],
  })
}

function nameOf({file, contact}: JudgingPolicy): string {
  return `the policy ${file}${contact === undefined ? '' : ` of ${contact}`}`
}

function askFor({file, contact}: JudgingPolicy): string {
  return contact === undefined ? `change ${file}` : `ask ${contact} to change ${file}`
}
