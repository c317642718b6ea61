import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {readFileSync} from 'node:fs'
import {entryBytes, yankBytes} from '../../../src/index/entry/entry-document.js'
import {CrossplaneError} from '../../../src/errors.js'
import {readIndexFile, writeIndexFile} from '../../../src/index/file/index-file.js'
import type {PackageSummary} from '../../../src/index/package-summary.js'
import type {Found, YankedVersion} from '../../../src/index/summaries.js'
import {type JsonSchema, schemaViolations} from '../../json-schema.js'
import {shuffled} from '../../shuffled.js'
import {failure} from '../failure.js'
import {digest, SQL, summary, yank, YANK} from '../summaries.js'

const HEADER = '{"apiVersion":"packages.kubectl-crossplane.dev/v1alpha1","kind":"PackageIndex"}\n'
const ENTRY = `${Buffer.from(entryBytes(SQL)).toString()}\n`
const YANKED = `${Buffer.from(yankBytes(YANK)).toString()}\n`

/** Bytes in pieces of that size. */
async function* pieces(text: string | Uint8Array, size = Infinity): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

const read = async (text: string | Uint8Array, size?: number) =>
  await readIndexFile('a.jsonl', pieces(text, size))
const written = (found: Partial<Found>) =>
  [...writeIndexFile({summaries: [], unreadable: [], yanked: [], ...found})].join('')

const versionOf = ({identity, tag, version, digest: of = ''}: PackageSummary | YankedVersion) =>
  [identity, tag, version, of].join(' ')
const index = fc.record({
  summaries: fc.uniqueArray(summary, {maxLength: 6, selector: versionOf}),
  yanked: fc.uniqueArray(yank, {maxLength: 3, selector: versionOf}),
})

describe('an index file', () => {
  it('is a header and one line for each entry and yank', () => {
    expect(written({summaries: [SQL], yanked: [YANK]})).toBe(HEADER + ENTRY + YANKED)
    expect(written({})).toBe(HEADER)
  })

  it('is read as it was written, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(index, fc.integer({min: 1, max: 300}), async (found, size) => {
        const text = written(found)
        const again = await read(text, size)
        expect(written(again)).toBe(text)
        expect(again.summaries).toHaveLength(found.summaries.length)
        expect(again.summaries).toEqual(expect.arrayContaining([...found.summaries]))
        expect(again.yanked).toEqual(expect.arrayContaining([...found.yanked]))
      }),
    )
  })

  it('has the same bytes for any order of an index, also with duplicates', () => {
    fc.assert(
      fc.property(index, fc.integer(), ({summaries, yanked}, seed) => {
        const mixed = {
          summaries: shuffled([...summaries, ...summaries.slice(0, 2)], seed),
          yanked: shuffled([...yanked, ...yanked], seed),
        }
        expect(written(mixed)).toBe(written({summaries, yanked}))
      }),
    )
  })

  it('is sorted by identity, tag and digest, by code units', () => {
    const of = (identity: string, tag: string, digit?: string) => ({
      ...SQL,
      ...{identity, tag, digest: digit === undefined ? undefined : digest(digit)},
    })
    const names = ['a v1 0', 'a v1 1', 'a v10 0', 'a v2 0', 'a-b V1 0', 'a-b v1 0', 'a/b v1 0', 'b v1 ']
    const summaries = names.map(name => {
      const [identity = '', tag = '', digit = ''] = name.split(' ')
      return of(identity, tag, digit === '' ? undefined : digit)
    })
    const lines = written({summaries: shuffled(summaries, 3)})
      .trim()
      .split('\n')
      .slice(1)
    const described = lines.map(line => {
      const {identity, tag, digest: full = ''} = JSON.parse(line) as Record<string, string>
      return `${identity} ${tag} ${full.slice(-1)}`
    })
    expect(described).toEqual(names)
  })

  it('with a damaged line is rejected, or read as the changed bytes', async () => {
    const outcomes = new Set<string>()
    const some = index.filter(({summaries}) => summaries.length > 0)
    await fc.assert(
      fc.asyncProperty(some, fc.nat(), fc.integer({min: 1, max: 255}), async (found, at, by) => {
        const bytes = Buffer.from(written(found))
        const damaged = Buffer.from(bytes)
        damaged.writeUInt8((bytes[at % bytes.length] ?? 0) ^ by, at % bytes.length)
        const again = await read(damaged).catch((error: unknown) => {
          if (error instanceof CrossplaneError) return error.code
          throw error
        })
        outcomes.add(typeof again)
        if (typeof again === 'string') expect(again).toBe('index-invalid')
        else expect(written(await read(written(again)))).toBe(written(again))
      }),
      {numRuns: 1000, seed: 14},
    )
    expect([...outcomes].sort()).toEqual(['object', 'string'])
  })

  it('can be merged: accepts lines in any order, duplicates, empty lines and Windows line endings', async () => {
    const text = `${HEADER}\r\n${YANKED.trim()}\r\n\n${ENTRY}${ENTRY}${YANKED}`
    expect(await read(text)).toEqual({summaries: [SQL], unreadable: [], yanked: [YANK]})
  })

  it('can end without a line break', async () => {
    expect((await read(HEADER + ENTRY.trim())).summaries).toEqual([SQL])
  })

  it('contains packages of folders, which have no digest', async () => {
    const {digest: _none, ...local} = SQL
    const {summaries} = await read(written({summaries: [local, SQL]}))
    expect(summaries).toEqual([local, SQL])
  })

  it.each([
    {name: 'nothing', reason: 'there is no header', in: '', want: ['- [index-empty]']},
    {name: 'no header', reason: 'it can be any file', in: ENTRY + ENTRY, want: ['1 kind [index-value]']},
    {name: 'YAML', reason: 'it is not an index', in: 'kind: List\nitems: []\n', want: ['1 [index-json]']},
    {
      name: 'another version',
      reason: 'lines can have another meaning',
      in: HEADER.replace('v1alpha1', 'v2') + ENTRY,
      want: ['1 apiVersion [index-value]'],
    },
    {
      name: 'invalid lines',
      reason: 'all errors are reported',
      in: `${HEADER}{"kind":"X"}\n${ENTRY}${ENTRY.replace('v1.2.0', '-')}[]\n${YANKED.replace('it leaks', '\\u0007')}`,
      want: ['2 kind [index-value]', '4 tag [index-value]', '5 [index-json]', '6 reason [index-value]'],
    },
    {
      name: 'an unfinished merge',
      reason: 'all markers are reported',
      in: `${HEADER}<<<<<<< HEAD\n${ENTRY}=======\n>>>>>>> other\n`,
      want: ['2 [index-merge]', '4 [index-merge]', '5 [index-merge]'],
    },
    {
      name: 'contradictory lines of one version',
      reason: 'the index is ambiguous',
      in: HEADER + ENTRY + ENTRY.replace('SQL “', 'Other “') + YANKED + YANKED.replace('leaks', 'lost'),
      want: ['3 [index-contradiction]', '5 [index-contradiction]'],
    },
    {
      name: 'a line of more than a mebibyte',
      reason: 'it is held in memory',
      in: `${HEADER}${' '.repeat(1024 * 1024)}${ENTRY}${ENTRY}`,
      want: ['2 [index-size]'],
    },
    {
      name: 'a header of more than a mebibyte',
      reason: 'it is held in memory',
      in: ' '.repeat(3 * 1024 * 1024),
      want: ['1 [index-size]'],
    },
    {
      name: 'only invalid lines',
      reason: 'reading stops after 20 lines',
      in: HEADER + '{}\n'.repeat(1000),
      want: Array.from({length: 20}, (_, line) => `${line + 2} kind [index-value]`),
    },
  ])('with $name is rejected: $reason', async ({in: text, want}) => {
    for (const size of [Infinity, 65_536]) {
      const {code, diagnostics} = await failure(async () => await read(text, size))
      expect(code).toBe('index-invalid')
      expect(diagnostics.map(({file}) => file)).toEqual(diagnostics.map(() => 'a.jsonl'))
      const told = diagnostics.map(
        ({line, field, rule}) => `${line ?? '-'} ${field === undefined ? '' : `${field} `}[${rule}]`,
      )
      expect(told).toEqual(want)
    }
  })

  it.each([
    {name: 'bytes', reason: 'one line of 256 MiB', in: ' ', want: 256},
    {name: 'lines', reason: 'a million empty lines', in: '\n', want: 1},
  ])('with endless $name is rejected before it fills the memory: $reason', async ({in: unit, want}) => {
    let read = 0
    async function* endless() {
      const piece = Buffer.from(unit.repeat(1024 * 1024))
      yield Buffer.from(HEADER)
      for (;;) {
        read += 1
        yield await Promise.resolve(piece)
      }
    }
    const {code} = await failure(async () => await readIndexFile('a.jsonl', endless()))
    expect({code, read}).toEqual({code: 'limit-exceeded', read: want})
  })
})

describe('the schema of a line', () => {
  const path = new URL('../../../docs/schemas/package-index.v1alpha1.json', import.meta.url)
  const schema = JSON.parse(readFileSync(path, 'utf8')) as JsonSchema
  const wrongIn = (line: string) => schemaViolations(schema, JSON.parse(line))

  it('accepts all lines that are written', () => {
    fc.assert(
      fc.property(index, found => {
        const lines = written(found).trimEnd().split('\n')
        expect(lines.map(wrongIn)).toEqual(lines.map(() => []))
      }),
    )
  })

  it.each([
    {name: 'another kind', reason: 'as the reader does', in: ENTRY.replace('PackageEntry', 'Package')},
    {name: 'a field of another type', reason: 'as the reader does', in: ENTRY.replace('"v1.2.0"', '1')},
    {name: 'a missing field', reason: 'as the reader does', in: YANKED.replace('"reason"', '"because"')},
    {
      name: 'a CRD of another scope',
      reason: 'as the reader does',
      in: ENTRY.replace('"Cluster","served"', '"All","served"'),
    },
  ])('rejects $name: $reason', ({in: line}) => {
    expect(wrongIn(line)).not.toEqual([])
  })
})
