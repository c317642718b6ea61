import type {Comparison, Operator} from './comparison.js'
import {comparePrecedence, type SemanticVersion} from './version.js'

type Test = (comparison: Comparison, version: SemanticVersion) => boolean

/** Reports whether a version satisfies one comparison as Masterminds' semver v1.5.0 decides it. */
export function satisfiesV1(comparison: Comparison, version: SemanticVersion): boolean {
  // A comparison without a prerelease accepts none, except that `!=` of a complete version accepts all.
  const ignores = comparison.operator === '!=' && !comparison.isPartial
  if (version.prerelease !== '' && comparison.version.prerelease === '' && !ignores) return false
  return TESTS[comparison.operator](comparison, version)
}

const TESTS: Readonly<Record<Operator, Test>> = {
  '=': (comparison, version) =>
    comparison.isPartial ? isNear(comparison, version) : comparePrecedence(version, comparison.version) === 0,
  '!=': isDifferent,
  '>': ({version: bound}, version) => comparePrecedence(version, bound) > 0,
  '>=': ({version: bound}, version) => comparePrecedence(version, bound) >= 0,
  '<': (comparison, version) =>
    comparison.isPartial ? isUpTo(comparison, version) : comparePrecedence(version, comparison.version) < 0,
  '<=': (comparison, version) =>
    comparison.isPartial ? isUpTo(comparison, version) : comparePrecedence(version, comparison.version) <= 0,
  '~': isNear,
  '^': ({version: bound}, version) => comparePrecedence(version, bound) >= 0 && version.major === bound.major,
}

function isDifferent({version: bound, isPartial, anyMinor}: Comparison, version: SemanticVersion): boolean {
  if (!isPartial) return comparePrecedence(version, bound) !== 0
  return version.major !== bound.major || (version.minor !== bound.minor && !anyMinor)
}

/** `<2` accepts 2.5.0: the numbers are compared one by one. */
function isUpTo({version: bound, anyMinor}: Comparison, version: SemanticVersion): boolean {
  return version.major <= bound.major && (version.minor <= bound.minor || anyMinor)
}

/** `~0.0.0` accepts every version. */
function isNear({version: bound, anyMinor, anyPatch}: Comparison, version: SemanticVersion): boolean {
  if (comparePrecedence(version, bound) < 0) return false
  const isZero = bound.major === 0n && bound.minor === 0n && bound.patch === 0n
  if (isZero && !anyMinor && !anyPatch) return true
  return version.major === bound.major && (version.minor === bound.minor || anyMinor)
}
