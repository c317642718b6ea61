import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {temporaryFolder} from '../temporary-folder.js'
import {checksPage} from './checks-page.js'
import {CLUSTER_PLACES} from './cluster-places.js'
import {FIXTURES} from './fixtures.js'
import {runCli} from '../run-cli.js'
import {breakTag} from '../xpkg/core/published-packages.js'
import {Bench, expectDone, type Fixture, tryAt} from './places.js'
import {type Cell, CHECKS, REASONS, RECORD} from './table.js'
import {type Authored, type Format, FORMATS, type Place, PLACES, reference, REGISTRY} from './worlds.js'

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

/** clusters.real.test.ts has them. */
const IN_CLUSTER: readonly Place[] = CLUSTER_PLACES

const atRule = CASES.flatMap(one =>
  'rule' in one.cell && !IN_CLUSTER.includes(one.place) ? [{...one, ...one.cell}] : [],
)
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

  it('changes nothing where a tag of a registry was moved', async () => {
    const {bench, publish} = inRegistry('changed-content')
    const {before, after} = FIXTURES['changed-content']
    await publish(before[0]!)
    bench.declare()
    await bench.locked()
    const lock = readFileSync(bench.lockFile, 'utf8')
    await publish(after[0]!)
    expect(await bench.lock()).toMatchObject({status: 0, stderr: ''})
    expect(readFileSync(bench.lockFile, 'utf8')).toBe(lock)
    expect((await bench.render('--dry-run=client')).stdout).toMatch(/ unchanged$/m)
  })

  it('passes over the newest version of a registry, if it cannot be read', async () => {
    const {bench, publish} = inRegistry('unreadable')
    await publish(FIXTURES.unreadable.after[0]!)
    await breakTag(bench.own(reference('gate')), 'v2.0.0', 'v1.0.0')
    bench.declare()
    expect(await bench.lock()).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('[version-passed-over]'),
    })
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

/** A fixture whose packages are in the registry, with a name of its own. */
function inRegistry(check: keyof typeof FIXTURES) {
  const own = (text: string) => text.replaceAll(`${REGISTRY}/example`, `${registry.host}/${check}`)
  const bench = new Bench(mkdtempSync(join(folder, 'world-')), 'xpkg', FIXTURES[check], {own, from: []})
  const publish = async (one: Authored) => {
    await bench.author([one])
    const name = own(reference(one.name, one.tag))
    expectDone(await runCli('package', 'push', name, bench.folderOf(one), '--force'))
  }
  return {bench, publish}
}
