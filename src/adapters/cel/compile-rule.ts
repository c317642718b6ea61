import {Environment, type ParseResult} from '@marcbachmann/cel-js'
import type {
  CompiledRule,
  ExpressionFault,
  RuleTexts,
  RuleVariables,
  RuleVerdict,
} from '../../inspect/policy/rule-engine.js'
import {registerFunctions} from './cel-functions.js'
import {checkNames, type SyntaxFault} from './cel-syntax.js'
import {countSteps, exceededLimit, startCount} from './step-limit.js'
import type {CelValue} from './cel-value.js'

/** A rule that can be evaluated. */
export interface EvaluableRule {
  readonly compiled: CompiledRule
  evaluate(variables: Readonly<Record<string, CelValue>>): RuleVerdict
}

const LIMITS = {
  maxAstNodes: 5000,
  maxDepth: 60,
  maxListElements: 1000,
  maxMapEntries: 1000,
  maxCallArguments: 16,
}

/** Creates the compiler of rules. */
export function ruleCompiler(variables: RuleVariables): (rule: RuleTexts) => EvaluableRule {
  countSteps()
  const environment = new Environment({limits: LIMITS})
  for (const [name, type] of Object.entries(variables.types)) environment.registerVariable(name, type)
  registerFunctions(environment)
  const compileText = textCompiler(environment, variables)
  return ({expression, messageExpression}) => {
    const condition = compileText('expression', expression)
    const message =
      messageExpression === undefined ? undefined : compileText('messageExpression', messageExpression)
    const faults = [condition, message].flatMap(part => part?.fault ?? [])
    const uses = new Set([...condition.uses, ...(message?.uses ?? [])])
    return {
      compiled: faults.length > 0 ? {faults} : {uses: [...uses]},
      evaluate: values => verdict(condition, message, values),
    }
  }
}

interface CompiledText {
  readonly uses: ReadonlySet<string>
  readonly fault?: ExpressionFault
  readonly run?: ParseResult
}

/** The type that each text must have. */
const TYPES = {expression: 'bool', messageExpression: 'string'} as const

type CompileText = (field: keyof RuleTexts, text: string) => CompiledText

function textCompiler(environment: Environment, variables: RuleVariables): CompileText {
  return (field, text) => {
    const faultAt = ({message, at}: SyntaxFault) => ({in: field, message, ...placeOf(text, at)})
    try {
      const run = environment.parse(text)
      const {uses, fault} = checkNames(run.ast, variables)
      return fault === undefined ? {uses, ...checkedText(run, field, faultAt)} : {uses, fault: faultAt(fault)}
    } catch (error) {
      return {uses: new Set(), fault: faultAt(asFault(error))}
    }
  }
}

function checkedText(
  run: ParseResult,
  field: keyof RuleTexts,
  faultAt: (fault: SyntaxFault) => ExpressionFault,
): Pick<CompiledText, 'fault' | 'run'> {
  const {valid, type = 'dyn', error} = run.check()
  if (!valid) return {fault: faultAt(asFault(error))}
  if (type === TYPES[field] || type === 'dyn') return {run}
  return {fault: faultAt({message: `must be a ${TYPES[field]}, but is a ${type}`, at: 0})}
}

/** Errors of the library have a place and a text of one line. */
function asFault(error: unknown): SyntaxFault {
  const {range, summary} = error as {readonly range?: {readonly start: number}; readonly summary?: string}
  return {message: textOf(summary ?? error), at: range?.start ?? 0}
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [line = ''] = text.split('\n')
  const shown = /call stack/i.test(line) ? 'it is too deeply nested' : line
  // The names by which own functions are registered; messages of this program start in lowercase.
  return shown
    .replace(/\b(\w+)_\(/g, '$1(')
    .replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())
    .slice(0, MAX_TEXT)
}

const MAX_TEXT = 1000

function placeOf(text: string, at: number): Pick<ExpressionFault, 'row' | 'column'> {
  const before = text.slice(0, at).split('\n')
  return {row: before.length, column: (before.at(-1) ?? '').length + 1}
}

function verdict(
  condition: CompiledText,
  message: CompiledText | undefined,
  variables: Readonly<Record<string, CelValue>>,
): RuleVerdict {
  const result = run(condition, variables)
  if (typeof result === 'object') return result
  if (result === true) return {kind: 'allowed'}
  if (result !== false) return {kind: 'failed', message: 'the expression is neither true nor false'}
  if (message === undefined) return {kind: 'denied'}
  // Without a text, the message of the rule stays, as in Kubernetes.
  const text = run(message, variables)
  return typeof text === 'string' && text.trim() !== ''
    ? {kind: 'denied', message: text.slice(0, MAX_TEXT)}
    : {kind: 'denied'}
}

function run(
  {run: evaluate}: CompiledText,
  variables: Readonly<Record<string, CelValue>>,
): RuleVerdict | boolean | string | undefined {
  startCount()
  try {
    const value: unknown = evaluate?.(variables)
    const exceeded = exceededLimit()
    if (exceeded !== undefined) return {kind: 'limit', message: exceeded}
    return typeof value === 'boolean' || typeof value === 'string' ? value : undefined
  } catch (error) {
    const exceeded = exceededLimit()
    return exceeded === undefined
      ? {kind: 'failed', message: asFault(error).message}
      : {kind: 'limit', message: exceeded}
  }
}
