import {coreRules} from '../../../src/xpkg/constraints/constraint-rules.js'
import {randomXpkgs, type TestVersion, type XpkgWorld} from '../../resolve/xpkg/random-xpkgs.js'
import {firstSelection} from '../../resolve/xpkg/xpkg-oracle.js'
import {crossplane} from '../../cluster/servers.js'
import type {AuthoredPackage} from './published-packages.js'

const HOST = 'r.example.org/x'
const WORLDS = 100_000

/**
 * Returns packages below a path, and one of them to install with others. Nothing requires itself, or a digest. In a hard
 * world, the newest versions are wrong for some: Crossplane alone could not install it.
 */
export function randomWorld(path: string, seed: number, isHard = true) {
  const moved = (repository: string) => repository.replace(HOST, path)
  const world = solvableWorld(seed, isHard)
  const packages = world.versions.map(({repository, tag, kind, requires, core}): AuthoredPackage => ({
    repository: moved(repository),
    tag,
    kind,
    ...(core === undefined ? {} : {crossplane: core.text}),
    requires: requires.map(({to, kind: required, constraint}) => ({
      kind: required,
      repository: moved(to),
      version: 'digest' in constraint ? constraint.digest : constraint.text,
    })),
  }))
  const [root] = world.roots
  return {packages, root: `${moved(root?.repository ?? '')}:${root?.version}`}
}

/** The number of the first world, apart from those of neighboring seeds. */
function solvableWorld(seed: number, isHard: boolean): XpkgWorld {
  for (let number = seed * WORLDS; number < (seed + 1) * WORLDS; number += 1) {
    const world = randomXpkgs(number)
    const [root, ...others] = world.roots
    if (others.length > 0 || root?.version?.startsWith('v') !== true) continue
    const coreVersion = `v${crossplane.version}`
    const request = {roots: world.roots, rules: coreRules(coreVersion), coreVersion}
    if (isHard && firstSelection(world, {...request, isGreedy: true}) !== undefined) continue
    const selected = firstSelection(world, request)
    if (selected !== undefined && isResolvableByCore(selected)) return world
  }
  throw new Error(`no world of seed ${seed} fits`)
}

function isResolvableByCore(selected: readonly TestVersion[]): boolean {
  const byName = new Map(selected.map(version => [version.repository, version]))
  const isAcyclic = (version: TestVersion, path: readonly string[]): boolean =>
    !path.includes(version.repository) &&
    version.requires.every(({to}) => isAcyclic(byName.get(to)!, [...path, version.repository]))
  const hasDigests = selected.some(({requires}) => requires.some(({constraint}) => 'digest' in constraint))
  return selected.length > 2 && !hasDigests && selected.every(version => isAcyclic(version, []))
}
