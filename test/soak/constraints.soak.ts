import {isDeepStrictEqual} from 'node:util'
import {afterAll, beforeAll, expect} from '@jest/globals'
import {CONSTRAINT_RULES, type ConstraintRules} from '../../src/xpkg/constraints/constraint-rules.js'
import {readConstraint, satisfies} from '../../src/xpkg/constraints/constraint.js'
import {candidateVersion, comparePrecedence, readVersion} from '../../src/xpkg/constraints/version.js'
import {buildGoSemver, type GoSemver, type SemverAnswer, type SemverQuestion} from '../go-semver/go-semver.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {below, campaign, pick} from './campaign.js'

const PAIRS = 1000

describeReal("constraints, compared with Masterminds' semver", missingTool('go'), () => {
  let go: GoSemver
  beforeAll(async () => {
    go = await buildGoSemver()
  }, 300_000)
  afterAll(() => go.remove())

  campaign('mean the same for each tag', {short: 5, long: 100}, async ({random}) => {
    const questions = Array.from({length: PAIRS}, () => ({
      constraint: randomConstraint(random),
      tag: randomTag(random),
      other: randomTag(random),
    }))
    const answers = await go.answer(questions)
    const differing = questions.flatMap((question, index) =>
      CONSTRAINT_RULES.map(rules => ({
        question,
        rules,
        answer: answerOf(question, rules),
        want: answers[index]![rules],
      })).filter(({answer, want}) => !isDeepStrictEqual(answer, want)),
    )
    expect(differing).toEqual([])
    const satisfied = answers.filter(({v1, v3}) => v1.satisfied === true || v3.satisfied === true)
    expect(satisfied.length).toBeGreaterThan(PAIRS / 20)
  })
})

function answerOf({constraint, tag, other}: SemverQuestion, rules: ConstraintRules): SemverAnswer {
  const [version, second] = [readVersion(tag, rules), readVersion(other, rules)]
  const read = readConstraint(constraint, rules)
  return {
    candidate: candidateVersion(tag, rules) !== undefined,
    order: version === undefined || second === undefined ? null : comparePrecedence(version, second),
    parses: read !== undefined,
    satisfied: version === undefined || read === undefined ? null : satisfies(read, version),
  }
}

const NUMBERS = ['0', '0', '1', '1', '2', '3', '9', '10', '01', '9223372036854775808', '18446744073709551616']
const PRERELEASES = [
  '0',
  '1',
  '01',
  'rc.1',
  'rc.2',
  'rc.10',
  'alpha',
  'beta-2',
  '0.a',
  '1_0',
  '-',
  'a.',
  '18446744073709551616',
]
const WILDCARDS = ['x', 'X', '*', '', '|', 'xx']

function randomTag(random: () => number): string {
  const count = pick(random, [3, 3, 3, 3, 3, 2, 1, 4])
  return (
    pick(random, ['v', 'v', 'v', '', '', 'V', ' ']) +
    Array.from({length: count}, () => number(random)).join('.') +
    suffix(random, 3)
  )
}

/** Mostly small ones, so that tags and constraints meet. */
function number(random: () => number): string {
  return below(random, 20) === 0 ? pick(random, NUMBERS) : String(below(random, 4))
}

function suffix(random: () => number, rarity: number): string {
  const prerelease = below(random, rarity) === 0 ? `-${pick(random, PRERELEASES)}` : ''
  return prerelease + (below(random, 12) === 0 ? `+${pick(random, PRERELEASES)}` : '')
}

const OPERATORS = ['', '=', '!=', '>', '<', '>=', '<=', '~', '^']
const ODD_OPERATORS = ['=>', '=<', '~>', '==', '><', '!']
const USUAL_SEPARATORS = [', ', ' || ', ' ']
const SEPARATORS = [',', ' , ', '  ', '||', '|', ' - ', '- ', ',,', '\t', '\n', '\v']

/** Mostly usual texts. */
function usual(random: () => number, texts: readonly string[], odd: readonly string[]): string {
  return pick(random, below(random, 5) === 0 ? odd : texts)
}

function randomConstraint(random: () => number): string {
  if (below(random, 30) === 0) return randomText(random)
  const parts = Array.from({length: pick(random, [1, 1, 1, 2, 2, 3])}, () => comparison(random))
  return parts.reduce((text, part) => text + usual(random, USUAL_SEPARATORS, SEPARATORS) + part)
}

function comparison(random: () => number): string {
  const space = () => pick(random, ['', '', '', '', ' ', '  '])
  const parts = Array.from({length: pick(random, [3, 3, 3, 2, 2, 2, 1, 1, 4])}, () =>
    below(random, 8) === 0 ? pick(random, WILDCARDS) : number(random),
  )
  return (
    space() +
    usual(random, OPERATORS, ODD_OPERATORS) +
    space() +
    pick(random, ['', '', 'v']) +
    parts.join('.') +
    suffix(random, 5) +
    space()
  )
}

function randomText(random: () => number): string {
  const characters = '01239.xX*-+|,<>=!~^v \t\nab'.split(/(?:)/)
  return Array.from({length: below(random, 12)}, () => pick(random, characters)).join('')
}
