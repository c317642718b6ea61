import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {inspect} from 'node:util'
import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {CrossplaneError} from '../../src/errors.js'
import {fetchImage} from '../../src/fetch/fetch-image.js'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import type {Registry} from '../../src/registry/registry.js'
import {registryFiles} from '../../src/unpack/files/layer-files.js'
import {startFaulty} from '../fakes/faulty-registry.js'
import type {Fault} from '../fakes/faulty-registry.js'
import {startRegistry} from '../fakes/registry-server.js'
import type {RegistryServer} from '../fakes/registry-server.js'
import {indexOf, part} from '../fetch/image-parts.js'
import {present} from '../outcome.js'
import {CANARIES, FAULT_CASES} from './fault-cases.js'
import {imageOf, layerOf, noise} from './package-images.js'
import {steadyClock} from './steady-clock.js'

/** Reads the package that every case is about. */
type Pull = (registry: Registry, host: string, tag: string) => Promise<void>

const direct: Pull = async (registry, host, tag) => {
  const {layers} = await fetchImage(registry.image({registry: host, path: 'team/package'}, {tag}))
  const files = await registryFiles(layers)
  expect(files.map(({path, bytes}) => [path, bytes.length])).toEqual([['app.yaml', 8]])
}

describe('a pull through a registry where things go wrong', () => {
  let server: RegistryServer | undefined
  beforeAll(async () => {
    server = await startRegistry()
    await pushAll(server)
  })
  afterAll(() => server?.close())

  /** Pulls through a fault; everything that was said on the way is searched for secrets. */
  async function ending(fault: Fault, tag: string, pull: Pull) {
    const faulty = await startFaulty(present(server).host, fault)
    const clock = steadyClock()
    const said: string[] = []
    const registry = ociRegistry(
      {
        http: nodeHttp(),
        keychain: {
          credentialsFor: () =>
            Promise.resolve({kind: 'password', username: 'somebody', password: CANARIES.password}),
        },
        clock,
        schemeOf: () => 'http:',
      },
      line => said.push(line),
    )
    try {
      const end = await pull(registry, faulty.host, tag).then(
        () => 'success',
        (error: unknown) => {
          said.push(inspect(error, {depth: 10}))
          if (error instanceof CrossplaneError) return error.code
          throw error
        },
      )
      expect(secretsIn(said)).toEqual([])
      return {end, requests: faulty.requests.length, slept: clock.slept.reduce((sum, each) => sum + each, 0)}
    } finally {
      await faulty.close()
    }
  }

  it.each(FAULT_CASES)('$name: $want', async ({fault, want, requests, slept}) => {
    expect(await ending(fault, 'v1', direct)).toEqual({
      end: want,
      requests,
      slept: slept ?? (expect.any(Number) as unknown),
    })
  })

  it.each([
    {name: 'indexes nested ten deep', tag: 'nested', want: 'limit-exceeded', requests: 5},
    {name: 'schema 1', tag: 'schema1', want: 'unsupported', requests: 1},
    {
      name: 'a layer that is shorter than its manifest says',
      tag: 'short',
      want: 'digest-mismatch',
      requests: 3,
    },
  ])('$name: $want', async ({tag, want, requests}) => {
    expect(await ending(answer => answer, tag, direct)).toMatchObject({end: want, requests})
  })

  it('passes over what it has where a registry answers a range with all', async () => {
    const whole: Fault = (answer, {path, number}) => {
      if (!path.includes('/blobs/')) return answer
      const all = blobAt(present(server), path)
      const body = number === 1 ? all.subarray(0, 30_000) : all
      return {status: 200, headers: {}, body, isCut: number === 1}
    }
    expect(await ending(whole, 'v1', direct)).toMatchObject({end: 'success', requests: 3})
  })
})

function secretsIn(said: readonly string[]): readonly string[] {
  const {password, token} = CANARIES
  const secrets = [password, token, Buffer.from(`somebody:${password}`).toString('base64')]
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
  const layer = layerOf({'.registry/app.yaml': 'title: x', 'bin/manager': noise(60_000)})
  const image = imageOf(layer)
  await registry.push({registry: host, path: 'team/package'}, 'v1', image)
  const repository = contents.ensure('team/package')
  const put = (tag: string, {bytes, descriptor}: ReturnType<typeof part>) =>
    repository.putManifest(tag, {mediaType: descriptor.mediaType, bytes})
  const manifest = present(image.manifests[0])
  let nested = part(manifest.descriptor.mediaType, manifest.bytes)
  for (let depth = 0; depth < 10; depth++) put('nested', (nested = indexOf(nested)))
  put(
    'schema1',
    part('application/vnd.docker.distribution.manifest.v1+prettyjws', {schemaVersion: 1, fsLayers: []}),
  )
  const lying = JSON.parse(String(Buffer.from(manifest.bytes))) as {layers: {size: number}[]}
  for (const each of lying.layers) each.size += 100
  put('short', part(manifest.descriptor.mediaType, lying))
}
