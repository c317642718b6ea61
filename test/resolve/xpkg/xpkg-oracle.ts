import type {XpkgRoot} from '../../../src/resolve/xpkg/xpkg-catalog.js'
import type {ConstraintRules} from '../../../src/xpkg/constraints/constraint-rules.js'
import {newestOf, type TestRequirement, type TestVersion, type XpkgWorld} from './random-xpkgs.js'

export interface OracleOptions {
  readonly rules: readonly ConstraintRules[]
  /** The digests of versions to try before all others. */
  readonly preferred?: ReadonlyMap<string, string>
  /** Whether a preferred version is the only one of its repository. */
  readonly isOnly?: boolean
  /** Whether the first choice is never taken back. */
  readonly isGreedy?: boolean
}

interface Open {
  readonly to: string
  readonly accepts: (candidate: TestVersion) => boolean
}

/** The first selection in which everything holds, breadth-first, newest first; it tries them all. */
export function firstSelection(world: XpkgWorld, options: OracleOptions): readonly TestVersion[] | undefined {
  const search = (
    selected: ReadonlyMap<string, TestVersion>,
    open: readonly Open[],
  ): ReadonlyMap<string, TestVersion> | undefined => {
    const [first, ...others] = open
    if (first === undefined) return selected
    const current = selected.get(first.to)
    if (current !== undefined) return first.accepts(current) ? search(selected, others) : undefined
    for (const candidate of candidates(first.to, world, options)) {
      if (!first.accepts(candidate)) continue
      const next = new Map([...selected, [first.to, candidate]])
      const requires = candidate.requires.map(requirement => openOf(requirement, options))
      const result = fitsCore(candidate) ? search(next, [...others, ...requires]) : undefined
      if (result !== undefined || options.isGreedy === true) return result
    }
    return undefined
  }
  const result = search(
    new Map(),
    world.roots.map(root => openRoot(root, world)),
  )
  return result === undefined ? undefined : [...result.values()]
}

function fitsCore({core}: TestVersion): boolean {
  return core === undefined || core.accepts([2, 0], 'v3')
}

function candidates(
  repository: string,
  {versions}: XpkgWorld,
  {preferred, isOnly}: OracleOptions,
): readonly TestVersion[] {
  const all = versions.filter(version => version.repository === repository).reverse()
  const first = all.filter(({digest}) => digest === preferred?.get(repository))
  if (isOnly === true && preferred?.has(repository) === true) return first
  return [...first, ...all.filter(version => !first.includes(version))]
}

function openOf({to, kind, constraint}: TestRequirement, {rules}: OracleOptions): Open {
  return {
    to,
    accepts: candidate =>
      candidate.kind === kind &&
      ('digest' in constraint
        ? candidate.digest === constraint.digest
        : rules.every(rule => constraint.accepts(candidate.version, rule))),
  }
}

function openRoot({repository, version, constraint}: XpkgRoot, world: XpkgWorld): Open {
  const accepts = (candidate: TestVersion): boolean => {
    if (version === 'latest') return candidate === newestOf(repository, world)
    if (version !== undefined) return candidate.tag === version
    return constraint === undefined || constraint === '*' || candidate.version[0] === 1
  }
  return {to: repository, accepts}
}
