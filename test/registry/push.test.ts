import {describe, expect, it} from '@jest/globals'
import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {CrossplaneError} from '../../src/errors.js'
import {fetchImage} from '../../src/fetch/fetch-image.js'
import {REGISTRY_LAYER, WHOLE} from '../../src/fetch/registry-layer.js'
import type {Http, HttpRequest} from '../../src/http/http.js'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import {type Image, layersOf} from '../../src/fetch/image.js'
import type {ProgressEvent} from '../../src/registry/progress.js'
import {tracedHttp, type Trace} from '../../src/http/trace.js'
import {registryFiles} from '../../src/unpack/files/layer-files.js'
import {startRegistry} from '../fakes/registry-server.js'
import type {RegistryOptions, RegistryServer} from '../fakes/registry-server.js'
import {startFaulty} from '../fakes/faulty-registry.js'
import type {Diagnostic} from '../fakes/faulty-registry.js'
import {OCI, part} from '../fetch/image-parts.js'
import {member, rawTar} from '../fetch/raw-tar.js'
import {outcome} from '../outcome.js'
import {all, at, first, headers, lost, redirect, status} from './faults.js'
import {documentOf, imageOf, imagesOf, layerOf} from './package-images.js'
import {scriptedHttp} from '../http/scripted-http.js'
import type {Scripted} from '../http/scripted-http.js'
import {steadyClock} from '../http/steady-clock.js'

const user = {username: 'anna', password: 'canary-of-a-push-2105'}

function clientOf(http: Http, scheme: 'http:' | 'https:' = 'http:', trace?: Trace) {
  const clock = steadyClock()
  return ociRegistry({
    http: trace === undefined ? http : tracedHttp(http, clock, trace),
    keychain: {credentialsFor: () => Promise.resolve({kind: 'password', ...user})},
    clock,
    schemeOf: () => scheme,
  })
}

/** A push through a fault: its end, the requests, and whether the image can be read from the registry afterwards. */
async function pushed(fault: Diagnostic, image: Image, options: RegistryOptions = {}) {
  const server = await startRegistry(options)
  const faulty = await startFaulty(server.host, fault)
  try {
    const client = clientOf(nodeHttp())
    const end = await outcome(() => client.push({registry: faulty.host, path: 'team/package'}, 'v1', image))
    const readBack = await outcome(
      async () =>
        (await fetchImage(client.image({registry: server.host, path: 'team/package'}, {tag: 'v1'})))
          .descriptor.digest,
    )
    const isThere = readBack === image.descriptor.digest
    return {end: typeof end === 'string' ? end : 'pushed', requests: faulty.requests, isThere}
  } finally {
    await Promise.all([faulty.close(), server.close()])
  }
}

const image = imageOf(layerOf({'.registry/app.yaml': 'title: x'}))
const UPLOAD = {path: /\/blobs\/uploads\/./}
const BEGIN = {path: /\/blobs\/uploads\/$/}
const TAG = {path: /\/manifests\/v1$/, number: (number: number) => number > 2}
const answeredTo =
  (method: string, fault: Diagnostic): Diagnostic =>
  (answer, request) =>
    request.method === method ? fault(answer, request) : answer

/** As docker-registry answers where another uploads one of the blobs at the same time. */
const unnoticed: Diagnostic = answer => ({
  ...answer,
  status: 400,
  headers: {},
  body: Buffer.from('{"errors":[{"code":"MANIFEST_BLOB_UNKNOWN","message":"blob unknown to registry"}]}'),
})

describe('a push', () => {
  it.each<{name: string; fault: Diagnostic; want: string; requests: number}>([
    {name: 'without a fault', fault: answer => answer, want: 'pushed', requests: 9},
    {
      name: 'whose answers are lost after the blobs were stored',
      fault: at(first(UPLOAD), lost),
      want: 'pushed',
      requests: 11,
    },
    {
      name: 'whose uploads cannot begin for a moment',
      fault: at(first(BEGIN, 2), status(503)),
      want: 'pushed',
      requests: 13,
    },
    {name: 'that is not allowed', fault: at(BEGIN, status(403)), want: 'access-denied', requests: 6},
    {
      name: 'whose upload has no place',
      fault: at(BEGIN, headers({location: undefined})),
      want: 'registry-failed',
      requests: 6,
    },
    {
      name: 'whose upload has a place with a password',
      fault: at(BEGIN, headers({location: 'http://a:b@127.0.0.1/'})),
      want: 'registry-failed',
      requests: 6,
    },
    {
      name: 'of which another blob is stored',
      fault: at(UPLOAD, headers({'docker-content-digest': `sha256:${'0'.repeat(64)}`})),
      want: 'digest-mismatch',
      requests: 8,
    },
    {
      name: 'of which another manifest is stored',
      fault: at(TAG, headers({'docker-content-digest': `sha256:${'0'.repeat(64)}`})),
      want: 'digest-mismatch',
      requests: 9,
    },
    {
      name: 'to a registry that does not send the digest',
      fault: all(
        at(UPLOAD, headers({'docker-content-digest': undefined})),
        at(TAG, headers({'docker-content-digest': undefined})),
      ),
      want: 'pushed',
      requests: 9,
    },
    {
      name: 'of a manifest that is rejected',
      fault: answeredTo('PUT', at(TAG, status(400))),
      want: 'registry-failed',
      requests: 9,
    },
    {
      name: 'of a manifest while the registry is down for a moment',
      fault: answeredTo('PUT', at({...TAG, number: number => number === 3}, status(502))),
      want: 'pushed',
      requests: 10,
    },
    {
      name: 'of a manifest whose blobs the registry does not see for a moment',
      fault: answeredTo('PUT', at({...TAG, number: number => number === 3}, unnoticed)),
      want: 'pushed',
      requests: 10,
    },
    {
      name: 'of a manifest whose blobs the registry never sees',
      fault: answeredTo('PUT', at(TAG, unnoticed)),
      want: 'registry-failed',
      requests: 13,
    },
    {
      name: 'that is redirected to another host',
      fault: answeredTo(
        'PUT',
        at(
          UPLOAD,
          redirect(() => 'http://127.0.0.1:1/'),
        ),
      ),
      want: 'registry-failed',
      requests: 8,
    },
  ])('$name: $want', async ({fault, want, requests}) => {
    const {end, requests: sent} = await pushed(fault, image)
    expect({end, requests: sent.length}).toEqual({end: want, requests})
  })

  it('stores referenced content first, and the tag last', async () => {
    const index = imagesOf(layerOf({'.registry/app.yaml': 'a'}), layerOf({'.registry/app.yaml': 'b'}))
    const {requests, isThere} = await pushed(answer => answer, index)
    const puts = requests
      .filter(line => line.startsWith('PUT'))
      .map(line => line.replace(/.*\/(blobs|manifests)\/(\w+).*/, '$1'))
    expect({puts, last: requests.at(-1), isThere}).toEqual({
      puts: ['blobs', 'blobs', 'blobs', 'manifests', 'manifests', 'manifests'],
      last: 'PUT /v2/team/package/manifests/v1',
      isThere: true,
    })
  })

  it('reports no blob as whole that the registry does not store', async () => {
    const server = await startRegistry()
    const faulty = await startFaulty(server.host, answeredTo('PUT', at(UPLOAD, status(404))))
    const events: ProgressEvent[] = []
    const repository = {registry: faulty.host, path: 'a'}
    const push = clientOf(nodeHttp()).push(repository, 'v1', image, event => events.push(event))
    await expect(push).rejects.toMatchObject({code: 'not-found'})
    await Promise.all([faulty.close(), server.close()])
    expect(events.filter(({kind, done, total}) => kind === 'upload' && done === total)).toEqual([])
  })

  it('uploads four blobs at a time, and reports each', async () => {
    const server = await startRegistry()
    let open = 0
    let most = 0
    const counting: Http = {
      send: async request => {
        most = Math.max(most, request.method === 'PUT' ? ++open : open)
        try {
          await new Promise(resolve => setTimeout(resolve, 2))
          return await nodeHttp().send(request)
        } finally {
          if (request.method === 'PUT') open--
        }
      },
    }
    const layers = [1, 2, 3, 4, 5, 6, 7, 8].map(number => layerOf({[`file-${number}`]: String(number)}))
    const events: ProgressEvent[] = []
    const repository = {registry: server.host, path: 'a'}
    await clientOf(counting).push(repository, 'v1', imageOf(...layers), event => events.push(event))
    await server.close()
    expect(most).toBe(4)
    const whole = events.filter(({kind, done, total}) => kind === 'upload' && done === total)
    expect(new Set(whole.map(({name}) => name)).size).toBe(9)
    expect(events.at(-1)).toMatchObject({kind: 'manifest', name: 'v1'})
  })

  it('passes on the error of its source, and does not retry', async () => {
    const source = new CrossplaneError('source-invalid', 'the layout is damaged')
    const open = () => failing(source)
    const server = await startRegistry()
    const broken = {...image, layers: image.layers.map(layer => ({...layer, open}))}
    const end = await outcome(() =>
      clientOf(nodeHttp()).push({registry: server.host, path: 'a'}, 'v1', broken),
    )
    await server.close()
    expect(end).toBe('source-invalid')
    expect(server.seen.filter(({method}) => method === 'POST').length).toBeLessThanOrEqual(2)
  })

  it('sends credentials only to the registry, wherever it redirects uploads', async () => {
    const asked: HttpRequest[] = []
    const http = scriptedHttp((request): Scripted => {
      asked.push(request)
      if (request.url.host === 'uploads.test') return {status: 201}
      if (request.headers['authorization'] === undefined)
        return {status: 401, headers: {'www-authenticate': 'Basic realm="x"'}}
      if (request.method === 'POST')
        return {status: 202, headers: {location: 'https://uploads.test/u?signature=a%2Bb+c'}}
      return {status: request.method === 'PUT' ? 201 : 404}
    })
    await clientOf(http, 'https:').push({registry: 'registry.test', path: 'a'}, 'v1', image)
    const uploads = asked.filter(({url}) => url.host === 'uploads.test')
    expect(uploads.map(({headers}) => headers['authorization'])).toEqual([undefined, undefined])
    expect(uploads[0]?.url.search).toMatch(/^\?signature=a%2Bb\+c&digest=sha256%3A[a-f0-9]{64}$/)
  })

  it.each([400, 401, 403, 404, 405])('uploads blobs that cannot be mounted: %s', async refusal => {
    const http = scriptedHttp(({method, url}): Scripted => {
      if (url.searchParams.has('mount')) return {status: refusal}
      if (method === 'POST') return {status: 202, headers: {location: '/u'}}
      return {status: method === 'PUT' ? 201 : 404}
    })
    const repository = {registry: 'registry.test', path: 'a'}
    const options = {mountFrom: 'private/base'}
    const push = clientOf(http, 'https:').push(repository, 'v1', image, undefined, options)
    expect(await push).toMatchObject({uploaded: 2, mounted: 0})
  })

  it('does not upload over plain HTTP after a redirect from HTTPS', async () => {
    const http = scriptedHttp(({method}) =>
      method === 'POST' ? {status: 202, headers: {location: 'http://registry.test/u'}} : {status: 404},
    )
    const push = () => clientOf(http, 'https:').push({registry: 'registry.test', path: 'a'}, 'v1', image)
    expect(await outcome(push)).toBe('registry-failed')
  })
})

async function* failing(error: Error): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('x'))
  throw error
}

describe('a trace', () => {
  it('has a line for each exchange, without secrets', async () => {
    const server = await startRegistry({redirectsBlobs: true, demand: {kind: 'bearer', ...user}})
    const lines: string[] = []
    const client = clientOf(nodeHttp(), 'http:', line => lines.push(line))
    const repository = {registry: server.host, path: 'a'}
    await client.push(repository, 'v1', image)
    await registryFiles(layersOf(await fetchImage(client.image(repository, {tag: 'v1'}))))
    await server.close()
    expect(lines.length).toBe(server.seen.length + server.seenByStorage.length)
    expect(lines.filter(line => /canary|token-|[?]|basic|bearer/i.test(line))).toEqual([])
    expect(lines[0]).toBe(`HEAD http://${server.host}/v2/a/manifests/v1 401 0 ms`)
    expect(lines).toContain(`GET http://${server.host}/token 200 0 ms`)
  })
})

describe('HEAD that a registry or a proxy does not answer as GET', () => {
  it.each([400, 401, 403, 404, 405, 406, 422, 500, 501])('%s: GET decides', async code => {
    const server = await startRegistry()
    const repository = {registry: server.host, path: 'a'}
    await clientOf(nodeHttp()).push(repository, 'v1', image)
    const failing = answeredTo('HEAD', at({path: /\/(?:manifests|blobs)\//}, status(code)))
    const faulty = await startFaulty(server.host, failing)
    const proxied = {registry: faulty.host, path: 'a'}
    const client = clientOf(nodeHttp())
    const before = await client.digestOf(proxied, 'v1')
    const again = await client.push(proxied, 'v1', image)
    const other = await client.push(proxied, 'v2', image)
    const requests = faulty.requests.length
    await Promise.all([faulty.close(), server.close()])
    expect({before, changed: [again.changed, other.changed], requests}).toEqual({
      before: image.descriptor.digest,
      changed: [false, true],
      // Twice HEAD and GET of v1, HEAD and GET of v2, HEAD, POST and PUT of two blobs, PUT of v2.
      requests: 13,
    })
  })
})

describe('the digest of a tag', () => {
  it('is computed if the registry does not send it', async () => {
    const server = await startRegistry()
    await clientOf(nodeHttp()).push({registry: server.host, path: 'a'}, 'v1', image)
    const faulty = await startFaulty(server.host, headers({'docker-content-digest': undefined}))
    const client = clientOf(nodeHttp())
    const found = await Promise.all(
      ['v1', 'v2'].map(tag => client.digestOf({registry: faulty.host, path: 'a'}, tag)),
    )
    await Promise.all([faulty.close(), server.close()])
    expect(found).toEqual([image.descriptor.digest, undefined])
  })
})

describe('a pull', () => {
  /** The requested layers, in the order of the image's. */
  async function layersRead(server: RegistryServer, annotations: object) {
    const base = layerOf({'bin/manager': 'x'.repeat(1000)})
    const tar = rawTar(
      member({name: '.registry/', type: '5'}),
      member({name: '.registry/.wh..wh..opq'}),
      member({name: '.registry/app.yaml'}, 'title: x'),
    )
    const top = part(OCI.layer, tar)
    const image = imageOf(base, top)
    const layers = [base.descriptor, {...top.descriptor, annotations}]
    const manifest = part(OCI.manifest, {
      schemaVersion: 2,
      mediaType: OCI.manifest,
      config: image.config!.descriptor,
      layers,
    })
    const repository = {registry: server.host, path: 'a'}
    const client = clientOf(nodeHttp())
    await client.push(repository, 'v1', {...image, ...documentOf(manifest)})
    const before = server.seen.length
    const files = await registryFiles(layersOf(await fetchImage(client.image(repository, {tag: 'v1'}))))
    expect(files?.map(({path}) => path)).toEqual(['app.yaml'])
    const read = server.seen.slice(before).map(({path}) => path)
    return [base, top].map(({descriptor}) => read.includes(`/v2/a/blobs/${descriptor.digest}`))
  }

  it('fetches only the layer of the package, if the manifest names it', async () => {
    const server = await startRegistry()
    expect(await layersRead(server, {})).toEqual([true, true])
    expect(await layersRead(server, {[REGISTRY_LAYER]: WHOLE})).toEqual([false, true])
    await server.close()
  })

  it('sends no credentials to the storage behind a registry', async () => {
    const server = await startRegistry({redirectsBlobs: true, demand: {kind: 'bearer', ...user}})
    await layersRead(server, {})
    expect(server.seen.some(({authorization}) => authorization === 'Bearer')).toBe(true)
    expect(server.seenByStorage.map(({method, authorization}) => [method, authorization])).toEqual([
      ['GET', undefined],
      ['GET', undefined],
    ])
    await server.close()
  })
})
