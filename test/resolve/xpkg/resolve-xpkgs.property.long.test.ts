import {describe, expect, it} from '@jest/globals'
import {resolveHeld} from '../../../src/resolve/xpkg/held-xpkgs.js'
import {lockedXpkgs} from '../../../src/resolve/xpkg/locked-xpkg.js'
import {resolveXpkgs, type XpkgResolution} from '../../../src/resolve/xpkg/resolve-xpkgs.js'
import {CONSTRAINT_RULES, type ConstraintRules} from '../../../src/xpkg/constraints/constraint-rules.js'
import {catalogOf, randomXpkgs, type TestVersion, type XpkgWorld} from './random-xpkgs.js'
import {firstSelection} from './xpkg-oracle.js'

const WORLDS = 3000
const RULES: readonly (readonly ConstraintRules[])[] = [['v1'], ['v3'], CONSTRAINT_RULES]
const CORES: Readonly<Record<string, string>> = {v1: 'v2.2.1', v3: 'v2.3.4'}
const budget = {isSpent: () => false}

function requestOf({roots}: XpkgWorld, seed: number) {
  const rules = RULES[seed % RULES.length] ?? CONSTRAINT_RULES
  return {roots, rules, coreVersion: CORES[rules[0] ?? 'v1'] ?? ''}
}

/** Bytes, since a digest and a tag can name the same ones. */
function selectedBytes(result: XpkgResolution): readonly string[] | undefined {
  if (result.kind === 'rejected') return undefined
  return result.packages.map(({repository, digest = ''}) => `${repository}@${digest}`)
}

function bytesOf(versions: readonly TestVersion[] | undefined): readonly string[] | undefined {
  return versions?.map(({repository, digest}) => `${repository}@${digest}`)
}

const seeds = Array.from({length: WORLDS}, (_, index) => index + 1)

describe('the resolution of small random worlds of packages for a current Crossplane', () => {
  it(`is that of brute force in each of ${WORLDS}, of which many defeat a greedy choice`, async () => {
    const counts = {resolved: 0, rescued: 0}
    for (const seed of seeds) {
      const world = randomXpkgs(seed)
      const request = requestOf(world, seed)
      const want = bytesOf(firstSelection(world, request))
      const result = selectedBytes(await resolveXpkgs(request, catalogOf(world), budget))
      expect({seed, result}).toEqual({seed, result: want})
      counts.resolved += Number(want !== undefined)
      const greedy = firstSelection(world, {...request, isGreedy: true})
      counts.rescued += Number(want !== undefined && greedy === undefined)
    }
    expect(counts.resolved).toBeGreaterThan(WORLDS / 4)
    expect(counts.rescued).toBeGreaterThan(WORLDS / 50)
  })

  it('keeps all locked versions if they fit, and otherwise changes as little as the order allows', async () => {
    const counts = {kept: 0, moved: 0}
    for (const seed of seeds) {
      const old = randomXpkgs(seed, 3)
      const first = await resolveXpkgs(requestOf(old, seed), catalogOf(old), budget)
      if (first.kind === 'rejected') continue
      const world = changedWorld(old, seed)
      const locked = lockedXpkgs(first.packages, old.roots)
      // Bytes without a tag satisfy no constraint, so that they can be lost with the requirement by digest.
      if (locked.some(({tag}) => tag === undefined || tag === 'latest')) continue
      const preferred = new Map(locked.map(({repository, digest = ''}) => [repository, digest]))
      const heldXpkgs = {packages: locked, isBinding: false, isUpgrade: false, name: 'lock', remedy: 'lock'}
      const request = requestOf(world, seed)
      const result = selectedBytes(await resolveHeld(request, catalogOf(world), heldXpkgs, budget))
      const kept = firstSelection(world, {...request, preferred, isOnly: true})
      const want = kept ?? firstSelection(world, {...request, preferred})
      expect({seed, result}).toEqual({seed, result: bytesOf(want)})
      counts.kept += Number(kept !== undefined)
      counts.moved += Number(kept === undefined && want !== undefined)
    }
    expect(counts.kept).toBeGreaterThan(WORLDS / 20)
    expect(counts.moved).toBeGreaterThan(WORLDS / 200)
  })
})

/** The same packages with newer versions, requested otherwise. */
function changedWorld({versions}: XpkgWorld, seed: number): XpkgWorld {
  const more = randomXpkgs(seed + 1_000_000)
  const names = new Set(versions.map(({repository, tag}) => `${repository}:${tag}`))
  const added = more.versions.filter(({repository, tag}) => !names.has(`${repository}:${tag}`))
  const all = [...versions, ...added]
  return {
    roots: more.roots.map(root => (root.version === 'latest' ? {repository: root.repository} : root)),
    versions: all.sort((a, b) => a.version[0] - b.version[0] || a.version[1] - b.version[1]),
  }
}
