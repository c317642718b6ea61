import {describe, expect, it} from '@jest/globals'
import {formatSummary} from '../../../src/index/package-summary.js'
import type {CitedRequirement} from '../../../src/resolve/resolution.js'
import type {SolverInput} from '../../../src/resolve/solver-input.js'
import {bruteForce, type OpenRequirement} from '../oracle.js'
import {movingWorld, randomWorld, tangledWorld} from '../random-world.js'
import {input, selected, solved, version} from '../world.js'

// A refusal cites requirements. Held to brute force: these alone have no answer, and without any one of them they have.

const REFUSALS = 500

const keyOf = ({requirement, requiredBy = ''}: CitedRequirement) => `${requiredBy} ${requirement}`

const hasAnswer = (asked: SolverInput, cited: readonly CitedRequirement[]) => {
  const keys = new Set(cited.map(keyOf))
  const holds = ({requirement, by}: OpenRequirement) =>
    keys.has(keyOf({requirement, requiredBy: by === undefined ? undefined : formatSummary(by)}))
  return bruteForce(asked, {holds}) !== undefined
}

const worldsOf = (seed: number) => [
  randomWorld(seed),
  movingWorld(seed),
  ...(seed % 2 === 0 ? [tangledWorld(seed)] : []),
]

/** What each refusal of a world cites; none where it has an answer. */
const citedIn = (asked: SolverInput) => {
  const result = solved(asked)
  if (result.kind === 'resolved' || result.code !== 'unresolvable') return []
  expect(result.cited).not.toEqual([])
  return result.cited ?? []
}

describe('the requirements that a rejection cites', () => {
  it(`force it, and each of them is necessary, in ${REFUSALS} random rejections`, () => {
    const rejected: {readonly asked: SolverInput; readonly cited: readonly CitedRequirement[]}[] = []
    for (let seed = 1; rejected.length < REFUSALS; seed += 1) {
      for (const asked of worldsOf(seed)) rejected.push(...citedIn(asked).map(cited => ({asked, cited})))
    }
    for (const {asked, cited} of rejected) {
      const without = cited.filter(left =>
        hasAnswer(
          asked,
          cited.filter(each => each !== left),
        ),
      )
      expect({cited, hasAnswer: hasAnswer(asked, cited)}).toEqual({cited, hasAnswer: false})
      expect(without).toEqual(cited)
    }
    expect(rejected.filter(({cited}) => cited.length > 3).length).toBeGreaterThan(REFUSALS / 10)
  })

  it('are the path from the request to the missing requirement', () => {
    const asked = input(
      ['app'],
      [
        version('app:v1.0.0', {requires: ['ms.mid.org']}),
        version('mid:v1.0.0', {owns: ['ms.mid.org'], requires: ['ls.low.org']}),
        version('low:v1.0.0', {owns: ['ls.low.org'], requires: ['xs.missing.org']}),
      ],
    )
    const result = solved(asked)
    expect(selected(result)).toBe('unresolvable')
    expect(result.kind === 'rejected' && result.cited).toEqual([
      [
        {requirement: 'app', requiredBy: undefined},
        {requirement: 'ms.mid.org', requiredBy: 'app:v1.0.0'},
        {requirement: 'ls.low.org', requiredBy: 'mid:v1.0.0'},
        {requirement: 'xs.missing.org', requiredBy: 'low:v1.0.0'},
      ],
    ])
  })

  it('include all missing and ambiguous ones together', () => {
    const asked = input(
      ['app'],
      [
        version('app:v1.0.0', {requires: ['as.one.org', 'bs.two.org', 'cs.three.org', 'ds.four.org']}),
        version('c:v1.0.0', {owns: ['cs.three.org'], requires: ['es.five.org']}),
        version('d:v1.0.0', {owns: ['ds.four.org']}),
        version('e:v1.0.0', {owns: ['ds.four.org']}),
      ],
    )
    const result = solved(asked)
    const diagnostics = result.kind === 'rejected' ? result.diagnostics : []
    expect(diagnostics.filter(({rule}) => rule !== 'requirement-path')).toMatchObject([
      {rule: 'missing-group', subject: {requirement: 'as.one.org', requiredBy: 'app:v1.0.0'}},
      {rule: 'missing-group', subject: {requirement: 'bs.two.org', requiredBy: 'app:v1.0.0'}},
      {rule: 'missing-group', subject: {requirement: 'es.five.org', requiredBy: 'c:v1.0.0'}},
      {rule: 'ambiguous-owner', subject: {requirement: 'ds.four.org', candidates: ['d', 'e']}},
    ])
  })
})
