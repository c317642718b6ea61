import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {CrossplaneError} from '../../src/errors.js'
import {fetchImage} from '../../src/fetch/fetch-image.js'
import {layersOf} from '../../src/fetch/image.js'
import type {FetchOptions} from '../../src/fetch/fetch-image.js'
import type {ImageStore} from '../../src/fetch/image-store.js'
import type {Repository} from '../../src/reference/repository.js'
import type {SchemeOf} from '../../src/registry/endpoint.js'
import type {Http} from '../../src/http/http.js'
import type {Credentials} from '../../src/registry/credentials/keychain.js'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import type {ProgressEvent} from '../../src/registry/progress.js'
import type {Registry} from '../../src/registry/registry.js'
import {registryFiles} from '../../src/unpack/files/layer-files.js'
import {outcome, present} from '../outcome.js'
import {imageOf, imagesOf, layerOf, noise} from './package-images.js'
import {steadyClock} from '../http/steady-clock.js'

/** A registry that listens, with the means to reach it; no other test uses its contents. */
export interface RunningRegistry {
  readonly host: string
  /** Plain HTTP without any. */
  readonly http?: Http
  readonly schemeOf?: SchemeOf
  /** Credentials that may push and pull; undefined if none are required. */
  readonly credentials?: Credentials
  /** A tag cannot be given to another image. */
  readonly keepsTags?: boolean
  stop(): Promise<void>
}

/** Describes what every registry must do. */
export function describeRegistry(name: string, start: () => Promise<RunningRegistry>): void {
  describe(name, () => {
    let running: RunningRegistry | undefined
    beforeAll(async () => {
      running = await start()
    })
    afterAll(() => running?.stop())
    const at = () => present(running)
    const repository = (path: string): Repository => ({registry: at().host, path})
    const client = (options: ClientOptions = {}) => clientOf(at(), options)

    it('returns the pushed image, by tag and by digest', async () => {
      const image = imageOf(layerOf({'.registry/app.yaml': 'title: x', 'bin/manager': 'x'.repeat(10_000)}))
      const pushed = await client().push(repository('team/round'), 'v1', image)
      expect(pushed).toEqual({
        digest: image.descriptor.digest,
        changed: true,
        uploaded: 2,
        mounted: 0,
        present: 0,
      })
      for (const choice of [
        {tag: 'v1'},
        {digest: image.descriptor.digest},
        {tag: 'gone', digest: image.descriptor.digest},
      ]) {
        expect(await filesOf(client().image(repository('team/round'), choice))).toEqual({
          digest: image.descriptor.digest,
          files: {'app.yaml': 'title: x'},
        })
      }
    })

    it('stores the images of an index separately', async () => {
      const image = imagesOf(
        layerOf({'.registry/app.yaml': 'amd64'}),
        layerOf({'.registry/app.yaml': 'arm64'}),
      )
      await client().push(repository('team/index'), 'v1', image)
      for (const architecture of ['amd64', 'arm64']) {
        const store = client().image(repository('team/index'), {tag: 'v1'})
        expect(await filesOf(store, {platform: {os: 'linux', architecture}})).toEqual({
          digest: image.descriptor.digest,
          files: {'app.yaml': architecture},
        })
      }
    })

    it('accepts the same again without a change, and only new blobs of another', async () => {
      const base = layerOf({'bin/manager': 'x'.repeat(5000)})
      const first = imageOf(base, layerOf({'.registry/app.yaml': 'one'}))
      const second = imageOf(base, layerOf({'.registry/app.yaml': 'two'}))
      const push = (image: typeof first) => client().push(repository('team/again'), 'v1', image)
      expect(await push(first)).toMatchObject({changed: true, uploaded: 3})
      expect(await push(first)).toMatchObject({changed: false, uploaded: 0})
      const isKept = at().keepsTags === true
      expect(await outcome(() => push(second))).toEqual(
        isKept
          ? 'output-refused'
          : {digest: second.descriptor.digest, changed: true, uploaded: 1, mounted: 0, present: 2},
      )
      const {digest} = (isKept ? first : second).descriptor
      expect(await client().digestOf(repository('team/again'), 'v1')).toBe(digest)
    })

    it('mounts blobs of another repository', async () => {
      const base = layerOf({'bin/manager': 'mounted'})
      await client().push(repository('team/source'), 'v1', imageOf(base))
      const image = imageOf(base)
      const options = {mountFrom: 'team/source'}
      const pushed = await client().push(repository('team/target'), 'v1', image, undefined, options)
      expect(pushed).toMatchObject({uploaded: 0, mounted: 2})
      expect(
        (await fetchImage(client().image(repository('team/target'), {tag: 'v1'}))).descriptor.digest,
      ).toBe(image.descriptor.digest)
    })

    it('uploads blobs that cannot be mounted', async () => {
      const image = imageOf(layerOf({'bin/manager': 'nowhere else'}))
      const options = {mountFrom: 'team/that-is-not-there'}
      const pushed = await client().push(repository('team/unmounted'), 'v1', image, undefined, options)
      expect(pushed).toMatchObject({changed: true, mounted: 0})
    })

    it('lists all tags', async () => {
      const image = imageOf(layerOf({'.registry/app.yaml': 'tags'}))
      const tags = ['v0.1.0', 'v0.2.0', 'v0.10.0', 'a', 'Z', '_x', 'v1.0.0-rc.1']
      for (const tag of tags) await client().push(repository('team/tags'), tag, image)
      expect((await all(client().tags(repository('team/tags')))).sort()).toEqual([...tags].sort())
    })

    it('reports missing repositories and tags', async () => {
      const absent = repository('team/absent')
      expect(await client().digestOf(absent, 'v1')).toBeUndefined()
      expect(await outcome(() => fetchImage(client().image(absent, {tag: 'v1'})))).toBe('not-found')
      expect(await outcome(() => all(client().tags(absent)))).toBe('not-found')
    })

    it('continues after a broken connection', async () => {
      const layer = layerOf({'.registry/app.yaml': 'broken', 'bin/manager': noise(200_000)})
      await client().push(repository('team/broken'), 'v1', imageOf(layer))
      const events: ProgressEvent[] = []
      const breaking = client({http: breakingOnce(at().http ?? nodeHttp(), 3000)})
      const store = breaking.image(repository('team/broken'), {tag: 'v1'}, event => events.push(event))
      expect(await filesOf(store)).toMatchObject({files: {'app.yaml': 'broken'}})
      expect(events.filter(({kind}) => kind === 'retry')).toMatchObject([{kind: 'retry', done: 1, total: 5}])
      expect(events.at(-1)).toMatchObject({done: layer.bytes.length, total: layer.bytes.length})
    })

    it('rejects unknown users', async () => {
      const image = imageOf(layerOf({'.registry/app.yaml': 'secret'}))
      await client().push(repository('team/secret'), 'v1', image)
      const isOpen = at().credentials === undefined
      const wrong = {kind: 'password', username: 'someone', password: 'wrong'} as const
      for (const credentials of isOpen ? [undefined] : [undefined, wrong]) {
        const stranger = client({credentials})
        const read = await outcome(() => stranger.digestOf(repository('team/secret'), 'v1'))
        expect(read).toBe(isOpen ? image.descriptor.digest : 'access-denied')
        const pushed = await outcome(() => stranger.push(repository('team/other'), 'v1', image))
        expect(pushed).toEqual(isOpen ? expect.anything() : 'access-denied')
      }
    })
  })
}

interface ClientOptions {
  readonly http?: Http
  readonly credentials?: Credentials | undefined
}

function clientOf(running: RunningRegistry, options: ClientOptions): Registry {
  const {credentials} = {...running, ...options}
  return ociRegistry({
    http: options.http ?? running.http ?? nodeHttp(),
    keychain: {
      credentialsFor: registry => Promise.resolve(registry === running.host ? credentials : undefined),
    },
    clock: steadyClock(),
    schemeOf: running.schemeOf ?? (() => 'http:'),
  })
}

async function filesOf(store: ImageStore, options: FetchOptions = {}): Promise<unknown> {
  const image = await fetchImage(store, options)
  const files = present(await registryFiles(layersOf(image)))
  return {
    digest: image.descriptor.digest,
    files: Object.fromEntries(files.map(({path, bytes}) => [path, Buffer.from(bytes).toString()])),
  }
}

async function all(tags: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const tag of tags) found.push(tag)
  return found
}

/** Breaks the first long answer off after so many bytes. */
function breakingOnce(http: Http, after: number): Http {
  let isBroken = false
  return {
    send: async request => {
      const response = await http.send(request)
      return {...response, body: broken(response.body)}
    },
  }
  async function* broken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    let sent = 0
    for await (const chunk of body) {
      if (!isBroken && sent + chunk.length > after) {
        isBroken = true
        yield chunk.subarray(0, after - sent)
        throw new CrossplaneError('registry-unreachable', 'the connection broke')
      }
      sent += chunk.length
      yield chunk
    }
  }
}
