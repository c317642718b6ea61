import type {DeclaredExpression, Policy} from '../../declaration/policy/policy.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {count, listSome} from '../../text.js'
import {builtInViolations, type Violation} from './built-in-checks.js'
import {type JudgedPackage, judgedName, RULE_VARIABLES} from './judged-package.js'
import type {CompiledRule, ExpressionFault, RuleEngine, RuleVerdict} from './rule-engine.js'

/** Judges packages by the policy of a team. */
export interface PackageJudge {
  /** Returns what the policy rejects; empty for nothing. Throws `limit-exceeded` for a rule that takes too much. */
  violations(packages: readonly JudgedPackage[]): Promise<readonly Diagnostic[]>
  /** Throws `policy-refused` with all that the policy rejects. */
  expect(packages: readonly JudgedPackage[]): Promise<void>
}

/** What of a policy packages are judged by. */
export type JudgingPolicy = Pick<Policy, 'file' | 'reject' | 'rules' | 'contact'>

/**
 * Creates the judge of a policy. Throws `input-invalid` for rules that cannot be compiled,
 * with the place of each error.
 */
export async function packageJudge(
  policy: JudgingPolicy,
  openEngine: () => Promise<RuleEngine>,
): Promise<PackageJudge> {
  const {rules, reject} = policy
  const engine = rules.length === 0 ? undefined : await openEngine()
  const compiled = (await engine?.compile(rules.map(ruleTexts), RULE_VARIABLES)) ?? []
  expectCompiled(policy, compiled)
  const judge = async (judged: JudgedPackage) => {
    const built = builtInViolations(reject, judged)
    const verdicts = (await engine?.evaluate([...rules.keys()], JSON.stringify(judged))) ?? []
    const own = verdicts.flatMap((verdict, index) => ruleViolation(policy, index, verdict, judged))
    return [...built, ...own].map(violation => diagnosticOf(policy, violation, judged))
  }
  const violations = async (packages: readonly JudgedPackage[]) => {
    const all: Diagnostic[] = []
    for (const judged of packages) all.push(...(await judge(judged)))
    return all
  }
  return {
    violations,
    expect: async packages => {
      const diagnostics = await violations(packages)
      if (diagnostics.length > 0) throw rejected(policy, diagnostics)
    },
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
  const message = `cannot evaluate the rule ${name} of ${file} for ${judgedName(judged)}: ${why}`
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
    message: `${judgedName(judged)}: ${violation.message}`,
    ...(contact === undefined ? {} : {owner: contact}),
    subject: {
      ...(repository === '' ? {} : {package: repository}),
      ...(tag === '' ? {} : {tag}),
      ...(object === undefined ? {} : {object}),
    },
  }
}

function rejected({file, contact}: JudgingPolicy, diagnostics: readonly Diagnostic[]): CrossplaneError {
  const names = [...new Set(diagnostics.map(({message}) => message.slice(0, message.indexOf(': '))))]
  const of = contact === undefined ? '' : ` of ${contact}`
  const message = `cannot use ${listSome(names)}: the policy ${file}${of} rejects ${names.length === 1 ? 'it' : 'them'}`
  const ask = contact === undefined ? `change ${file}` : `ask ${contact} to change ${file}`
  return new CrossplaneError('policy-refused', message, {
    diagnostics,
    suggestions: [`Use other packages or settings, or ${ask}.`],
  })
}
