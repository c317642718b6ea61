import type {Comparison, Operator} from './comparison.js'
import {comparePrecedence, comparePrereleases, type SemanticVersion} from './version.js'

type Test = (comparison: Comparison, version: SemanticVersion) => boolean

/**
 * Reports whether a version satisfies one comparison as Masterminds' semver v3.4.0 decides it. Whether prereleases are
 * allowed depends on all comparisons together, and is decided before.
 */
export function satisfiesV3(comparison: Comparison, version: SemanticVersion): boolean {
  return TESTS[comparison.operator](comparison, version)
}

const TESTS: Readonly<Record<Operator, Test>> = {
  '=': (comparison, version) =>
    comparison.isPartial ? isNear(comparison, version) : comparePrecedence(version, comparison.version) === 0,
  '!=': isDifferent,
  '>': isAbove,
  '>=': ({version: bound}, version) => comparePrecedence(version, bound) >= 0,
  '<': ({version: bound}, version) => comparePrecedence(version, bound) < 0,
  '<=': isUpTo,
  '~': isNear,
  '^': isCompatible,
}

function isDifferent(comparison: Comparison, version: SemanticVersion): boolean {
  const {version: bound, isPartial, anyMinor, anyPatch} = comparison
  if (!isPartial) return comparePrecedence(version, bound) !== 0
  if (version.major !== bound.major || (version.minor !== bound.minor && !anyMinor)) return true
  if (anyMinor) return false
  if (!anyPatch) return comparePrecedence(version, bound) !== 0
  return comparePrereleases(version.prerelease, bound.prerelease) !== 0
}

function isAbove({version: bound, anyMinor, anyPatch}: Comparison, version: SemanticVersion): boolean {
  if (!anyMinor && !anyPatch) return comparePrecedence(version, bound) > 0
  if (version.major !== bound.major) return version.major > bound.major
  return anyPatch && version.minor > bound.minor
}

function isUpTo({version: bound, isPartial, anyMinor}: Comparison, version: SemanticVersion): boolean {
  if (!isPartial) return comparePrecedence(version, bound) <= 0
  if (version.major !== bound.major) return version.major < bound.major
  return version.minor <= bound.minor || anyMinor
}

/** `~0.0.0` accepts every version. */
function isNear({version: bound, anyMinor, anyPatch}: Comparison, version: SemanticVersion): boolean {
  if (comparePrecedence(version, bound) < 0) return false
  const isZero = bound.major === 0n && bound.minor === 0n && bound.patch === 0n
  if (isZero && !anyMinor && !anyPatch) return true
  return version.major === bound.major && (version.minor === bound.minor || anyMinor)
}

function isCompatible({version: bound, anyMinor, anyPatch}: Comparison, version: SemanticVersion): boolean {
  if (comparePrecedence(version, bound) < 0) return false
  if (bound.major > 0n || anyMinor || version.major > 0n) return version.major === bound.major
  if (bound.minor > 0n || anyPatch) return version.minor === bound.minor
  return version.minor === 0n && version.patch === bound.patch
}
