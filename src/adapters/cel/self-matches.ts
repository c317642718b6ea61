import type {ASTNode} from '@marcbachmann/cel-js'
import type {SelfMatch} from '../../crd/schema-rules.js'

/**
 * Returns the patterns that an expression matches with fields of `self`, by operators of which a server adds or compares the costs: not
 * within macros, whose lists can be empty.
 */
export function selfMatches(node: ASTNode): readonly SelfMatch[] {
  if (node.op === '&&' || node.op === '||' || node.op === '?:') return node.args.flatMap(selfMatches)
  if (node.op === '!_') return selfMatches(node.args)
  return node.op === 'rcall' ? matchOf(node.args) : []
}

function matchOf([name, target, [argument]]: Extract<ASTNode, {op: 'rcall'}>['args']): readonly SelfMatch[] {
  const path = pathOf(target)
  if (name !== 'matches' || path === undefined || argument?.op !== 'value') return []
  return typeof argument.args === 'string' ? [{path, pattern: argument.args}] : []
}

/** Names that are no names of CEL are written in another way. */
function pathOf(node: ASTNode): readonly string[] | undefined {
  if (node.op === 'id') return node.args === 'self' ? [] : undefined
  if (node.op !== '.') return undefined
  const [of, name] = node.args
  const path = pathOf(of)
  return path === undefined || name.includes('__') ? undefined : [...path, name]
}
