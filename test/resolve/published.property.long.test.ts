import {describe, expect, it} from '@jest/globals'
import type {PackageSummary} from '../../src/index/package-summary.js'
import type {Resolution} from '../../src/resolve/resolution.js'
import type {Preference, SolverInput} from '../../src/resolve/solver-input.js'
import {random} from '../shuffled.js'
import {bruteForce, ownersIn, requirementsOf, rootsOf} from './oracle.js'
import {movingWorld, randomWorld} from './random-world.js'
import {ownersOf, selected, solved, version} from './world.js'

// Worlds in which versions are published and forged between runs. Whatever appears, a plain run changes neither an owner
// that owners: or the lock assigns, nor a locked version.

const WORLDS = 600

/** An answer as a lock has it. */
function lockOf({packages, roots}: Resolution): Preference[] {
  const requirements = [...roots, ...packages.flatMap(each => each.requirements)]
  return packages.map(({summary: {identity, tag}}) => ({
    identity,
    tag,
    because: 'locked',
    satisfies: requirements.flatMap(({requirement, by}) =>
      by.kind === 'package' && by.identity === identity ? [requirement.text] : [],
    ),
  }))
}

/** What somebody publishes: versions of any package, stable or not, that own and require anything; some are forged. */
function published({summaries}: SolverInput, seed: number) {
  const next = random(seed + 77)
  const below = (count: number) => Math.floor(next() * count)
  const crds = [...new Map(summaries.flatMap(each => each.crds.map(crd => [JSON.stringify(crd), crd])))].map(
    ([, crd]) => crd,
  )
  const identities = [...new Set(summaries.map(({identity}) => identity)), 'squatter']
  const dependencies = summaries.flatMap(({dependsOn}) => dependsOn)
  const versions = Array.from({length: 1 + below(5)}, (_, index): PackageSummary => {
    const identity = identities[below(identities.length)] ?? 'squatter'
    const suffix = next() < 0.3 ? '-rc.1' : ''
    const owned = crds.filter(() => next() < 0.5)
    const names = owned.map(({group, plural}) => `${plural}.${group}`)
    return {
      ...version(`${identity}:v${9 + index}.0.0${suffix}`),
      crds: owned.filter(({group, plural}, at) => names.indexOf(`${plural}.${group}`) === at),
      dependsOn: dependencies.filter(() => next() < 0.1),
    }
  })
  const forged = versions.filter(() => next() < 0.3)
  return {
    versions,
    excluded: forged.map(({identity, tag}) => ({
      identity,
      tag,
      kind: 'vanished' as const,
      reason: 'the registry does not have it',
    })),
  }
}

const expected = (input: SolverInput) => {
  const answer = bruteForce(input)
  if (answer === undefined) return 'unresolvable'
  const open = [...rootsOf(input), ...[...answer.values()].flatMap(requirementsOf)]
  if (open.some(each => ownersIn(input, each) === 'open')) return 'ambiguous-owner'
  return [...answer.values()].map(({identity, tag}) => `${identity}:${tag}`)
}

describe('worlds in which versions are published and forged between runs', () => {
  it(`keep locked versions and owners in each of ${WORLDS}`, () => {
    let locks = 0
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      for (const world of [randomWorld(seed), movingWorld(seed)]) {
        const first = solved(world)
        if (first.kind === 'rejected') continue
        const {versions, excluded} = published(world, seed)
        const later = {
          ...world,
          summaries: [...world.summaries, ...versions],
          excluded,
          preferences: lockOf(first.resolution),
        }
        const second = solved(later)
        expect({seed, answer: selected(second)}).toEqual({seed, answer: selected(first)})
        if (second.kind === 'resolved') {
          expect([...ownersOf(second.resolution)]).toEqual([...ownersOf(first.resolution)])
        }
        locks += 1
      }
    }
    expect(locks).toBeGreaterThan(WORLDS / 2)
  })

  it('keep assigned owners and give the same result as the oracle', () => {
    const counts = {changed: 0, resolved: 0}
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      for (const world of [randomWorld(seed), movingWorld(seed)]) {
        const {versions, excluded} = published(world, seed)
        const later = {...world, summaries: [...world.summaries, ...versions]}
        const without = new Set(excluded.map(({identity, tag}) => `${identity}:${tag}`))
        const visible = {
          ...later,
          summaries: later.summaries.filter(({identity, tag}) => !without.has(`${identity}:${tag}`)),
        }
        const result = solved({...later, excluded})
        expect({seed, answer: selected(result)}).toEqual({seed, answer: expected(visible)})
        counts.changed += Number(selected(result) !== selected(solved(world)))
        if (result.kind === 'rejected') continue
        counts.resolved += 1
        for (const {group, identity} of world.owners) {
          for (const [key, owner] of ownersOf(result.resolution)) {
            if (key.includes(`.${group}`)) expect({seed, owner}).not.toEqual({seed, owner: 'squatter'})
            if (key.includes(`.${group}/`)) expect([identity, 'fact']).toContain(owner)
          }
        }
      }
    }
    expect(counts.changed).toBeGreaterThan(WORLDS / 10)
    expect(counts.resolved).toBeGreaterThan(WORLDS / 10)
  })

  it('keep locked versions when the declaration gains a root', () => {
    let resolved = 0
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      const world = randomWorld(seed)
      const first = solved(world)
      if (first.kind === 'rejected') continue
      const {versions, excluded} = published(world, seed)
      const [newcomer] = versions
      if (newcomer === undefined) continue
      const root = {form: 'package', text: newcomer.identity, identity: newcomer.identity} as const
      const later = {
        ...world,
        roots: [...world.roots, {requirement: root}],
        summaries: [...world.summaries, ...versions],
        excluded,
        preferences: lockOf(first.resolution),
      }
      const second = solved(later)
      if (second.kind === 'rejected') continue
      const [before, after] = [ownersOf(first.resolution), ownersOf(second.resolution)]
      const kept = [...before].filter(([key]) => after.has(key))
      expect({seed, owners: kept.map(([key]) => [key, after.get(key)])}).toEqual({seed, owners: kept})
      resolved += 1
    }
    expect(resolved).toBeGreaterThan(WORLDS / 20)
  })
})
