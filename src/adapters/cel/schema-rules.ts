import {type ASTNode, Environment, type ParseResult} from '@marcbachmann/cel-js'
import {RE2JS} from 're2js'
import type {RuleExpression, SchemaRules, SelfMatch} from '../../crd/schema-rules.js'
import {quoted} from '../../text.js'
import type {JsonValue} from '../../yaml/json-value.js'
import {celValue} from './cel-value.js'
import {registerFunctions} from './cel-functions.js'
import {checkNames, visit} from './cel-syntax.js'
import {HAS, LIMITS, schemaLibrary, UNJUDGED} from './schema-library.js'
import {selfMatches} from './self-matches.js'
import {countSteps, exceededLimit, startCount} from './step-limit.js'

/** Compiles and evaluates the rules of schemas by the CEL library. */
export function schemaRules(): SchemaRules {
  countSteps()
  const library = schemaLibrary()
  const evaluating = new Environment({limits: LIMITS}).registerVariable('self', 'dyn')
  registerFunctions(evaluating)
  return {
    faultOf: expression => (UNJUDGED.test(expression.text) ? undefined : compileFault(library, expression)),
    matchesOf: rule => matchesOf(evaluating, rule),
    resultOf: (rule, self) => resultOf(evaluating, rule, self),
  }
}

function matchesOf(environment: Environment, rule: string): readonly SelfMatch[] {
  try {
    return selfMatches(environment.parse(rule).ast)
  } catch {
    return []
  }
}

function compileFault(
  library: Environment,
  {text, type, self, objects, isCorrelated}: RuleExpression,
): string | undefined {
  const environment = library.clone()
  for (const {name, fields} of objects) {
    environment.registerType(name, {fields: {...fields}})
    environment.registerOperator(`${name} == ${name}`, () => true)
  }
  environment.registerVariable('self', self).registerVariable('oldSelf', self)
  try {
    const run = environment.parse(withFunctionHas(text))
    const fault = literalFault(run.ast) ?? hasFault(run.ast) ?? oldSelfFault(run.ast, isCorrelated)
    return fault ?? typeFault(run, type)
  } catch (error) {
    return summaryOf(error)
  }
}

function typeFault(run: ParseResult, wanted: 'bool' | 'string'): string | undefined {
  const {valid, type = 'dyn', error} = run.check()
  if (!valid) return summaryOf(error)
  const field = fieldOfTime(run.ast)
  if (field !== undefined) return `the schema has no field ${field}`
  return type === wanted || type === 'dyn' ? undefined : `it must be of type ${wanted}, not ${type}`
}

const TIMES: readonly (string | undefined)[] = ['google.protobuf.Timestamp', 'google.protobuf.Duration']

/** Times and durations have no fields, which the library overlooks. */
function fieldOfTime(root: ASTNode): string | undefined {
  let overlooked: string | undefined
  visit(root, node => {
    if (node.op !== '.' && node.op !== '.?') return
    const [operand, field] = node.args
    const {checkedType} = operand as {readonly checkedType?: {readonly name?: string}}
    if (TIMES.includes(checkedType?.name) && typeof field === 'string') overlooked ??= field
  })
  return overlooked
}

/** The library compiles no argument of `has`, so that it overlooks fields that do not exist: a function is in its place. */
function withFunctionHas(text: string): string {
  return text.replace(HAS_OR_TEXT, (match, open: string | undefined) =>
    open === undefined ? match : HAS + open,
  )
}

const HAS_OR_TEXT = /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<![.\w])has(\s*\()/g

function hasFault(root: ASTNode): string | undefined {
  let fault: string | undefined
  visit(root, node => {
    if (node.op !== 'call' || node.args[0] !== HAS) return
    const [argument, ...others] = node.args[1]
    if (others.length > 0 || argument?.op !== '.') fault = 'has() requires a field, such as has(self.name)'
  })
  return fault
}

function oldSelfFault(root: ASTNode, isCorrelated: boolean): string | undefined {
  let fault: string | undefined
  visit(root, node => {
    if (isCorrelated || node.op !== 'id' || node.args !== 'oldSelf') return
    fault = 'oldSelf is not known below a list whose items have no keys'
  })
  return fault
}

/** A server reads literal patterns, durations and times when it compiles a rule. */
function literalFault(root: ASTNode): string | undefined {
  let fault: string | undefined
  visit(root, node => {
    const [name, literal] = calledWithText(node)
    if (literal === undefined) return
    const error = name === 'matches' ? patternFault(literal) : timeFault(name, literal)
    if (error !== undefined) fault ??= `${quoted(literal)}: ${error}`
  })
  return fault
}

/** Returns the name of a called function and its last argument, if that is a literal text. */
function calledWithText(node: ASTNode): readonly [name: string, text?: string] {
  if (node.op !== 'call' && node.op !== 'rcall') return ['']
  const argument = (node.op === 'call' ? node.args[1] : node.args[2]).at(-1)
  const isText = argument?.op === 'value' && typeof argument.args === 'string'
  return isText ? [node.args[0], argument.args] : [node.args[0]]
}

function patternFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch (error) {
    return summaryOf(error)
  }
}

const DURATION = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

function timeFault(name: string, text: string): string | undefined {
  if (name === 'duration' && !DURATION.test(text)) return 'it is not a duration'
  return name === 'timestamp' && !TIMESTAMP.test(text) ? 'it is not a time' : undefined
}

function summaryOf(error: unknown): string {
  const {summary} = error as {readonly summary?: string}
  const text = summary ?? (error instanceof Error ? error.message : String(error))
  const [line = ''] = text.split('\n')
  return (/call stack/i.test(line) ? 'it is too deeply nested' : line)
    .replace(/\b(\w+)_\(/g, '$1(')
    .replace(/\bobject\d+\b/g, 'object')
    .replace(/^no such key: (.*)$/i, 'the schema has no field $1')
    .replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())
    .slice(0, MAX_TEXT)
}

const MAX_TEXT = 500

/** What a rule can name. The names of fields that CEL cannot have are escaped with two underscores. */
const VARIABLES = {types: {self: 'map'}, fields: {}} as const
const ESCAPED = /__/

/** Functions that only an API server has, and what the library reads differently, are not evaluated. */
function resultOf(environment: Environment, rule: string, self: JsonValue): boolean | undefined {
  if (ESCAPED.test(rule)) return undefined
  startCount()
  try {
    const run = environment.parse(rule)
    if (checkNames(run.ast, VARIABLES).fault !== undefined) return undefined
    const result: unknown = run({self: celValue(self)})
    return typeof result === 'boolean' && exceededLimit() === undefined ? result : undefined
  } catch {
    return undefined
  }
}
