import type {ConstraintRules} from './constraint-rules.js'

/** A semantic version as Masterminds' semver reads it; `build` has no influence on the order. */
export interface SemanticVersion {
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  readonly prerelease: string
  readonly build: string
}

const VERSION =
  /^v?(?<major>[0-9]+)(?:\.(?<minor>[0-9]+))?(?:\.(?<patch>[0-9]+))?(?:-(?<prerelease>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+(?<build>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/

/** Longer texts are rejected before they are read: no registry has such tags. */
const MAX_LENGTH = 1000

/**
 * Reads a version; missing numbers are 0. Undefined for any other text, and under `v3` for numbers with a leading zero
 * in the prerelease.
 */
export function readVersion(text: string, rules: ConstraintRules): SemanticVersion | undefined {
  const groups = text.length > MAX_LENGTH ? undefined : VERSION.exec(text)?.groups
  if (groups === undefined) return undefined
  const {prerelease = '', build = ''} = groups
  const numbers = {major: number(groups.major), minor: number(groups.minor), patch: number(groups.patch)}
  const isValid =
    Object.values(numbers).every(value => value <= MAX_NUMBER[rules]) &&
    (rules === 'v1' || !hasLeadingZero(prerelease))
  return isValid ? {...numbers, prerelease, build} : undefined
}

function number(digits = '0'): bigint {
  return BigInt(digits)
}

function hasLeadingZero(prerelease: string): boolean {
  return prerelease.split('.').some(part => /^0[0-9]+$/.test(part))
}

/** The numbers are int64 in v1 and uint64 in v3. */
const MAX_NUMBER: Readonly<Record<ConstraintRules, bigint>> = {
  v1: 2n ** 63n - 1n,
  v3: 2n ** 64n - 1n,
}

/**
 * Reads a tag that the core considers when it selects a version of a dependency: only complete versions in their
 * canonical form, with or without `v`.
 */
export function candidateVersion(tag: string, rules: ConstraintRules): SemanticVersion | undefined {
  const version = readVersion(tag, rules)
  return version !== undefined && canonical(version) === tag.replace(/^v/, '') ? version : undefined
}

function canonical({major, minor, patch, prerelease, build}: SemanticVersion): string {
  const release = `${major}.${minor}.${patch}`
  return release + (prerelease && `-${prerelease}`) + (build && `+${build}`)
}

/** Compares two versions as semver does: negative if the first one is lower. */
export function comparePrecedence(a: SemanticVersion, b: SemanticVersion): number {
  return (
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  )
}

function compareNumbers(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** A release is higher than its prereleases. */
export function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0
  if (a === '' || b === '') return a === '' ? 1 : -1
  const [left, right] = [a.split('.'), b.split('.')]
  const length = Math.max(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const order = compareParts(left[index] ?? '', right[index] ?? '')
    if (order !== 0) return order
  }
  return 0
}

/** A missing part is lowest, then numbers, then text; two numbers of the same value are never equal in Go either. */
function compareParts(a: string, b: string): number {
  if (a === b) return 0
  const [first, second] = [rankOf(a), rankOf(b)]
  if (first.kind !== second.kind) return Math.sign(first.kind - second.kind)
  return first.value > second.value ? 1 : -1
}

/** What two different parts are compared by: their kind, and then their value. */
function rankOf(part: string): {readonly kind: number; readonly value: bigint | string} {
  if (part === '') return {kind: 0, value: part}
  const number = numberIn(part)
  return number === undefined ? {kind: 2, value: part} : {kind: 1, value: number}
}

/** Reads a part as uint64; a larger number is text. */
function numberIn(part: string): bigint | undefined {
  const number = /^[0-9]+$/.test(part) ? BigInt(part) : undefined
  return number === undefined || number > MAX_NUMBER.v3 ? undefined : number
}
