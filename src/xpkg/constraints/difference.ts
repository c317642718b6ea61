import {type Constraint, satisfies} from './constraint.js'
import type {ConstraintRules} from './constraint-rules.js'
import {candidateVersion} from './version.js'

/** A tag that one of two readings of a constraint accepts, and the other does not. */
export interface ConstraintDifference {
  readonly tag: string
  readonly satisfies: ConstraintRules
}

/**
 * Finds a tag for which two readings of one constraint differ; undefined if there is none among the tags near the
 * numbers of the constraint, releases first.
 */
export function differenceOf(older: Constraint, newer: Constraint): ConstraintDifference | undefined {
  for (const tag of probes(older)) {
    const version = candidateVersion(tag, 'v3')
    if (version === undefined) continue
    const accepted = satisfies(older, version)
    if (accepted !== satisfies(newer, version)) return {tag, satisfies: accepted ? 'v1' : 'v3'}
  }
  return undefined
}

/** A hostile constraint has many numbers. */
const MAX_NUMBERS = 12

/** Versions around each number of a constraint: differences begin at its bounds. */
function probes({alternatives}: Constraint): readonly string[] {
  const bounds = alternatives.flat().slice(0, MAX_NUMBERS)
  const releases = bounds.flatMap(({version: {major, minor, patch}}) =>
    around(major).flatMap(first =>
      around(minor).flatMap(second => around(patch).map(third => `v${first}.${second}.${third}`)),
    ),
  )
  const prereleases = bounds.flatMap(({version}) => {
    const {major, minor, patch, prerelease} = version
    const texts = ['alpha.1', 'rc.1', ...(prerelease === '' ? [] : [prerelease])]
    return [
      [major, minor, patch],
      [major, minor, patch + 1n],
      [major, minor + 1n, 0n],
      [major + 1n, 0n, 0n],
    ].flatMap(numbers => texts.map(text => `v${numbers.join('.')}-${text}`))
  })
  return [...releases, ...prereleases]
}

function around(number: bigint): readonly bigint[] {
  return [number, number + 1n, number + 5n, ...(number > 0n ? [number - 1n] : []), 0n]
}
