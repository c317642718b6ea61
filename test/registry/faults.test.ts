import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {inspect} from 'node:util'
import {cacheFolder} from '../../src/adapters/cache-folder.js'
import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {CrossplaneError} from '../../src/errors.js'
import {pullPackage} from '../../src/locate/pull-package.js'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import {tracedHttp} from '../../src/http/trace.js'
import {listed} from '../cache/cache-store-contract.js'
import {startFaulty} from '../fakes/faulty-registry.js'
import type {Diagnostic} from '../fakes/faulty-registry.js'
import {startRegistry} from '../fakes/registry-server.js'
import type {RegistryServer} from '../fakes/registry-server.js'
import {indexOf, part} from '../fetch/image-parts.js'
import {present} from '../outcome.js'
import {temporaryFolder} from '../temporary-folder.js'
import {CANARIES, FAULT_CASES} from './fault-cases.js'
import {imageOf, layerOf, noise} from './package-images.js'
import {steadyClock} from '../http/steady-clock.js'

/** The one file of the package that every case is about. */
const APP = 'title: x'

/** What a cache holds: its entries, the bytes of all their files, tags, and what was not finished. */
interface Left {
  readonly entries: number
  readonly files: number
  readonly bytes: number
  readonly tags: number
  readonly unfinished: number
}

const NOTHING: Left = {entries: 0, files: 0, bytes: 0, tags: 0, unfinished: 0}

/**
 * After a failure nothing of a package is left. What a tag leads to stays, where that was found out: it was so whether
 * or not its package can be had, and without a network it gives a digest that then is named as missing.
 */
function expectedLeft(want: string, resolves: boolean): Left {
  if (want === 'success') return {entries: 1, files: 1, bytes: APP.length, tags: 1, unfinished: 0}
  return {...NOTHING, tags: resolves ? 1 : 0}
}

describe('a pull from a failing registry', () => {
  const folder = temporaryFolder()
  let server: RegistryServer | undefined
  beforeAll(async () => {
    server = await startRegistry()
    await pushAll(server)
  })
  afterAll(() => server?.close())

  /** Pulls through a fault into a new cache; neither what was said on the way nor what was kept holds a secret. */
  async function ending(fault: Diagnostic, tag: string) {
    const faulty = await startFaulty(present(server).host, fault)
    const root = mkdtempSync(join(folder, 'cache-'))
    const said: string[] = []
    const {pull, slept} = puller(root, line => said.push(line))
    try {
      const end = await pull(faulty.host, tag).then(
        () => 'success',
        (error: unknown) => {
          said.push(inspect(error, {depth: 10}))
          if (error instanceof CrossplaneError) return error.code
          throw error
        },
      )
      const {left, texts} = await contentOf(root)
      expect(secretsIn([...said, ...texts])).toEqual([])
      return {end, requests: faulty.requests.length, slept: slept.reduce((sum, each) => sum + each, 0), left}
    } finally {
      await faulty.close()
    }
  }

  it.each(FAULT_CASES)('$name: $want', async ({fault, want, requests, slept, resolves = true}) => {
    expect(await ending(fault, 'v1')).toEqual({
      end: want,
      requests,
      slept: slept ?? (expect.any(Number) as unknown),
      left: expectedLeft(want, resolves),
    })
  })

  it.each([
    {name: 'indexes nested ten deep', tag: 'nested', want: 'limit-exceeded', requests: 6},
    {name: 'schema 1', tag: 'schema1', want: 'unsupported', requests: 2},
    {
      name: 'a layer that is shorter than in its manifest',
      tag: 'short',
      want: 'digest-mismatch',
      requests: 4,
    },
  ])('$name: $want', async ({tag, want, requests}) => {
    const left = expectedLeft(want, true)
    expect(await ending(answer => answer, tag)).toMatchObject({end: want, requests, left})
  })

  it('skips received bytes if a registry ignores the range', async () => {
    const whole: Diagnostic = (answer, {path, number}) => {
      if (!path.includes('/blobs/')) return answer
      const all = blobAt(present(server), path)
      const body = number === 1 ? all.subarray(0, 30_000) : all
      return {status: 200, headers: {}, body, isCut: number === 1}
    }
    const left = expectedLeft('success', true)
    expect(await ending(whole, 'v1')).toMatchObject({end: 'success', requests: 4, left})
  })
})

/** Pulls as commands do, on a clock without real waits, into the cache at `root`. */
function puller(root: string, say: (line: string) => void) {
  const clock = steadyClock()
  const cache = packageCache(cacheFolder(root), {clock, warn: ({message}) => say(message)})
  const credentials = {kind: 'password', username: 'anna', password: CANARIES.password} as const
  const registry = ociRegistry({
    http: tracedHttp(nodeHttp(), clock, say),
    keychain: {credentialsFor: () => Promise.resolve(credentials)},
    clock,
    schemeOf: () => 'http:',
  })
  const ports = {registry: () => Promise.resolve(registry), cache: () => Promise.resolve(cache)}
  const pull = async (host: string, tag: string) => {
    const {files, fromCache} = await pullPackage({registry: host, path: 'team/package', tag}, ports)
    expect({files: files.map(({path, bytes}) => [path, Buffer.from(bytes).toString()]), fromCache}).toEqual({
      files: [['app.yaml', APP]],
      fromCache: false,
    })
  }
  return {pull, slept: clock.slept}
}

/** What a cache holds, counted and as text; a mark on the folder itself is no content. */
async function contentOf(root: string): Promise<{left: Left; texts: readonly string[]}> {
  const items = await listed(cacheFolder(root), '')
  const below = (prefix: string) => items.filter(({name}) => name.startsWith(prefix))
  const left = {
    entries: below('v1/entries/').length,
    files: below('v1/files/').length,
    bytes: below('v1/files/').reduce((sum, {size}) => sum + size, 0),
    tags: below('v1/tags/').length + below('v1/tag-lists/').length,
    unfinished: below('unfinished/').length,
  }
  expect(items.length).toBe(left.entries + left.files + left.tags + left.unfinished)
  return {left, texts: items.map(({name}) => readFileSync(join(root, name), 'latin1'))}
}

function secretsIn(said: readonly string[]): readonly string[] {
  const {password, token} = CANARIES
  const secrets = [password, token, Buffer.from(`anna:${password}`).toString('base64')]
  return said.filter(text => secrets.some(secret => text.includes(secret)))
}

function blobAt(server: RegistryServer, path: string): Buffer {
  const digest = path.slice(path.lastIndexOf('/') + 1)
  return present(server.contents.repository('team/package')?.blobs.get(digest))
}

/** The package of all cases, and the images that are themselves what is wrong. */
async function pushAll({host, contents}: RegistryServer): Promise<void> {
  const registry = ociRegistry({
    http: nodeHttp(),
    keychain: {credentialsFor: () => Promise.resolve(undefined)},
    clock: steadyClock(),
    schemeOf: () => 'http:',
  })
  const layer = layerOf({'.registry/app.yaml': APP, 'bin/manager': noise(60_000)})
  const image = imageOf(layer)
  await registry.push({registry: host, path: 'team/package'}, 'v1', image)
  const repository = contents.ensure('team/package')
  const put = (tag: string, {bytes, descriptor}: ReturnType<typeof part>) =>
    repository.putManifest(tag, {mediaType: descriptor.mediaType, bytes})
  let nested = part(image.descriptor.mediaType, image.bytes)
  for (let depth = 0; depth < 10; depth++) put('nested', (nested = indexOf(nested)))
  put(
    'schema1',
    part('application/vnd.docker.distribution.manifest.v1+prettyjws', {schemaVersion: 1, fsLayers: []}),
  )
  const lying = JSON.parse(String(Buffer.from(image.bytes))) as {layers: {size: number}[]}
  for (const each of lying.layers) each.size += 100
  put('short', part(image.descriptor.mediaType, lying))
}
