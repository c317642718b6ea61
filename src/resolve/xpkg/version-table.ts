import {compareText} from '../../reference/compare-text.js'
import type {ConstraintRules} from '../../xpkg/constraints/constraint-rules.js'
import {type Constraint, readConstraint, satisfies} from '../../xpkg/constraints/constraint.js'
import {
  candidateVersion,
  comparePrecedence,
  readVersion,
  type SemanticVersion,
} from '../../xpkg/constraints/version.js'

/** The versions of a repository, in the order in which they are tried. */
export interface VersionList {
  readonly versions: readonly string[]
  /** The place of each version. */
  readonly positions: ReadonlyMap<string, number>
}

/** What the models of one resolution read and evaluate once, since it depends on texts only. */
export class VersionTable {
  readonly #rules: readonly ConstraintRules[]
  readonly #versions = new Map<string, readonly (SemanticVersion | undefined)[]>()
  readonly #constraints = new Map<string, readonly (Constraint | undefined)[]>()
  readonly #candidates = new Map<readonly string[], readonly string[]>()
  readonly #lists = new Map<string, VersionList>()
  readonly #accepted = new Map<VersionList, Map<string, bigint>>()

  constructor(rules: readonly ConstraintRules[]) {
    this.#rules = rules
  }

  /** Returns the list of a repository, the same one as long as it has the same versions. */
  list(repository: string, versions: readonly string[]): VersionList {
    const existing = this.#lists.get(repository)
    if (
      existing?.versions.length === versions.length &&
      versions.every((text, at) => text === existing.versions[at])
    )
      return existing
    const positions = new Map(versions.map((version, position) => [version, position]))
    const list = {versions, positions}
    this.#lists.set(repository, list)
    return list
  }

  /** Returns the versions among tags, newest first. */
  candidates(tags: readonly string[]): readonly string[] {
    const cached = this.#candidates.get(tags)
    if (cached !== undefined) return cached
    const candidates = tags
      .filter(tag => this.isVersion(tag))
      .map(tag => ({tag, version: readVersion(tag, 'v1')}))
      .sort(newestFirst)
      .map(({tag}) => tag)
    this.#candidates.set(tags, candidates)
    return candidates
  }

  /** Reports whether a tag is a version under all rules. */
  isVersion(tag: string): boolean {
    return this.#rules.every(rules => candidateVersion(tag, rules) !== undefined)
  }

  /** Reports whether all rules read a constraint. */
  isConstraint(text: string): boolean {
    return this.#constraint(text).every(read => read !== undefined)
  }

  /** The versions of a list that satisfy a constraint under all rules, as bits. */
  accepted(list: VersionList, constraint: string): bigint {
    const own = this.#accepted.get(list) ?? new Map<string, bigint>()
    this.#accepted.set(list, own)
    const cached = own.get(constraint)
    if (cached !== undefined) return cached
    const read = this.#constraint(constraint)
    const accepted = bitsOf(list.versions, version => this.#satisfies(version, read))
    own.set(constraint, accepted)
    return accepted
  }

  /** Reports whether a version is a prerelease that a constraint would accept if it were its release. */
  isOnlyPrerelease(text: string, constraint: string): boolean {
    const release = /^(v?\d+\.\d+\.\d+)-/.exec(text)?.[1]
    if (release === undefined) return false
    const read = this.#constraint(constraint)
    return this.#satisfies(release, read) && !this.#satisfies(text, read)
  }

  #satisfies(text: string, constraint: readonly (Constraint | undefined)[]): boolean {
    const versions = this.#version(text)
    return constraint.every((read, at) => {
      const version = versions[at]
      return version !== undefined && read !== undefined && satisfies(read, version)
    })
  }

  #version(text: string): readonly (SemanticVersion | undefined)[] {
    return once(this.#versions, text, () => this.#rules.map(rules => readVersion(text, rules)))
  }

  #constraint(text: string): readonly (Constraint | undefined)[] {
    return once(this.#constraints, text, () => this.#rules.map(rules => readConstraint(text, rules)))
  }
}

/** The items for which a condition holds, as bits. */
export function bitsOf<Item>(items: readonly Item[], holds: (item: Item) => boolean): bigint {
  let bits = 0n
  for (const [position, item] of items.entries()) if (holds(item)) bits |= 1n << BigInt(position)
  return bits
}

function once<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const made = values.get(key)
  if (made !== undefined) return made
  const value = make()
  values.set(key, value)
  return value
}

interface ReadTag {
  readonly tag: string
  readonly version: SemanticVersion | undefined
}

function newestFirst(a: ReadTag, b: ReadTag): number {
  if (a.version === undefined || b.version === undefined) return 0
  return comparePrecedence(b.version, a.version) || compareText(a.tag, b.tag)
}
