import {once} from 'node:events'
import {createServer} from 'node:http'
import type {IncomingMessage, Server, ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {digestOf} from '../fetch/image-parts.js'
import {bytesOf} from '../fetch/fake-sources.js'
import {RegistryContents} from './registry-contents.js'
import {Doorkeeper} from './registry-doorkeeper.js'
import type {Demand} from './registry-doorkeeper.js'

/** What registries differ in. */
export interface RegistryOptions {
  readonly demand?: Demand
  /** Tags in a page; all in one by default. */
  readonly pageSize?: number
  /** Blobs are read from a server of their own, which nobody may show credentials to. */
  readonly redirectsBlobs?: boolean
  readonly keepsTags?: boolean
  /** Every so many requests one is answered 429. */
  readonly busyEvery?: number
  /** Repositories that nobody created are nobody's to read or to push to: 403 for all of them. */
  readonly makesNoRepositories?: boolean
  /** How a manifest is rejected of which the repository lacks something: 400 MANIFEST_BLOB_UNKNOWN by default. */
  readonly lacking?: {readonly status: number; readonly code: string}
  /** Some registries reject manifests that name a subject: the status. */
  readonly rejectsSubjects?: number
  /** Some take no artifacts at all: 415. */
  readonly rejectsArtifacts?: boolean
  /** Whether it has an API for referrers: a list without any. */
  readonly hasReferrers?: boolean
  /** Tags that no push may write: 403. */
  readonly closedTags?: RegExp
  /** Some registries answer 404 or 405 for every list of tags. */
  readonly listsTags?: boolean
  /** Runs before each answer, for what changes while a client reads. */
  readonly beforeAnswer?: (request: SeenRequest) => void
}

/** One request that came in. `authorization` is its scheme alone. */
interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly authorization?: string
}

/** A registry of the tests, listening. */
export interface RegistryServer {
  readonly host: string
  readonly contents: RegistryContents
  /** Those to the registry and its token endpoint, and those to where its blobs are. */
  readonly seen: SeenRequest[]
  readonly seenByStorage: SeenRequest[]
  /** Sold so far. */
  tokens(): readonly string[]
  close(): Promise<void>
}

/** Starts a registry in memory on loopback. */
export async function startRegistry(options: RegistryOptions = {}): Promise<RegistryServer> {
  const contents = new RegistryContents()
  const doorkeeper = new Doorkeeper(options.demand ?? {kind: 'open'})
  const seen: SeenRequest[] = []
  const seenByStorage: SeenRequest[] = []
  const storage = await listening(async (request, response) => {
    seenByStorage.push(seenIn(request))
    const [, path = '', digest = ''] =
      /^\/(.+)\/(sha256:.+)$/.exec(new URL(request.url ?? '', 'http://x').pathname) ?? []
    sendBlob(request, response, contents.repository(path)?.blobs.get(digest))
    return Promise.resolve()
  })
  const server = await listening(async (request, response) => {
    seen.push(seenIn(request))
    options.beforeAnswer?.(seenIn(request))
    const exchange = {request, response, contents, doorkeeper, options, storage: originOf(storage)}
    if (options.busyEvery !== undefined && seen.length % options.busyEvery === 0) {
      response.writeHead(429, {'retry-after': '1'}).end()
    } else await answer(exchange)
  })
  return {
    host: new URL(originOf(server)).host,
    contents,
    seen,
    seenByStorage,
    tokens: () => doorkeeper.tokens,
    close: async () => {
      await Promise.all([server, storage].map(closed))
    },
  }
}

/** A server on a port of its own; `close` cuts what is still open. */
export async function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Server> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

export async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
}

export function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function seenIn({method = '', url = '', headers}: IncomingMessage): SeenRequest {
  const scheme = headers.authorization?.split(' ')[0]
  const {pathname} = new URL(url, 'http://x')
  return {method, path: pathname, ...(scheme !== undefined && {authorization: scheme})}
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly contents: RegistryContents
  readonly doorkeeper: Doorkeeper
  readonly options: RegistryOptions
  readonly storage: string
}

const ROUTES: readonly (readonly [
  RegExp,
  (exchange: Exchange, path: string, name: string) => Promise<void>,
])[] = [
  [/^\/v2\/(.+)\/manifests\/([^/]+)$/, manifests],
  [/^\/v2\/(.+)\/blobs\/uploads\/([^/]*)$/, uploads],
  [/^\/v2\/(.+)\/blobs\/([^/]+)$/, blobs],
  [/^\/v2\/(.+)\/tags\/(list)$/, tags],
  [/^\/v2\/(.+)\/referrers\/([^/]+)$/, referrers],
  [/^\/v2\/()()$/, door],
]

async function answer(exchange: Exchange): Promise<void> {
  const {request, response, doorkeeper} = exchange
  const url = urlOf(exchange)
  if (url.pathname === '/token') return sellToken(exchange, url)
  const [route, found] = ROUTES.map(([pattern, act]) => [act, pattern.exec(url.pathname)] as const).find(
    ([, match]) => match !== null,
  ) ?? [undefined, null]
  const [, path = '', name = ''] = found ?? []
  const scope = scopeOf(request.method, path)
  const challenge = doorkeeper.challenge({authorization: request.headers.authorization, scope}, url.origin)
  if (challenge !== undefined) {
    request.resume()
    response.writeHead(401, {'www-authenticate': challenge})
    response.end(JSON.stringify({errors: [{code: 'UNAUTHORIZED', message: 'authentication required'}]}))
  } else if (route === undefined) fail(response, 404, 'UNSUPPORTED')
  else if (isForbidden(exchange, path)) {
    request.resume()
    fail(response, 403, 'DENIED')
  } else await route(exchange, path, name)
}

function isForbidden({contents, options}: Exchange, path: string): boolean {
  return options.makesNoRepositories === true && path !== '' && contents.repository(path) === undefined
}

/** What a token has to allow: nothing for the door of the API. */
function scopeOf(method: string | undefined, path: string): string {
  const actions = method === 'GET' || method === 'HEAD' ? 'pull' : 'pull,push'
  return path === '' ? '' : `repository:${path}:${actions}`
}

/** Without manifests with a subject, there are no referrers. */
function referrers({response, options}: Exchange): Promise<void> {
  if (options.hasReferrers === true) {
    response.writeHead(200, {'content-type': 'application/vnd.oci.image.index.v1+json'})
    response.end('{"schemaVersion":2,"manifests":[]}')
  } else fail(response, 404, 'UNSUPPORTED')
  return Promise.resolve()
}

function door({response}: Exchange): Promise<void> {
  response.writeHead(200, {'content-type': 'application/json'}).end('{}')
  return Promise.resolve()
}

function urlOf({request}: Exchange): URL {
  return new URL(request.url ?? '', `http://${request.headers.host ?? ''}`)
}

async function sellToken({request, response, doorkeeper}: Exchange, url: URL): Promise<void> {
  const method = request.method ?? ''
  const query = method === 'POST' ? new URLSearchParams(String(await bytesOf(request))) : url.searchParams
  const token = doorkeeper.sell(method, query, request.headers.authorization)
  if (token === undefined) return fail(response, 401, 'UNAUTHORIZED')
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(token))
}

async function manifests(exchange: Exchange, path: string, reference: string): Promise<void> {
  const {request, response, contents} = exchange
  if (request.method === 'PUT') return putManifest(exchange, path, reference)
  const found = contents.repository(path)?.manifest(reference)
  if (found === undefined) return fail(response, 404, 'MANIFEST_UNKNOWN')
  response.writeHead(200, {
    'content-type': found.mediaType,
    'content-length': found.bytes.length,
    'docker-content-digest': found.digest,
  })
  response.end(request.method === 'HEAD' ? undefined : found.bytes)
}

async function putManifest(exchange: Exchange, path: string, reference: string): Promise<void> {
  const {request, response, contents, options} = exchange
  const manifest = {mediaType: request.headers['content-type'] ?? '', bytes: await bytesOf(request)}
  if (options.closedTags?.test(reference) === true) return fail(response, 403, 'DENIED')
  const repository = contents.ensure(path)
  const before = repository.tags.get(reference)
  if (options.keepsTags === true && before !== undefined && before !== digestOf(manifest.bytes)) {
    return fail(response, 409, 'TAG_INVALID')
  }
  const rejection = rejectionOf(manifest, repository, options)
  if (rejection !== undefined) return fail(response, rejection.status, rejection.code)
  const digest = repository.putManifest(reference, manifest)
  response
    .writeHead(201, {'docker-content-digest': digest, location: `/v2/${path}/manifests/${digest}`})
    .end()
}

function rejectionOf(
  manifest: Parameters<ReturnType<RegistryContents['ensure']>['lacks']>[0],
  repository: ReturnType<RegistryContents['ensure']>,
  {rejectsSubjects, rejectsArtifacts, lacking}: RegistryOptions,
): RegistryOptions['lacking'] {
  if (rejectsSubjects !== undefined && String(manifest.bytes).includes('"subject"'))
    return {status: rejectsSubjects, code: 'MANIFEST_INVALID'}
  if (rejectsArtifacts === true && String(manifest.bytes).includes('"artifactType"'))
    return {status: 415, code: 'UNSUPPORTED'}
  if (repository.lacks(manifest).length === 0) return undefined
  return lacking ?? {status: 400, code: 'MANIFEST_BLOB_UNKNOWN'}
}

async function blobs(exchange: Exchange, path: string, digest: string): Promise<void> {
  const {request, response, contents, options, storage} = exchange
  const blob = contents.repository(path)?.blobs.get(digest)
  if (blob !== undefined && options.redirectsBlobs === true && request.method === 'GET') {
    response.writeHead(307, {location: `${storage}/${path}/${digest}?signature=canary-of-a-signature`}).end()
  } else sendBlob(request, response, blob)
  return Promise.resolve()
}

function sendBlob(request: IncomingMessage, response: ServerResponse, blob: Buffer | undefined): void {
  if (blob === undefined) return fail(response, 404, 'BLOB_UNKNOWN')
  const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
  const start = Number(first ?? 0)
  if (start >= blob.length && first !== undefined) return fail(response, 416, 'RANGE_INVALID')
  response.writeHead(first === undefined ? 200 : 206, {
    'content-length': blob.length - start,
    ...(first !== undefined && {'content-range': `bytes ${first}-${blob.length - 1}/${blob.length}`}),
  })
  response.end(request.method === 'HEAD' ? undefined : blob.subarray(start))
}

async function uploads(exchange: Exchange, path: string, id: string): Promise<void> {
  const {request, response, contents} = exchange
  const {searchParams} = urlOf(exchange)
  if (request.method === 'PUT') return endUpload(exchange, path, id)
  request.resume()
  const mount = searchParams.get('mount') ?? ''
  const mounted = contents.repository(searchParams.get('from') ?? '')?.blobs.get(mount)
  if (mounted !== undefined) {
    contents.ensure(path).blobs.set(mount, mounted)
    response.writeHead(201, {'docker-content-digest': mount}).end()
  } else {
    const location = `/v2/${path}/blobs/uploads/${contents.beginUpload(path)}?_state=canary%2Fof+a+state`
    response.writeHead(202, {location}).end()
  }
  return Promise.resolve()
}

async function endUpload(exchange: Exchange, path: string, id: string): Promise<void> {
  const {request, response, contents} = exchange
  const {search, searchParams} = urlOf(exchange)
  const bytes = await bytesOf(request)
  if (!search.startsWith('?_state=canary%2Fof+a+state&')) return fail(response, 400, 'BLOB_UPLOAD_INVALID')
  if (!contents.endUpload(id, path)) return fail(response, 404, 'BLOB_UPLOAD_UNKNOWN')
  const digest = digestOf(bytes)
  if (digest !== searchParams.get('digest')) return fail(response, 400, 'DIGEST_INVALID')
  contents.ensure(path).blobs.set(digest, bytes)
  response.writeHead(201, {'docker-content-digest': digest}).end()
}

async function tags(exchange: Exchange, path: string): Promise<void> {
  const {response, contents, options} = exchange
  if (options.listsTags === false) return fail(response, 405, 'UNSUPPORTED')
  const repository = contents.repository(path)
  if (repository === undefined) return fail(response, 404, 'NAME_UNKNOWN')
  const last = urlOf(exchange).searchParams.get('last') ?? ''
  const rest = [...repository.tags.keys()].sort().filter(tag => tag > last)
  const page = rest.slice(0, options.pageSize)
  const hasMore = page.length < rest.length
  const next = `</v2/${path}/tags/list?last=${page.at(-1) ?? ''}>; rel="next"`
  response.writeHead(200, {'content-type': 'application/json', ...(hasMore && {link: next})})
  response.end(JSON.stringify({name: path, tags: page}))
  return Promise.resolve()
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, {'content-type': 'application/json'})
  response.end(JSON.stringify({errors: [{code, message: code.toLowerCase()}]}))
}
