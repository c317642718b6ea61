import type {ASTNode} from '@marcbachmann/cel-js'
import type {RuleVariables} from '../../inspect/policy/rule-engine.js'
import {present} from '../../present.js'
import {FUNCTIONS, KUBERNETES_FUNCTIONS, registeredName} from './cel-functions.js'

/** What an expression names that is wrong, and where: an offset in its text. */
export interface SyntaxFault {
  readonly message: string
  readonly at: number
}

/** The names of variables in an expression, and the first that is wrong in it. */
export interface NamesOf {
  readonly uses: ReadonlySet<string>
  readonly fault?: SyntaxFault
}

/**
 * Checks the names in an expression, and puts the functions of `registerFunctions` in the place of those of the library. The
 * variables of macros are names as well.
 */
export function checkNames(root: ASTNode, variables: RuleVariables): NamesOf {
  const uses = new Set<string>()
  const own = new Map<string, readonly string[] | undefined>()
  const faults: (SyntaxFault & {readonly end: number})[] = []
  visit(root, node => {
    const loop = iterationVariable(node)
    if (loop === undefined) return
    const isOther = own.has(loop.name)
    own.set(loop.name, isOther ? undefined : variables.fields[loop.over ?? ''])
  })
  visit(root, node => {
    const fault = nodeFault(node, own, variables)
    if (fault !== undefined) faults.push({message: fault, at: node.pos, end: node.end})
    if (node.op === 'id' && Object.hasOwn(variables.types, node.args)) uses.add(node.args)
  })
  // Of calls that follow each other, the first is the shortest text.
  const [fault] = faults.sort((a, b) => a.at - b.at || a.end - b.end)
  return {uses, ...(fault === undefined ? {} : {fault})}
}

const LOOPS: readonly string[] = ['all', 'exists', 'exists_one', 'filter', 'map']

/** The variables of macros, with the fields that they have if these are known. */
type OwnVariables = ReadonlyMap<string, readonly string[] | undefined>

/** Returns the variable that a macro has for each value of a list, and the variable that the list is. */
function iterationVariable(node: ASTNode): {readonly name: string; readonly over?: string} | undefined {
  if (node.op !== 'rcall' || !LOOPS.includes(node.args[0])) return undefined
  const [, list, [first]] = node.args
  if (first?.op !== 'id') return undefined
  return {name: first.args, ...present({over: pathOf(list)})}
}

/** Returns `plan` or `plan.crds`; undefined for other expressions. */
function pathOf(node: ASTNode): string | undefined {
  if (node.op === 'id') return node.args
  if (node.op !== '.') return undefined
  const [of, field] = node.args
  return of.op === 'id' ? `${of.args}.${field}` : undefined
}

function nodeFault(node: ASTNode, own: OwnVariables, variables: RuleVariables): string | undefined {
  if (node.op === 'call' || node.op === 'rcall') {
    const [name] = node.args
    if (!FUNCTIONS.has(name)) return unknownFunction(name)
    node.args.splice(0, 1, registeredName(name))
  }
  if (node.op === 'id' && !own.has(node.args)) return unknownVariable(node.args, variables)
  if (node.op === '.') {
    const [of, field] = node.args
    return of.op === 'id' ? unknownField(of.args, field, fieldsOf(of.args, own, variables)) : undefined
  }
  return undefined
}

function unknownField(of: string, field: string, fields: readonly string[] | undefined): string | undefined {
  if (fields?.includes(field) !== false) return undefined
  return `${of} has no field ${field}: its fields are ${fields.join(', ')}`
}

function fieldsOf(
  name: string,
  own: OwnVariables,
  {types, fields}: RuleVariables,
): readonly string[] | undefined {
  if (own.has(name)) return own.get(name)
  return types[name] === 'map' ? fields[name] : undefined
}

function unknownVariable(name: string, {types}: RuleVariables): string | undefined {
  const names = Object.keys(types)
  if (names.includes(name) || TYPES.has(name)) return undefined
  return kubernetesFunction(name) ?? `${name} is not a variable: the variables are ${names.join(', ')}`
}

/** Types are values in CEL. */
const TYPES = new Set([
  ...[
    'bool',
    'bytes',
    'double',
    'int',
    'list',
    'map',
    'null_type',
    'string',
    'type',
    'uint',
    'google',
    'dyn',
  ],
])

function unknownFunction(name: string): string {
  return kubernetesFunction(name) ?? `${name} is not a function of CEL`
}

function kubernetesFunction(name: string): string | undefined {
  const [purpose] = Object.entries(KUBERNETES_FUNCTIONS).find(([, names]) => names.includes(name)) ?? []
  if (purpose === undefined) return undefined
  return `${name} belongs to Kubernetes' own CEL library (${purpose}), which is not available here: rules have standard CEL and its functions for strings`
}

/** Visits the nodes of an expression, also those within macros, without recursion. */
export function visit(root: ASTNode, act: (node: ASTNode) => void): void {
  const seen = new Set<object>()
  const open: unknown[] = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== 'object' || seen.has(next)) continue
    seen.add(next)
    if (isNode(next)) act(next)
    open.push(...Object.values(isNode(next) ? {args: next.args} : {...next}))
  }
}

function isNode(value: object): value is ASTNode {
  return 'op' in value && 'args' in value
}
