import {CONSTRAINT_VERSION, type Comparison, SPACE, scanComparison} from './comparison.js'
import type {ConstraintRules} from './constraint-rules.js'
import {satisfiesV1} from './satisfies-v1.js'
import {satisfiesV3} from './satisfies-v3.js'
import {readVersion, type SemanticVersion} from './version.js'

/** A constraint on versions: one of `alternatives` must hold, with all of its conditions. */
export interface Constraint {
  readonly rules: ConstraintRules
  readonly alternatives: readonly (readonly Comparison[])[]
}

/** The maximum length of a constraint; its time is quadratic in the worst case. */
const MAX_CONSTRAINT_LENGTH = 1000

/**
 * Reads a constraint as Masterminds' semver does, v1.5.0 or v3.4.0; undefined if it is not one, and for texts longer than
 * the limit. https://github.com/Masterminds/semver
 */
export function readConstraint(text: string, rules: ConstraintRules): Constraint | undefined {
  if (text.length > MAX_CONSTRAINT_LENGTH) return undefined
  const alternatives: (readonly Comparison[])[] = []
  for (const part of withoutRanges(text, rules).split('||')) {
    const comparisons = rules === 'v1' ? commaSeparated(part) : separated(part)
    if (comparisons === undefined) return undefined
    alternatives.push(comparisons)
  }
  return {rules, alternatives}
}

/** Reports whether a constraint excludes a version by any of these rules; texts that are neither exclude nothing. */
export function isExcluded(text: string, constraint: string, allRules: readonly ConstraintRules[]): boolean {
  return allRules.some(rules => {
    const [read, version] = [readConstraint(constraint, rules), readVersion(text, rules)]
    return read !== undefined && version !== undefined && !satisfies(read, version)
  })
}

/** Reports whether a version satisfies a constraint. */
export function satisfies({rules, alternatives}: Constraint, version: SemanticVersion): boolean {
  return alternatives.some(comparisons => {
    if (rules === 'v1') return comparisons.every(comparison => satisfiesV1(comparison, version))
    const allowsPrereleases = comparisons.some(comparison => comparison.version.prerelease !== '')
    return (
      (version.prerelease === '' || allowsPrereleases) &&
      comparisons.every(comparison => satisfiesV3(comparison, version))
    )
  })
}

const RANGE = new RegExp(
  `${SPACE}*(${CONSTRAINT_VERSION})${SPACE}+-${SPACE}+(${CONSTRAINT_VERSION})${SPACE}*`,
  'g',
)

/** Replaces each `1.0 - 2.0` by two comparisons, the first occurrence of its text at a time, as Go's code does. */
function withoutRanges(text: string, rules: ConstraintRules): string {
  const end = rules === 'v1' ? '' : ' '
  let result = text
  for (const [range, from, , , , , , to] of text.matchAll(RANGE))
    result = result.replace(range, () => `>= ${from}, <= ${to}${end}`)
  return result
}

function commaSeparated(text: string): readonly Comparison[] | undefined {
  const comparisons: Comparison[] = []
  for (const part of text.split(',')) {
    const scanned = scanComparison(part, 0, 'v1')
    if (scanned?.end !== part.length) return undefined
    comparisons.push(scanned.comparison)
  }
  return comparisons
}

/** In v3, white space or a comma separates conditions. */
function separated(text: string): readonly Comparison[] | undefined {
  const comparisons: Comparison[] = []
  let start = 0
  do {
    const scanned = scanComparison(text, start, 'v3')
    if (scanned === undefined) return undefined
    comparisons.push(scanned.comparison)
    start = scanned.end
    if (text[start] === ',') start += 1
    else if (start < text.length && !isSpace(text[start - 1])) return undefined
    else if (start === text.length) return comparisons
  } while (start <= text.length)
  return undefined
}

function isSpace(character = ''): boolean {
  return '\t\n\f\r '.includes(character)
}
