import {describe, expect} from '@jest/globals'
import fc from 'fast-check'
import {CrossplaneError} from '../../src/errors.js'
import {
  entryBytes,
  type IndexedSummary,
  readEntry,
  readYank,
  yankBytes,
} from '../../src/index/entry/entry-document.js'
import {entryTag, yankTag} from '../../src/index/entry/entry-tag.js'
import {readIndexFile, writeIndexFile} from '../../src/index/file/index-file.js'
import {hexHashOf} from '../../src/index/hex-hash.js'
import {documentImage} from '../../src/index/registry/artifact.js'
import {indexWriter} from '../../src/index/registry/index-writer.js'
import {registryIndex} from '../../src/index/registry/registry-index.js'
import {
  isYank,
  readSnapshot,
  type Snapshot,
  snapshotDocument,
  type SnapshotLine,
  snapshotSize,
} from '../../src/index/registry/snapshot-document.js'
import type {Found, YankedVersion} from '../../src/index/summaries.js'
import type {Image} from '../../src/fetch/image.js'
import {digestOf} from '../../src/fetch/verified-bytes.js'
import {startRegistry} from '../fakes/registry-server.js'
import * as arbitrary from '../index/summaries.js'
import {indexed, inWords, newClient, putImage} from '../index/registry/some-index.js'
import {below, campaign, pick} from './campaign.js'
import {mutated} from './mutated.js'

describe('mutated documents of an index', () => {
  campaign('are read as they would be written, or rejected', {short: 600}, ({random}) => {
    const entry = sample(random, arbitrary.indexed)
    const yank = sample(random, arbitrary.yank)
    const read = valueOf(() => readEntry('e', mutated(random, entryBytes(entry))))
    if (typeof read === 'string') expect(read).toBe('index-invalid')
    else expect(readEntry('e', entryBytes(read))).toEqual(read)
    const yanked = valueOf(() => readYank('y', mutated(random, yankBytes(yank))))
    if (typeof yanked === 'string') expect(yanked).toBe('index-invalid')
    else expect(readYank('y', yankBytes(yanked))).toEqual(yanked)
  })
})

describe('mutated index files', () => {
  campaign('are read as they would be written, or rejected', {short: 200}, async ({random}) => {
    const found = {
      summaries: many(random, 12, arbitrary.summary),
      unreadable: [],
      yanked: many(random, 4, arbitrary.yank),
    }
    const bytes = mutated(random, Buffer.from(textOf(found)))
    const read = await fileOf(pieces(random, bytes))
    if (typeof read === 'string') return expect(read).toBe('index-invalid')
    const again = await fileOf(pieces(random, Buffer.from(textOf(read))))
    expect(typeof again === 'string' ? again : textOf(again)).toBe(textOf(read))
  })

  campaign('without an end are rejected in bounded memory', {short: 2}, async ({random}) => {
    const start = Buffer.from(textOf({summaries: [], unreadable: [], yanked: []}))
    const unit = mutated(random, entryBytes(sample(random, arbitrary.indexed)))
    const piece = Buffer.concat(Array<Buffer>(1 + Math.ceil(100_000 / (unit.length + 1))).fill(unit))
    const before = memory()
    let most = 0
    async function* endless() {
      yield start
      for (;;) {
        yield await Promise.resolve(piece)
        most = Math.max(most, memory() - before)
      }
    }
    expect(await fileOf(endless())).toMatch(/^(index-invalid|limit-exceeded)$/)
    expect(most).toBeLessThan(200 * MEBIBYTE)
  })
})

describe('mutated snapshots', () => {
  campaign('are read as lines under their own tags, or rejected', {short: 120}, ({random}) => {
    const sound = snapshotDocument(snapshotOf(linesOf(random), ['snapshot.1.ab']))
    const bytes = mutated(random, sound.bytes)
    if (!bytes.equals(sound.bytes))
      expect(valueOf(() => readSnapshot(sound.tag, bytes))).toBe('index-invalid')
    const tag = tagFor(random, bytes)
    const read = valueOf(() => readSnapshot(tag, bytes))
    if (typeof read === 'string') return expect(read).toBe('index-invalid')
    expect(read.lines.size).toBeLessThanOrEqual(snapshotSize(tag) ?? 0)
    expect([...read.lines.keys()]).toEqual([...read.lines.values()].map(tagOf))
    if (read.lines.size === 0) return // a snapshot has at least one line
    const again = snapshotDocument(read)
    expect(snapshotDocument(readSnapshot(again.tag, again.bytes))).toEqual(again)
  })

  campaign('do not change the versions and yanks of an index', {short: 12}, async ({random}) => {
    await withIndex(async ({put, look}) => {
      const {tag, bytes} = snapshotDocument(snapshotOf([...VERSIONS, YANK, ...linesOf(random)]))
      for (let copies = 1 + below(random, 3); copies > 0; copies -= 1) {
        const other = mutated(random, bytes)
        const isManifest = random() < 0.3
        const image = documentImage('snapshot', isManifest ? bytes : other)
        await put(isManifest ? tag : tagFor(random, other), isManifest ? mutatedImage(random, image) : image)
      }
      expect(inWords(await look())).toEqual(HONEST)
    })
  })
})

describe('mutated entries and yanks in a registry', () => {
  campaign('are reported and do not change others', {short: 12}, async ({random}) => {
    await withIndex(async ({put, look}) => {
      const victim = pick(random, VERSIONS)
      const isYanked = random() < 0.3
      const tag = isYanked ? yankTag(YANK) : entryTag(victim)
      const bytes = isYanked ? yankBytes(YANK) : entryBytes(victim)
      const kind = isYanked ? 'yank' : 'entry'
      await put(
        tag,
        random() < 0.5
          ? documentImage(kind, mutated(random, bytes))
          : mutatedImage(random, documentImage(kind, bytes)),
      )
      const {summaries, unreadable, yanked} = inWords(await look())
      const others = HONEST.summaries.filter(each => isYanked || each !== `${victim.identity}:${victim.tag}`)
      expect(summaries).toEqual(expect.arrayContaining(others))
      const read = isYanked ? yanked : summaries
      expect(read.length + unreadable.length).toBe(isYanked ? 1 : VERSIONS.length)
    })
  })
})

const MEBIBYTE = 1024 * 1024

/** More than are read one by one, so that snapshots are read. */
const VERSIONS = Array.from({length: 12}, (_, at) => indexed(`team-${at}/sql:v1`, {owns: ['tables.sql.org']}))
const YANK: YankedVersion = {...keyOf(VERSIONS[0]!), reason: 'broken'}
const HONEST = inWords({summaries: VERSIONS, unreadable: [], yanked: [YANK]})

function keyOf({identity, tag, version, digest}: IndexedSummary): Omit<YankedVersion, 'reason'> {
  return {identity, tag, version, digest}
}

interface HonestIndex {
  /** Replaces what a tag of the group stands for. */
  readonly put: (tag: string, image: Image) => Promise<void>
  readonly look: () => Promise<Found>
}

/** Starts a registry with an index of the versions and the yank above. */
async function withIndex(act: (index: HonestIndex) => Promise<void>): Promise<void> {
  const server = await startRegistry()
  try {
    const root = {registry: server.host, path: 'i'}
    await indexWriter(root, {registry: newClient()}, 'repositories').add(VERSIONS[0]!)
    const put = (tag: string, image: Image) => putImage(server, 'i/sql.org', tag, image)
    for (const each of VERSIONS) await put(entryTag(each), documentImage('entry', entryBytes(each)))
    await put(yankTag(YANK), documentImage('yank', yankBytes(YANK)))
    await act({put, look: () => registryIndex(root, {registry: newClient()}).ofGroup('sql.org')})
  } finally {
    await server.close()
  }
}

/** The same image with another manifest. */
function mutatedImage(random: () => number, image: Image): Image {
  const bytes = mutated(random, image.bytes)
  const descriptor = {...image.descriptor, digest: digestOf(bytes), size: bytes.length}
  return {...image, bytes, descriptor}
}

function sample<T>(random: () => number, of: fc.Arbitrary<T>): T {
  return fc.sample(of, {numRuns: 1, seed: below(random, 2 ** 31)})[0]!
}

function many<T>(random: () => number, most: number, of: fc.Arbitrary<T>): T[] {
  return fc.sample(of, {numRuns: below(random, most + 1), seed: below(random, 2 ** 31)})
}

function linesOf(random: () => number): SnapshotLine[] {
  return [...many(random, 20, arbitrary.indexed), ...many(random, 5, arbitrary.yank)]
}

function snapshotOf(lines: readonly SnapshotLine[], supersedes: readonly string[] = []): Snapshot {
  return {lines: new Map(lines.map(line => [tagOf(line), line])), supersedes}
}

function tagOf(line: SnapshotLine): string {
  return isYank(line) ? yankTag(line) : entryTag(line)
}

/** The tag under which anybody may publish these bytes as a snapshot. */
function tagFor(random: () => number, bytes: Buffer): string {
  const lines = bytes.filter(byte => byte === 0x0a).length - 1
  const size = pick(random, [lines, lines, lines, lines + 1, below(random, 50_001)])
  return `snapshot.${Math.max(1, size)}.${hexHashOf(bytes, 40)}`
}

function textOf(found: Found): string {
  return [...writeIndexFile(found)].join('')
}

async function* pieces(random: () => number, bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const size = 1 + below(random, pick(random, [10, 1000, 65_536]))
    yield await Promise.resolve(bytes.subarray(at, at + size))
    at += size
  }
}

/** The content of an index file, or the code with which it was rejected. */
async function fileOf(bytes: AsyncIterable<Uint8Array>): Promise<Found | string> {
  try {
    return await readIndexFile('a.jsonl', bytes)
  } catch (error) {
    return codeOf(error)
  }
}

/** A value, or the code with which it was rejected. */
function valueOf<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    return codeOf(error)
  }
}

/** An error without a code is a bug and fails the round, as does an unbounded report. */
function codeOf(error: unknown): string {
  if (!(error instanceof CrossplaneError)) throw error
  expect(error.diagnostics.length).toBeLessThanOrEqual(400)
  expect(error.message.length).toBeLessThan(1000)
  return error.code
}

function memory(): number {
  const {heapUsed, external} = process.memoryUsage()
  return heapUsed + external
}
