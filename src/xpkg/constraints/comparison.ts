import type {ConstraintRules} from './constraint-rules.js'
import {type SemanticVersion, readVersion} from './version.js'

/** One condition of a constraint, such as `>=1.2`. */
export interface Comparison {
  readonly operator: Operator
  readonly version: SemanticVersion
  /** Whether a part is missing or a wildcard: any, the minor one, the patch. */
  readonly isPartial: boolean
  readonly anyMinor: boolean
  readonly anyPatch: boolean
}

export type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^'

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': '=',
  '=': '=',
  '!=': '!=',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '=>': '>=',
  '<=': '<=',
  '=<': '<=',
  '~': '~',
  '~>': '~',
  '^': '^',
}

/** The version of a constraint, which can have wildcards; the classes contain `|`, as in Go. */
export const CONSTRAINT_VERSION =
  'v?([0-9|xX*]+)(\\.[0-9|xX*]+)?(\\.[0-9|xX*]+)?' +
  '(-(?:[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(\\+(?:[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?'

/** The white space of Go's expressions. */
export const SPACE = '[\\t\\n\\f\\r ]'

const OPERATOR = new RegExp(`${SPACE}*([!=><~^]{0,2})`, 'y')
const VERSION = new RegExp(`${SPACE}*(${CONSTRAINT_VERSION})${SPACE}*`, 'y')

/** A comparison in a text, and the place after it and the white space that follows. */
export interface ScannedComparison {
  readonly comparison: Comparison
  readonly end: number
}

/** Reads a comparison at a place of a text; undefined if there is none. Takes linear time, unlike one expression. */
export function scanComparison(
  text: string,
  start: number,
  rules: ConstraintRules,
): ScannedComparison | undefined {
  OPERATOR.lastIndex = start
  const operator = OPERATORS[OPERATOR.exec(text)?.[1] ?? '']
  VERSION.lastIndex = OPERATOR.lastIndex
  const match = VERSION.exec(text)
  if (match === null || operator === undefined) return undefined
  const [, whole = '', major = '', minor, patch, prerelease] = match
  const comparison = comparisonOf(operator, {whole, major, minor, patch, prerelease}, rules)
  return comparison && {comparison, end: VERSION.lastIndex}
}

/** The parts of a version, with the character before each; undefined if it is missing. */
interface Parts {
  readonly whole: string
  readonly major: string
  readonly minor: string | undefined
  readonly patch: string | undefined
  readonly prerelease: string | undefined
}

function comparisonOf(operator: Operator, parts: Parts, rules: ConstraintRules): Comparison | undefined {
  const level = levelOf(parts, rules)
  const version = readVersion(completed(parts, level, rules), rules)
  if (version === undefined) return undefined
  return {
    operator,
    version,
    isPartial: level !== 'complete',
    anyMinor: level === 'major',
    anyPatch: level === 'minor',
  }
}

/** The last part that is stated. */
type Level = 'none' | 'major' | 'minor' | 'complete'

/** A version without a patch is complete in v1: `1.2` is 1.2.0. */
function levelOf({major, minor, patch}: Parts, rules: ConstraintRules): Level {
  if (isWildcard(major)) return 'none'
  if (minor === undefined || isWildcard(minor.slice(1))) return 'major'
  if (patch === undefined) return rules === 'v1' ? 'complete' : 'minor'
  return isWildcard(patch.slice(1)) ? 'minor' : 'complete'
}

function completed(
  {whole, major, minor = '', prerelease = ''}: Parts,
  level: Level,
  rules: ConstraintRules,
): string {
  switch (level) {
    case 'none':
      return `0.0.0${rules === 'v1' ? '' : prerelease}`
    case 'major':
      return `${major}.0.0${prerelease}`
    case 'minor':
      return `${major}${minor}.0${prerelease}`
    case 'complete':
      return whole
  }
}

function isWildcard(part: string): boolean {
  return part === 'x' || part === 'X' || part === '*'
}
