import {describe, expect, it} from '@jest/globals'
import {crdName, type PackageSummary} from '../../src/index/package-summary.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'
import type {SelectedPackage, Resolution} from '../../src/resolve/resolution.js'
import {shuffled} from '../shuffled.js'
import {bruteForce, type OpenRequirement, ownersIn, requirementsOf, rootsOf} from './oracle.js'
import {movingWorld, randomWorld, tangledWorld} from './random-world.js'
import {selected, explained, input as questionOf, solved, version} from './world.js'

const seeds = (count: number) => Array.from({length: count}, (_, index) => index + 1)

/** The oracle's answer, in the words of `selected`. */
function expected(input: SolverInput, ignored: ReadonlySet<string> = new Set()): readonly string[] | string {
  const answer = bruteForce(input, {ignored})
  if (answer === undefined) return 'unresolvable'
  const isOpen = [...rootsOf(input), ...[...answer.values()].flatMap(requirementsOf)].some(
    open => ownersIn(input, open) === 'open',
  )
  return isOpen ? 'ambiguous-owner' : [...answer.values()].map(({identity, tag}) => `${identity}:${tag}`)
}

/** More of them with another number: `SOLVED_WORLDS=4000`. */
const WORLDS = Number(process.env.SOLVED_WORLDS ?? 2000)

describe('the resolution of small random worlds', () => {
  it(`is that of brute force in each of ${WORLDS}, of which at least half defeat a greedy choice`, () => {
    const counts = {defeated: 0, rescued: 0, ambiguous: 0}
    for (const seed of seeds(WORLDS)) {
      const input = randomWorld(seed)
      const want = expected(input)
      expect({seed, answer: selected(solved(input))}).toEqual({seed, answer: want})
      const isDefeated = bruteForce(input, {isGreedy: true}) === undefined
      counts.defeated += Number(isDefeated)
      counts.rescued += Number(isDefeated && want !== 'unresolvable')
      counts.ambiguous += Number(want === 'ambiguous-owner')
    }
    expect(counts.defeated).toBeGreaterThanOrEqual(WORLDS / 2)
    expect(counts.rescued).toBeGreaterThan(WORLDS / 10)
    expect(counts.ambiguous).toBeGreaterThan(WORLDS / 100)
  })

  it('is that of brute force where all selections depend on each other', () => {
    const counts = {defeated: 0, rescued: 0}
    for (const seed of seeds(WORLDS / 4)) {
      const input = tangledWorld(seed)
      const want = expected(input)
      expect({seed, answer: selected(solved(input))}).toEqual({seed, answer: want})
      const isDefeated = bruteForce(input, {isGreedy: true}) === undefined
      counts.defeated += Number(isDefeated)
      counts.rescued += Number(isDefeated && want !== 'unresolvable')
    }
    expect(counts.defeated).toBeGreaterThan(0.9 * (WORLDS / 4))
    expect(counts.rescued).toBeGreaterThan(0.05 * (WORLDS / 4))
  })

  it('is accepted by an independent verifier', () => {
    let [verified, mismatched] = [0, 0]
    for (const seed of seeds(WORLDS / 2)) {
      for (const input of [randomWorld(seed), tangledWorld(seed), movingWorld(seed)]) {
        for (const allowVersionMismatch of [false, true]) {
          const result = solved(input, {allowVersionMismatch})
          if (result.kind === 'rejected') continue
          const accepted = acceptedIn(result.resolution)
          expect({seed, diagnostics: diagnosticsOf(input, result.resolution, accepted)}).toEqual({
            seed,
            diagnostics: [],
          })
          verified += 1
          mismatched += Number(accepted.size > 0)
        }
      }
    }
    expect(verified).toBeGreaterThan(WORLDS / 2)
    expect(mismatched).toBeGreaterThan(WORLDS / 40)
  })

  it('is rejected by that verifier after any single change', () => {
    const input = questionOf(
      ['a'],
      [
        version('a:v1.0.0', {requires: ['k.b.org/v1', '*.c.org']}),
        version('b:v1.0.0', {owns: ['k.b.org/v1']}),
        version('b:v2.0.0', {owns: ['k.b.org/v2']}),
        version('c:v1.0.0', {owns: ['k.c.org']}),
        version('d:v1.0.0', {owns: ['k.d.org']}),
        version('e:v1.0.0', {owns: ['k.c.org']}),
      ],
      {owners: [{group: 'c.org', identity: 'c'}]},
    )
    const result = solved(input)
    if (result.kind === 'rejected') throw new Error(result.message)
    const {resolution} = result
    const [a, b, c] = resolution.packages
    const [b2, d, e] = input.summaries.filter(({identity, tag}) =>
      /^[bde]:v2|^[de]/.test(`${identity}:${tag}`),
    )
    const wrong = [
      [a, b],
      [a, {...b, summary: b2}, c],
      [a, b, c, {summary: d, requires: []}],
      [a, b, c, {summary: e, requires: []}],
      [a, {...b, summary: {...b?.summary, crds: []}}, c],
      [a, b, c, {summary: b2, requires: []}],
    ] as Resolution['packages'][]
    const none = new Set<string>()
    expect(diagnosticsOf(input, resolution, none)).toEqual([])
    for (const packages of wrong) {
      expect(diagnosticsOf(input, {...resolution, packages}, none)).not.toEqual([])
    }
    expect(diagnosticsOf(input, {...resolution, installs: []}, none)).not.toEqual([])
  })

  it.each([
    {name: 'a lock', allowVersionMismatch: false, most: 500},
    {name: 'a lock with version mismatches', allowVersionMismatch: true, most: 700},
  ])('is the same with $name, also after other versions are published', ({allowVersionMismatch, most}) => {
    const counts = {resolved: 0, mismatched: 0}
    for (const seed of seeds(500)) {
      for (const input of [randomWorld(seed), tangledWorld(seed), movingWorld(seed)]) {
        const first = solved(input, {allowVersionMismatch})
        if (first.kind === 'rejected') continue
        const preferences = first.resolution.packages.map(each => lockedAs(each, first.resolution))
        const locked = {...input, preferences: shuffled(preferences, seed)}
        const later = {...locked, summaries: [...input.summaries, ...newcomers(input)]}
        const answers = [locked, later].map(each => selected(solved(each)))
        expect({seed, answers}).toEqual({seed, answers: [selected(first), selected(first)]})
        counts.resolved += 1
        counts.mismatched += Number(preferences.some(({accepted}) => accepted.length > 0))
      }
    }
    expect(counts.resolved).toBeGreaterThan(most)
    expect(counts.mismatched > 30).toBe(allowVersionMismatch)
  })

  it('does not depend on the order in which summaries, facts and rules arrive', () => {
    for (const seed of seeds(WORLDS / 4)) {
      for (const plain of [randomWorld(seed), tangledWorld(seed), movingWorld(seed)]) {
        const input = withFindings(plain, seed)
        const other = {
          ...input,
          summaries: shuffled(input.summaries, seed),
          unreadable: shuffled(input.unreadable, seed),
          excluded: shuffled(input.excluded, seed),
          facts: shuffled(input.facts, seed),
          owners: shuffled(input.owners, seed),
          preferences: shuffled(input.preferences, seed),
        }
        const [one, two] = [solved(input), solved(other)]
        expect({seed, answer: selected(two), words: explained(two)}).toEqual({
          seed,
          answer: selected(one),
          words: explained(one),
        })
        if (one.kind === 'resolved') expect(two).toEqual(one)
      }
    }
  })
})

/** A package of an answer as a lock has it. */
function lockedAs({summary: {identity, tag}, requirements}: SelectedPackage, {packages, roots}: Resolution) {
  const satisfies = [...roots, ...packages.flatMap(each => each.requirements)].flatMap(({requirement, by}) =>
    by.kind === 'package' && by.identity === identity ? [requirement.text] : [],
  )
  const accepted = requirements.flatMap(({requirement: {text}, by}) =>
    by.kind === 'package' && by.isMismatch ? [{text, owner: by.identity}] : [],
  )
  return {identity, tag, because: 'locked', accepted, satisfies} as const
}

/** A newer version of every package, which needs nothing, and a package of somebody else that owns all there is. */
function newcomers({summaries}: SolverInput): PackageSummary[] {
  const newer = summaries.map(each => ({...each, tag: 'v9.0.0', version: 'v9.0.0', dependsOn: []}))
  const owned = new Map(summaries.flatMap(({crds}) => crds.map(crd => [crdName(crd), crd] as const)))
  const squatter = {...version('squatter:v99.0.0'), crds: [...owned.values()]}
  return [...new Map(newer.map(each => [each.identity, each])).values(), squatter]
}

/** With some versions withdrawn or unreadable, and some chosen before. */
function withFindings(input: SolverInput, seed: number): SolverInput {
  const some = shuffled(input.summaries, seed + 1)
  const [yanked, dark, before] = [some.slice(0, 2), some.slice(2, 5), some.slice(5, 8)]
  const reason =
    (text: string) =>
    ({identity, tag}: PackageSummary) => ({identity, tag, reason: text})
  return {
    ...input,
    excluded: yanked.map(each => ({...reason('it squeaks')(each), kind: 'yanked'})),
    unreadable: dark.map(reason('it is dark')),
    preferences: before.map(({identity, tag}) => ({identity, tag, because: 'locked'})),
  }
}

/** Which version parts an answer ignores, as the oracle writes them. */
function acceptedIn({packages}: Resolution): ReadonlySet<string> {
  return new Set(
    packages.flatMap(({summary, requirements}) =>
      requirements.flatMap(({requirement, by}) =>
        by.kind === 'package' && by.isMismatch ? [`${summary.identity} ${requirement.text}`] : [],
      ),
    ),
  )
}

/** What of an answer is not as every answer must be. */
function diagnosticsOf(
  input: SolverInput,
  {packages, roots, installs}: Resolution,
  accepted: ReadonlySet<string>,
): string[] {
  const chosenSummaries = packages.map(({summary}) => summary)
  const crds = chosenSummaries.flatMap(summary => summary.crds.map(crdName))
  const known = input.summaries.map(summary => JSON.stringify(summary))
  const required: readonly OpenRequirement[] = [...rootsOf(input), ...chosenSummaries.flatMap(requirementsOf)]
  const serves = ({requirement, by}: OpenRequirement, {crds: owned}: PackageSummary) => {
    const [name = '', version] = requirement.split('/')
    const isAccepted = by !== undefined && accepted.has(`${by.identity} ${requirement}`)
    return (
      !requirement.includes('.') ||
      owned.some(
        crd =>
          (name === crdName(crd) || name === `*.${crd.group}`) &&
          (isAccepted || version === undefined || crd.served.includes(version)),
      )
    )
  }
  const ownersOf = (open: OpenRequirement) => {
    const owners = ownersIn(input, open)
    return typeof owners === 'string' ? [] : chosenSummaries.filter(({identity}) => owners.includes(identity))
  }
  const unsatisfied = required.filter(
    open => ownersIn(input, open) !== 'met' && !ownersOf(open).some(summary => serves(open, summary)),
  )
  const needed = new Set(required.flatMap(open => ownersOf(open).map(({identity}) => identity)))
  return [
    ...unsatisfied.map(({requirement}) => `${requirement} is not met`),
    ...chosenSummaries
      .filter(({identity}) => !needed.has(identity))
      .map(({identity}) => `nobody needs ${identity}`),
    ...(new Set(crds).size === crds.length ? [] : ['a CRD has two owners']),
    ...(new Set(chosenSummaries.map(({identity}) => identity)).size === packages.length
      ? []
      : ['a package has two versions']),
    ...(chosenSummaries.every(summary => known.includes(JSON.stringify(summary))) ? [] : ['made up']),
    ...(roots.length === input.roots.length ? [] : ['something asked for is lost']),
    ...(new Set(installs.map(({summary}) => summary.identity)).size === packages.length
      ? []
      : ['a package is not installed']),
  ]
}

describe('accepting version mismatches', () => {
  /** Requirements with a version, as package and text, sorted. */
  const partsOf = ({summaries}: SolverInput) =>
    [
      ...new Set(
        summaries.flatMap(({identity, dependsOn}) =>
          dependsOn.flatMap(each =>
            'crd' in each && each.crd.includes('/') ? [`${identity} ${each.crd}`] : [],
          ),
        ),
      ),
    ].sort()

  /** All sets of a size, in the order of their members. */
  function* sets(members: readonly string[], size: number, from = 0): Generator<string[]> {
    if (size === 0) yield []
    if (size === 0) return
    for (let index = from; index < members.length; index += 1) {
      for (const rest of sets(members, size - 1, index + 1)) yield [members[index]!, ...rest]
    }
  }

  it('accepts the smallest set that gives a resolution, and the first of equal sets', () => {
    let accepted = 0
    for (const seed of seeds(600)) {
      const input = randomWorld(seed)
      if (expected(input) !== 'unresolvable') continue
      const parts = partsOf(input)
      const limit = 3
      let want: readonly string[] | string = 'unresolvable'
      let isKnown = false
      for (let size = 0; size <= limit && !isKnown; size += 1) {
        for (const ignored of sets(parts, size)) {
          want = expected(input, new Set(ignored))
          isKnown = want !== 'unresolvable'
          if (isKnown) break
        }
      }
      if (!isKnown && parts.length > limit) continue
      const result = solved(input, {allowVersionMismatch: true})
      expect({seed, answer: selected(result)}).toEqual({seed, answer: want})
      accepted += Number(isKnown)
    }
    expect(accepted).toBeGreaterThan(30)
  })
})
