import {describe, expect, it} from '@jest/globals'
import {packageCache} from '../../src/cache/package-cache.js'
import {packagesInCache} from '../../src/completion/packages-in-cache.js'
import {memoryStore, refusingStore} from '../cache/memory-store.js'

const DIGEST = `sha256:${'a'.repeat(64)}` as const
const APP = {registry: 'docker.io', path: 'example/app'}
const DB = {registry: 'registry.example.org', path: 'db'}
const INDEX = {registry: 'registry.example.org', path: 'index'}

function filled() {
  let time = 0
  const store = memoryStore(() => (time += 1))
  const warn = () => undefined
  return {store, cache: packageCache(store, {clock: {now: () => time}, warn})}
}

describe('packages in the cache', () => {
  it('are those that were pulled, with the tags that were listed, and those of indexes', async () => {
    const {store, cache} = filled()
    await cache.rememberTag(APP, 'v1', DIGEST)
    await cache.rememberTags(APP, ['v1', 'v2'])
    await cache.rememberTags(INDEX, ['group.example.org'])
    const entry = {kind: 'PackageEntry', identity: 'registry.example.org/db', tag: 'v3'}
    await cache.rememberIndexDocument(INDEX, 'entry', Buffer.from(JSON.stringify(entry)))
    expect(await packagesInCache(store)).toEqual([
      {repository: 'example/app', tag: 'v1'},
      {repository: 'example/app', tag: 'v1'},
      {repository: 'example/app', tag: 'v2'},
      {repository: 'registry.example.org/db', tag: 'v3'},
    ])
  })

  it('omit damaged documents', async () => {
    const {store, cache} = filled()
    await cache.rememberTag(APP, 'v1', DIGEST)
    for (const item of store.items.values()) item.bytes = Buffer.from('{}')
    await cache.rememberTag(DB, 'v1', DIGEST)
    expect(await packagesInCache(store)).toEqual([{repository: 'registry.example.org/db', tag: 'v1'}])
  })

  it('are the hundred that were used last', async () => {
    const {store, cache} = filled()
    for (let number = 0; number < 120; number += 1) await cache.rememberTag(APP, `v${number}`, DIGEST)
    const tags = (await packagesInCache(store)).map(({tag}) => tag)
    expect({count: tags.length, first: tags[0], last: tags.at(-1)}).toEqual({
      count: 100,
      first: 'v119',
      last: 'v20',
    })
  })

  it('are unknown where the cache cannot be read', async () => {
    const store = refusingStore(filled().store, ['read'])
    expect(await packagesInCache(store)).toEqual([])
  })
})
