import {coreRules} from '../../../src/xpkg/constraints/constraint-rules.js'
import {crossplane} from '../../cluster/servers.js'
import {randomXpkgs, type TestVersion} from '../../resolve/xpkg/random-xpkgs.js'
import {firstSelection} from '../../resolve/xpkg/xpkg-oracle.js'
import type {AuthoredPackage} from './published-packages.js'

const HOST = 'r.example.org/x'
const MAX_TRIES = 10_000

/** A package of a declaration, with the tag that it has first and the newest one. */
interface DeclaredPackage {
  readonly repository: string
  readonly tag: string
  readonly newest: string
}

/** Packages of which a declaration names some, and what their publishers add later. */
export interface BumpedWorld {
  readonly before: readonly AuthoredPackage[]
  readonly later: readonly AuthoredPackage[]
  readonly declared: readonly DeclaredPackage[]
}

/**
 * Returns a world below a path. The declared packages are the newest that fit at first; one of them requires another package, and one has
 * a newer version later. As in most real packages, no version requires itself, even by others, a digest or another kind.
 */
export function bumpedWorld(path: string, random: () => number): BumpedWorld {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const versions = randomXpkgs(Math.floor(random() * 2 ** 32)).versions.map(ordered)
    const world = worldOf(path, versions, random)
    if (world !== undefined) return world
  }
  throw new Error(`no world fits in ${MAX_TRIES} tries`)
}

function worldOf(
  path: string,
  versions: readonly TestVersion[],
  random: () => number,
): BumpedWorld | undefined {
  const isFirst = ({version: [major, minor]}: TestVersion) => major === 1 && minor < 2
  const before = versions.filter(isFirst)
  const roots = [...new Set(before.map(({repository}) => repository))]
    .filter(() => random() < 0.6)
    .map(repository => ({repository}))
  const coreVersion = `v${crossplane.version}`
  const selected = firstSelection({versions: before, roots}, {rules: coreRules(coreVersion)}) ?? []
  const requested = selected.filter(one => roots.some(({repository}) => repository === one.repository))
  const moved = (repository: string) => repository.replace(HOST, path)
  const declared = requested.map(({repository, tag}) => ({
    ...{repository: moved(repository), tag},
    newest: versions.filter(one => one.repository === repository).at(-1)!.tag,
  }))
  const isBumped = declared.some(({tag, newest}) => newest !== tag)
  if (!isBumped || !selected.some(({requires}) => requires.length > 0)) return undefined
  const authored = versions.map(one => authoredOf(one, moved))
  return {
    before: authored.filter((_one, index) => isFirst(versions[index]!)),
    later: authored.filter((_one, index) => !isFirst(versions[index]!)),
    declared,
  }
}

/** Without requirements of packages that come first by name, so that there is no cycle. */
function ordered(version: TestVersion, _index: number, all: readonly TestVersion[]): TestVersion {
  const kinds = new Map(all.map(({repository, kind}) => [repository, kind]))
  const fitting = version.requires.filter(
    ({to, kind, constraint}) =>
      to > version.repository && kind === kinds.get(to) && !('digest' in constraint),
  )
  const requires = new Map(fitting.map(one => [one.to, one]))
  return {...version, requires: [...requires.values()]}
}

function authoredOf(
  {repository, tag, kind, requires, core}: TestVersion,
  moved: (repository: string) => string,
): AuthoredPackage {
  return {
    ...{repository: moved(repository), tag, kind},
    ...(core === undefined ? {} : {crossplane: core.text}),
    requires: requires.flatMap(({to, kind: required, constraint}) =>
      'digest' in constraint ? [] : {kind: required, repository: moved(to), version: constraint.text},
    ),
  }
}
