import type {FieldPath} from '../../yaml/json-value.js'
import {present} from '../../present.js'
import type {DeclaredExpression} from './policy.js'

/** Returns the line of a field. */
export type LineOf = (...path: FieldPath) => number

/** The text of a policy, and its lines. */
export interface PolicySource {
  readonly lines: readonly string[]
  readonly lineOf: LineOf
}

/**
 * Finds where an expression begins in the file: in the line of its field, or below it as a literal block. The lines of
 * other forms, such as `>`, are not those of the expression.
 */
export function placedExpression(text: string, path: FieldPath, source: PolicySource): DeclaredExpression {
  const [first = ''] = text.split('\n')
  const line = source.lineOf(...path)
  const own = source.lines[line - 1] ?? ''
  const next = source.lines[line] ?? ''
  if (/:\s*\|[-+0-9]*\s*(#.*)?$/.test(own) && next.endsWith(first))
    return {text, line: line + 1, indent: next.length - first.length}
  const at = own.indexOf(first, own.indexOf(':') + 1)
  const isWhole = first === text && first !== '' && at !== -1
  return {text, line, ...present({indent: isWhole ? at : undefined})}
}
