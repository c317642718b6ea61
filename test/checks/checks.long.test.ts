import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {temporaryFolder} from '../temporary-folder.js'
import {checksPage} from './checks-page.js'
import {FIXTURES} from './fixtures.js'
import {type Fixture, tryAt} from './places.js'
import {type Cell, CHECKS, REASONS, RECORD} from './table.js'
import {type Format, FORMATS, type Place, PLACES} from './worlds.js'

const folder = temporaryFolder()
const ROOT = join(import.meta.dirname, '../..')
let registry: RegistryServer

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

interface Case {
  readonly check: keyof typeof FIXTURES
  readonly format: Format
  readonly place: Place
  readonly cell: Cell
}

const CASES = (Object.keys(FIXTURES) as (keyof typeof FIXTURES)[]).flatMap(check =>
  FORMATS.flatMap(format =>
    PLACES.map((place): Case => ({check, format, place, cell: CHECKS[check].cells[format][place]})),
  ),
)

/** clusters.real.test.ts has the places with a cluster. */
const atRule = CASES.flatMap(one =>
  'rule' in one.cell && one.place !== 'install' && one.place !== 'upgrade' ? [{...one, ...one.cell}] : [],
)
const inSuites = CASES.flatMap(one => ('test' in one.cell ? [{...one, ...one.cell}] : []))
const missing = CASES.flatMap(one => ('no' in one.cell ? [{...one, reason: one.cell.no}] : []))

describe('the table of checks', () => {
  it.each(atRule)('$check: $place of $format names $rule', async ({check, format, place, rule, status}) => {
    const root = mkdtempSync(join(folder, 'world-'))
    const fixture: Fixture = FIXTURES[check]
    const result = await tryAt(place, format, fixture, {root, host: registry.host})
    expect({status: result.status, output: result.stdout + result.stderr}).toEqual({
      status,
      output: expect.stringContaining(`[${rule}]`),
    })
  })

  it.each(inSuites)('$check: $place of $format is tried by a test of $suite', ({suite, test}) => {
    // Only these suites have real servers, and CI runs all of them.
    expect(suite).toMatch(/^(?:test|plugins\/[a-z-]+\/test)\/.*\.real\.test\.ts$/)
    expect(readFileSync(join(ROOT, suite), 'utf8').split('\n')).toContainEqual(
      expect.stringMatching(new RegExp(`^\\s*(?:it\\()?'${test}',`)),
    )
  })

  it('has a paragraph of the record for each reason, and no other', () => {
    const record = readFileSync(join(ROOT, 'docs/decisions', RECORD), 'utf8')
    const explained = [...record.matchAll(/^- \*([^*]+)\*:/gm)].map(([, name]) => name)
    expect(explained.sort()).toEqual(Object.keys(REASONS).sort())
    expect(new Set(missing.map(({reason}) => reason))).toEqual(new Set(explained))
  })

  it('is docs/checks.md, which npm run docs:checks writes', () => {
    expect(readFileSync(join(ROOT, 'docs/checks.md'), 'utf8')).toBe(checksPage())
  })
})
