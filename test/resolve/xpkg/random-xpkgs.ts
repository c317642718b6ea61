import {CrossplaneError} from '../../../src/errors.js'
import type {XpkgCatalog, XpkgContent, XpkgRoot} from '../../../src/resolve/xpkg/xpkg-catalog.js'
import type {ConstraintRules} from '../../../src/xpkg/constraints/constraint-rules.js'
import {random} from '../../shuffled.js'

/** A constraint, and what it means: the oracle reads no constraints. */
interface TestConstraint {
  readonly text: string
  readonly accepts: (version: Version, rules: ConstraintRules) => boolean
}

type Version = readonly [major: number, minor: number]

export interface TestRequirement {
  readonly to: string
  readonly kind: string
  readonly constraint: TestConstraint | {readonly digest: string}
}

export interface TestVersion {
  readonly repository: string
  readonly version: Version
  readonly tag: string
  readonly digest: string
  readonly kind: string
  readonly requires: readonly TestRequirement[]
  readonly core?: TestConstraint
}

export interface XpkgWorld {
  readonly versions: readonly TestVersion[]
  readonly roots: readonly XpkgRoot[]
}

const compare = (a: Version, b: Version) => a[0] - b[0] || a[1] - b[1]

/** `<2` accepts every 2.x for an old core, and `^0.1` every 0.x. */
const CONSTRAINTS: readonly TestConstraint[] = [
  {text: '*', accepts: () => true},
  {text: '>=v1.1.0', accepts: version => compare(version, [1, 1]) >= 0},
  {text: '<v2.0.0', accepts: version => version[0] < 2},
  {text: '>=1.0.0, <1.2.0', accepts: version => version[0] === 1 && version[1] < 2},
  {text: 'v1', accepts: version => version[0] === 1},
  {text: 'v1.1.0', accepts: version => compare(version, [1, 1]) === 0},
  {text: 'v2.0.0', accepts: version => compare(version, [2, 0]) === 0},
  {text: '<2', accepts: (version, rules) => version[0] < 2 || (rules === 'v1' && version[0] === 2)},
  {text: 'v1.0', accepts: version => compare(version, [1, 0]) === 0},
  {text: '>=v2.0.0 || <v1.1.0', accepts: version => version[0] >= 2 || compare(version, [1, 1]) < 0},
]

const CORE_CONSTRAINTS: readonly TestConstraint[] = [
  {text: '>=v1.20.0', accepts: () => true},
  {text: '>=v9.0.0', accepts: () => false},
]

/** A small world in which the newest version is often wrong. `count` is the number of versions of each package. */
export function randomXpkgs(seed: number, count = 4): XpkgWorld {
  const next = random(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new RangeError('there is nothing to pick from')
    return item
  }
  const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 3 + below(3)).map(name => `r.example.org/x/${name}`)
  const numbers: readonly Version[] = [
    [1, 0],
    [1, 1],
    [1, 2],
    [2, 0],
  ]
  const kinds = new Map(names.map(name => [name, next() < 0.8 ? 'Provider' : 'Function']))
  const requirement = (): TestRequirement => {
    const to = pick(names)
    const isDigest = next() < 0.1
    const constraint = isDigest ? {digest: digestOf(to, pick(numbers))} : pick(CONSTRAINTS)
    return {to, kind: next() < 0.95 ? (kinds.get(to) ?? '') : 'Configuration', constraint}
  }
  const versions = names.flatMap(repository =>
    numbers.slice(0, count).flatMap((version): TestVersion[] => {
      if (next() < 0.2) return []
      const requires = Array.from({length: below(3)}, requirement)
      const [major, minor] = version
      return [
        {
          ...{repository, version, tag: `v${major}.${minor}.0`, digest: digestOf(repository, version)},
          ...{kind: kinds.get(repository) ?? '', requires},
          ...(next() < 0.15 ? {core: pick(CORE_CONSTRAINTS)} : {}),
        },
      ]
    }),
  )
  const roots = names.slice(0, 1 + below(2)).map((repository): XpkgRoot => {
    const form = next()
    if (form < 0.4) return {repository}
    if (form < 0.6) return {repository, constraint: pick(['*', '<v2.0.0', 'v1'])}
    return {repository, version: form < 0.9 ? pick(['v1.0.0', 'v1.1.0', 'v2.0.0']) : 'latest'}
  })
  return {versions, roots}
}

function digestOf(repository: string, [major, minor]: Version): string {
  const text = `${repository.charCodeAt(repository.length - 1)}${major}${minor}`
  return `sha256:${text.padStart(64, '0')}`
}

/** `latest` is the newest version, as another tag of its bytes. */
export function newestOf(repository: string, {versions}: XpkgWorld): TestVersion | undefined {
  return versions.filter(version => version.repository === repository).at(-1)
}

export function catalogOf(world: XpkgWorld): XpkgCatalog {
  const own = (repository: string) => world.versions.filter(version => version.repository === repository)
  const find = (repository: string, version: string) =>
    version === 'latest'
      ? newestOf(repository, world)
      : own(repository).find(({tag, digest}) => tag === version || digest === version)
  return {
    tags: repository => {
      const tags = own(repository).map(({tag}) => tag)
      return Promise.resolve(tags.length === 0 ? [] : ['latest', ...tags])
    },
    read: async (repository, version) => {
      const one = find(repository, version)
      if (one === undefined) throw new CrossplaneError('not-found', 'no such version')
      return await Promise.resolve(contentOf(one))
    },
    digestOf: (repository, tag) => Promise.resolve(find(repository, tag)?.digest),
  }
}

function contentOf({kind, digest, requires, core}: TestVersion): XpkgContent {
  return {
    kind,
    digest,
    ...(core === undefined ? {} : {crossplane: core.text}),
    dependencies: requires.map(({to, kind: as, constraint}) => ({
      ...{apiVersion: 'pkg.crossplane.io/v1', kind: as, package: to},
      version: 'digest' in constraint ? constraint.digest : constraint.text,
    })),
  }
}
