import {describe, expect, it} from '@jest/globals'
import {entryName, tagListName, tagName} from '../../src/cache/cache-names.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {sealed} from '../../src/cache/sealed-document.js'
import {SOURCE_LIMITS} from '../../src/fetch/source-limits.js'
import {digestOf} from '../../src/fetch/verified-bytes.js'
import {memoryStore} from './memory-store.js'
import {AMD64, TEAM} from './some-packages.js'

const DIGEST = digestOf(Buffer.from('root'))
const NAME = entryName(DIGEST, AMD64)
const SHA256 = digestOf(Buffer.from('text')).slice(7)
const ENTRY = {
  digest: DIGEST,
  platform: 'linux/amd64',
  repository: TEAM,
  files: [{path: 'app.yaml', size: 4, sha256: SHA256}],
}
const file = (changed: object) => ({files: [{path: 'app.yaml', size: 4, sha256: SHA256, ...changed}]})
const paths = (...all: readonly string[]) => ({files: all.map(path => ({path, size: 4, sha256: SHA256}))})

/** Forged documents, correctly sealed. */
const HOSTILE: readonly {readonly name: string; readonly reason: string; readonly in: object}[] = [
  {name: 'another digest', reason: 'swapped', in: {digest: digestOf(Buffer.from('other'))}},
  {name: 'no digest', reason: 'what is it?', in: {digest: undefined}},
  {name: 'a digest of another kind', reason: 'only sha256', in: {digest: 'md5:00'}},
  {name: 'another platform', reason: 'swapped', in: {platform: 'linux/arm64'}},
  {name: 'an invalid platform', reason: 'it is displayed', in: {platform: 'linux amd64'}},
  {name: 'no repository', reason: 'where from?', in: {repository: 'x'}},
  {
    name: 'an invalid repository',
    reason: 'it is displayed',
    in: {repository: {registry: 'a', path: 'B'}},
  },
  {name: 'a tag that is not text', reason: 'another type', in: {tag: 1}},
  {name: 'a tag without an end', reason: 'bounded', in: {tag: 'v'.repeat(2000)}},
  {name: 'files that are not a list', reason: 'another type', in: {files: {}}},
  {name: 'a file that is not an object', reason: 'another type', in: {files: ['app.yaml']}},
  {
    name: 'too many files',
    reason: 'bounded',
    in: paths(...Array.from({length: 10_001}, (_, at) => `f${at}`)),
  },
  {name: 'examples that are text', reason: 'another type', in: {baseLayers: 1, examples: 'yes'}},
  {name: 'no path', reason: 'another type', in: file({path: 1})},
  {name: 'an empty path', reason: 'it is the folder', in: file({path: ''})},
  {name: 'a path upwards', reason: 'it leaves the package', in: file({path: '../app.yaml'})},
  {name: 'a path upwards later', reason: 'it leaves the package', in: file({path: 'a/../../app.yaml'})},
  {name: 'an absolute path', reason: 'it leaves the package', in: file({path: '/etc/passwd'})},
  {name: 'a path with .', reason: 'two names of one file', in: file({path: './app.yaml'})},
  {name: 'a path with an empty segment', reason: 'two names of one file', in: file({path: 'a//b'})},
  {name: 'a folder', reason: 'a file has a name', in: file({path: 'a/'})},
  {name: 'a path with NUL', reason: 'no system has such', in: file({path: 'a\0b'})},
  {name: 'a path that is too long', reason: 'bounded', in: file({path: 'a'.repeat(1025)})},
  {name: 'a path that is too deep', reason: 'bounded', in: file({path: 'a/'.repeat(32) + 'a'})},
  {name: 'one path twice', reason: 'which one counts?', in: paths('app.yaml', 'app.yaml')},
  {name: 'a file below a file', reason: 'no tree', in: paths('a', 'a/b')},
  {name: 'a size below nothing', reason: 'no size', in: file({size: -1})},
  {name: 'a size in parts', reason: 'no size', in: file({size: 4.5})},
  {name: 'a size as text', reason: 'another type', in: file({size: '4'})},
  {name: 'a file that is too large', reason: 'bounded', in: file({size: SOURCE_LIMITS.fileBytes + 1})},
  {
    name: 'files that are too large together',
    reason: 'bounded',
    in: {
      files: ['a', 'b', 'c', 'd', 'e'].map(path => ({path, size: SOURCE_LIMITS.fileBytes, sha256: SHA256})),
    },
  },
  {name: 'a hash that leads outside the cache', reason: 'it names a file', in: file({sha256: '../../x'})},
  {name: 'a hash in upper case', reason: 'ours never is', in: file({sha256: SHA256.toUpperCase()})},
  {name: 'no hash', reason: 'nothing to check', in: file({sha256: undefined})},
]

async function outcomeOf(document: Uint8Array) {
  const store = memoryStore()
  await store.write(`v1/files/${SHA256}`, Buffer.from('text'))
  await store.write(NAME, document)
  const cache = packageCache(store, {clock: {now: () => 0}, warn: () => undefined})
  const found = await cache.find(DIGEST, AMD64)
  return {files: found?.files.map(each => each.path), isLeft: store.items.has(NAME), store, cache}
}

describe('a forged entry', () => {
  it('is found if it is valid', async () => {
    expect(await outcomeOf(sealed(ENTRY))).toMatchObject({files: ['app.yaml'], isLeft: true})
  })

  it.each(HOSTILE)('with $name is not found, and is removed: $reason', async ({in: changed}) => {
    const {files, isLeft} = await outcomeOf(sealed({...ENTRY, ...changed}))
    expect({files, isLeft}).toEqual({files: undefined, isLeft: false})
  })

  it.each([
    {name: 'no object', body: '[1]'},
    {name: 'no JSON', body: '{'},
    {name: 'no text', body: Buffer.of(0xff, 0xfe)},
    {name: 'no version', body: '{}'},
    {name: 'a version that is not a number', body: '{"formatVersion":"1"}'},
    {name: 'brackets without an end', body: '['.repeat(1_000_000)},
  ])('that is $name is not found, and is removed', async ({body}) => {
    const document = Buffer.concat([Buffer.from(`${digestOf(Buffer.from(body))}\n`), Buffer.from(body)])
    const {files, isLeft} = await outcomeOf(document)
    expect({files, isLeft}).toEqual({files: undefined, isLeft: false})
  })
})

describe('a document of another version', () => {
  const foreign = sealed({...ENTRY, formatVersion: 2})

  it('is not read, removed or overwritten', async () => {
    const {files, store, cache} = await outcomeOf(foreign)
    await cache.keep({digest: DIGEST, platform: AMD64, repository: TEAM, files: []})
    expect({files, left: Buffer.from(store.items.get(NAME)?.bytes ?? []).equals(foreign)}).toEqual({
      files: undefined,
      left: true,
    })
  })
})

describe('forged records of tags', () => {
  it.each([
    {name: 'no digest', in: {digest: 'x'}},
    {name: 'a time before time', in: {at: -1}},
    {name: 'a time as text', in: {at: '2020'}},
    {name: 'an invalid tag', in: {tag: '../v1', tags: ['../v1']}},
    {name: 'tags that are not strings', in: {tag: 1, tags: [1]}},
    {name: 'no tags', in: {tag: undefined, tags: undefined}},
    {name: 'no repository', in: {repository: undefined}},
    {name: 'another repository', in: {repository: {...TEAM, path: 'other'}}},
  ])('with $name are ignored', async ({in: changed}) => {
    const store = memoryStore()
    const body = {repository: TEAM, tag: 'v1', digest: DIGEST, tags: ['v1'], at: 1, ...changed}
    await store.write(tagName(TEAM, 'v1'), sealed(body))
    await store.write(tagListName(TEAM), sealed({...body, tags: 'digest' in changed ? [1] : body.tags}))
    const cache = packageCache(store, {clock: {now: () => 0}, warn: () => undefined})
    expect([await cache.tagged(TEAM, 'v1'), await cache.knownTags(TEAM), store.items.size]).toEqual([
      undefined,
      undefined,
      0,
    ])
  })
})
