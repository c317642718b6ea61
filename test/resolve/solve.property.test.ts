import {describe, expect, it} from '@jest/globals'
import {crdName, type PackageSummary} from '../../src/index/package-summary.js'
import type {Question} from '../../src/resolve/question.js'
import type {SelectedPackage, Resolution} from '../../src/resolve/resolution.js'
import {shuffled} from '../shuffled.js'
import {bruteForce, ownerIn} from './oracle.js'
import {movingWorld, randomWorld, tangledWorld} from './random-world.js'
import {selected, explained, question as questionOf, solved, version} from './world.js'

const seeds = (count: number) => Array.from({length: count}, (_, index) => index + 1)

/** What the oracle says, in the words of `chosen`. */
function expected(question: Question, ignored: ReadonlySet<string> = new Set()): readonly string[] | string {
  const answer = bruteForce(question, {ignored})
  if (answer === undefined) return 'unresolvable'
  const isOpen = [
    ...question.roots.map(({need}) => ({need: need.form === 'package' ? need.identity : need.text})),
    ...[...answer.values()].flatMap(by =>
      by.dependsOn.map(each => ({need: 'crd' in each ? each.crd : each.package, by})),
    ),
  ].some(open => ownerIn(question, open) === 'open')
  return isOpen ? 'ambiguous-owner' : [...answer.values()].map(({identity, tag}) => `${identity}:${tag}`)
}

describe('the answer to small random worlds', () => {
  const WORLDS = 4000

  it(`is that of brute force in each of ${WORLDS}, of which at least half defeat the greedy choice`, () => {
    const counts = {defeated: 0, rescued: 0, ambiguous: 0}
    for (const seed of seeds(WORLDS)) {
      const question = randomWorld(seed)
      const want = expected(question)
      expect({seed, answer: selected(solved(question))}).toEqual({seed, answer: want})
      const isDefeated = bruteForce(question, {isGreedy: true}) === undefined
      counts.defeated += Number(isDefeated)
      counts.rescued += Number(isDefeated && want !== 'unresolvable')
      counts.ambiguous += Number(want === 'ambiguous-owner')
    }
    expect(counts.defeated).toBeGreaterThanOrEqual(WORLDS / 2)
    expect(counts.rescued).toBeGreaterThan(WORLDS / 10)
    expect(counts.ambiguous).toBeGreaterThan(WORLDS / 100)
  })

  it('is that of brute force where every choice is tangled with every other', () => {
    const counts = {defeated: 0, rescued: 0}
    for (const seed of seeds(1000)) {
      const question = tangledWorld(seed)
      const want = expected(question)
      expect({seed, answer: selected(solved(question))}).toEqual({seed, answer: want})
      const isDefeated = bruteForce(question, {isGreedy: true}) === undefined
      counts.defeated += Number(isDefeated)
      counts.rescued += Number(isDefeated && want !== 'unresolvable')
    }
    expect(counts.defeated).toBeGreaterThan(900)
    expect(counts.rescued).toBeGreaterThan(50)
  })

  it('holds up to a verifier that knows nothing of how it was found', () => {
    let [verified, mismatched] = [0, 0]
    for (const seed of seeds(2000)) {
      for (const question of [randomWorld(seed), tangledWorld(seed), movingWorld(seed)]) {
        for (const allowVersionMismatch of [false, true]) {
          const result = solved(question, {allowVersionMismatch})
          if (result.kind === 'refused') continue
          const accepted = acceptedIn(result.resolution)
          expect({seed, diagnostics: faultsOf(question, result.resolution, accepted)}).toEqual({
            seed,
            diagnostics: [],
          })
          verified += 1
          mismatched += Number(accepted.size > 0)
        }
      }
    }
    expect(verified).toBeGreaterThan(2000)
    expect(mismatched).toBeGreaterThan(100)
  })

  it('is found wrong by that verifier wherever something of it is changed', () => {
    const question = questionOf(
      ['a'],
      [
        version('a:v1.0.0', {needs: ['k.b.org/v1', '*.c.org']}),
        version('b:v1.0.0', {owns: ['k.b.org/v1']}),
        version('b:v2.0.0', {owns: ['k.b.org/v2']}),
        version('c:v1.0.0', {owns: ['k.c.org']}),
        version('d:v1.0.0', {owns: ['k.d.org']}),
        version('e:v1.0.0', {owns: ['k.c.org']}),
      ],
      {owners: [{group: 'c.org', identity: 'c'}]},
    )
    const result = solved(question)
    if (result.kind === 'refused') throw new Error(result.message)
    const {resolution} = result
    const [a, b, c] = resolution.packages
    const [b2, d, e] = question.summaries.filter(({identity, tag}) =>
      /^[bde]:v2|^[de]/.test(`${identity}:${tag}`),
    )
    const wrong = [
      [a, b],
      [a, {...b, summary: b2}, c],
      [a, b, c, {summary: d, needs: []}],
      [a, b, c, {summary: e, needs: []}],
      [a, {...b, summary: {...b?.summary, crds: []}}, c],
      [a, b, c, {summary: b2, needs: []}],
    ] as Resolution['packages'][]
    const none = new Set<string>()
    expect(faultsOf(question, resolution, none)).toEqual([])
    for (const packages of wrong) {
      expect(faultsOf(question, {...resolution, packages}, none)).not.toEqual([])
    }
    expect(faultsOf(question, {...resolution, installs: []}, none)).not.toEqual([])
  })

  it.each([
    {name: 'is the same again once it is locked', allowVersionMismatch: false, most: 500},
    {name: 'is so with the mismatches that it was locked with', allowVersionMismatch: true, most: 700},
  ])('$name, whatever is published then', ({allowVersionMismatch, most}) => {
    const counts = {resolved: 0, mismatched: 0}
    for (const seed of seeds(500)) {
      for (const question of [randomWorld(seed), tangledWorld(seed), movingWorld(seed)]) {
        const first = solved(question, {allowVersionMismatch})
        if (first.kind === 'refused') continue
        const preferences = first.resolution.packages.map(lockedAs)
        const locked = {...question, preferences: shuffled(preferences, seed)}
        const later = {...locked, summaries: [...question.summaries, ...newcomers(question)]}
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
    for (const seed of seeds(1000)) {
      for (const plain of [randomWorld(seed), tangledWorld(seed), movingWorld(seed)]) {
        const question = withFindings(plain, seed)
        const other = {
          ...question,
          summaries: shuffled(question.summaries, seed),
          unreadable: shuffled(question.unreadable, seed),
          excluded: shuffled(question.excluded, seed),
          facts: shuffled(question.facts, seed),
          owners: shuffled(question.owners, seed),
          preferences: shuffled(question.preferences, seed),
        }
        const [one, two] = [solved(question), solved(other)]
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
function lockedAs({summary: {identity, tag}, needs}: SelectedPackage) {
  const accepted = needs.flatMap(({requirement: {text}, by}) =>
    by.kind === 'package' && by.isMismatch ? [{text, owner: by.identity}] : [],
  )
  return {identity, tag, because: 'locked', accepted} as const
}

/** A newer version of every package, which needs nothing, and a package of somebody else that owns all there is. */
function newcomers({summaries}: Question): PackageSummary[] {
  const newer = summaries.map(each => ({...each, tag: 'v9.0.0', version: 'v9.0.0', dependsOn: []}))
  const owned = new Map(summaries.flatMap(({crds}) => crds.map(crd => [crdName(crd), crd] as const)))
  const squatter = {...version('squatter:v99.0.0'), crds: [...owned.values()]}
  return [...new Map(newer.map(each => [each.identity, each])).values(), squatter]
}

/** With some versions withdrawn or unreadable, and some chosen before. */
function withFindings(question: Question, seed: number): Question {
  const some = shuffled(question.summaries, seed + 1)
  const [yanked, dark, before] = [some.slice(0, 2), some.slice(2, 5), some.slice(5, 8)]
  const reason =
    (text: string) =>
    ({identity, tag}: PackageSummary) => ({identity, tag, reason: text})
  return {
    ...question,
    excluded: yanked.map(each => ({...reason('it squeaks')(each), kind: 'yanked'})),
    unreadable: dark.map(reason('it is dark')),
    preferences: before.map(({identity, tag}) => ({identity, tag, because: 'locked'})),
  }
}

/** Which version parts an answer ignores, as the oracle writes them. */
function acceptedIn({packages}: Resolution): ReadonlySet<string> {
  return new Set(
    packages.flatMap(({summary, needs}) =>
      needs.flatMap(({requirement, by}) =>
        by.kind === 'package' && by.isMismatch ? [`${summary.identity} ${requirement.text}`] : [],
      ),
    ),
  )
}

interface OpenRequirement {
  readonly need: string
  readonly by?: PackageSummary
}

/** What of an answer is not as every answer must be. */
function faultsOf(
  question: Question,
  {packages, roots, installs}: Resolution,
  accepted: ReadonlySet<string>,
): string[] {
  const chosenSummaries = packages.map(({summary}) => summary)
  const crds = chosenSummaries.flatMap(summary => summary.crds.map(crdName))
  const known = question.summaries.map(summary => JSON.stringify(summary))
  const needs: readonly OpenRequirement[] = [
    ...question.roots.map(({need}) => ({need: need.form === 'package' ? need.identity : need.text})),
    ...chosenSummaries.flatMap(by =>
      by.dependsOn.map(each => ({need: 'crd' in each ? each.crd : each.package, by})),
    ),
  ]
  const unmet = needs.filter(open => {
    const owner = ownerIn(question, open)
    const summary = chosenSummaries.find(({identity}) => identity === owner)
    if (owner === 'met') return false
    if (summary === undefined) return true
    const [name = '', version] = open.need.split('/')
    const isAccepted = open.by !== undefined && accepted.has(`${open.by.identity} ${open.need}`)
    const requested = isAccepted ? undefined : version
    return (
      open.need.includes('.') &&
      !summary.crds.some(
        crd =>
          (name === crdName(crd) || name === `*.${crd.group}`) &&
          (requested === undefined || crd.served.includes(requested)),
      )
    )
  })
  const needed = new Set(needs.map(open => ownerIn(question, open)))
  return [
    ...unmet.map(({need}) => `${need} is not met`),
    ...chosenSummaries
      .filter(({identity}) => !needed.has(identity))
      .map(({identity}) => `nobody needs ${identity}`),
    ...(new Set(crds).size === crds.length ? [] : ['a CRD has two owners']),
    ...(new Set(chosenSummaries.map(({identity}) => identity)).size === packages.length
      ? []
      : ['a package has two versions']),
    ...(chosenSummaries.every(summary => known.includes(JSON.stringify(summary))) ? [] : ['made up']),
    ...(roots.length === question.roots.length ? [] : ['something asked for is lost']),
    ...(new Set(installs.map(({summary}) => summary.identity)).size === packages.length
      ? []
      : ['a package is not installed']),
  ]
}

describe('accepting versions that were not asked for', () => {
  /** Requirements with a version, as package and text, sorted. */
  const partsOf = ({summaries}: Question) =>
    [
      ...new Set(
        summaries.flatMap(({identity, dependsOn}) =>
          dependsOn.flatMap(each =>
            'crd' in each && each.crd.includes('/') ? [`${identity} ${each.crd}`] : [],
          ),
        ),
      ),
    ].sort()

  /** All sets of so many, in the order of their members. */
  function* sets(members: readonly string[], size: number, from = 0): Generator<string[]> {
    if (size === 0) yield []
    if (size === 0) return
    for (let index = from; index < members.length; index += 1) {
      for (const rest of sets(members, size - 1, index + 1)) yield [members[index]!, ...rest]
    }
  }

  it('accepts the fewest that make an answer possible, of several sets the first', () => {
    let accepted = 0
    for (const seed of seeds(600)) {
      const question = randomWorld(seed)
      if (expected(question) !== 'unresolvable') continue
      const parts = partsOf(question)
      const limit = 3
      let want: readonly string[] | string = 'unresolvable'
      let isKnown = false
      for (let size = 0; size <= limit && !isKnown; size += 1) {
        for (const ignored of sets(parts, size)) {
          want = expected(question, new Set(ignored))
          isKnown = want !== 'unresolvable'
          if (isKnown) break
        }
      }
      if (!isKnown && parts.length > limit) continue
      const result = solved(question, {allowVersionMismatch: true})
      expect({seed, answer: selected(result)}).toEqual({seed, answer: want})
      accepted += Number(isKnown)
    }
    expect(accepted).toBeGreaterThan(30)
  })
})
