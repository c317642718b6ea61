import {isDigest} from '../reference/image-name.js'
import {CrossplaneError} from '../errors.js'
import type {Descriptor, Digest} from '../fetch/image.js'
import type {ImageStore, RootDocument} from '../fetch/image-store.js'
import {MANIFEST_MEDIA_TYPES} from '../fetch/media-types.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {digestOf} from '../fetch/verified-bytes.js'
import {present} from '../present.js'
import {formatRepository} from '../reference/repository.js'
import type {Repository} from '../reference/repository.js'
import {blobBytes} from './blob-bytes.js'
import type {ReportProgress} from './progress.js'
import type {ImageChoice} from './registry.js'
import type {Call, Document, Session} from './session.js'
import {oneChunk} from '../http/one-chunk.js'

/** One image of a repository, for `fetchImage`. A tag is resolved once, when the root is first read. */
export function registryImage(
  session: Session,
  repository: Repository,
  choice: ImageChoice,
  report?: ReportProgress,
): ImageStore {
  const reading: Reading = {session, repository, report}
  const name = nameOf(repository, choice)
  let resolved: Promise<Resolved> | undefined
  return {
    name,
    root: async () => {
      resolved ??= resolve(reading, choice, name)
      const {bytes, ...root} = await resolved
      return {...root, bytes: oneChunk(bytes)}
    },
    manifest: descriptor => manifestBytes(reading, descriptor),
    blob: (descriptor, start) => layerBytes(reading, descriptor, start),
  }
}

interface Reading {
  readonly session: Session
  readonly repository: Repository
  readonly report: ReportProgress | undefined
}

type Resolved = Omit<RootDocument, 'bytes'> & {readonly bytes: Uint8Array}

function nameOf(repository: Repository, {tag, digest}: ImageChoice): string {
  const reference = digest === undefined ? `:${tag ?? ''}` : `@${digest}`
  return `${formatRepository(repository)}${reference}`
}

async function resolve(reading: Reading, choice: ImageChoice, name: string): Promise<Resolved> {
  const {tag, digest} = choice
  const reference = digest ?? tag
  if (reference === undefined) {
    throw new CrossplaneError('reference-incomplete', `${name} has neither a tag nor a digest`)
  }
  const {headers, bytes} = await manifestDocument(reading, reference, `read ${name}`)
  return {
    bytes,
    mediaType: headers['content-type'] ?? '',
    digest: agreedDigest(headers['docker-content-digest'], digest ?? digestOf(bytes), name),
    tag,
  }
}

/** Rejects a response whose digest header differs from the requested digest, or from the digest of the document. */
function agreedDigest(header: string | undefined, digest: Digest, name: string): Digest {
  if (header?.startsWith('sha256:') !== true || header === digest) return digest
  throw new CrossplaneError(
    'digest-mismatch',
    `${name} is ${digest}, but its registry reports ${isDigest(header) ? header : 'an invalid digest'}`,
    {
      suggestions: ['Run the command again; if that fails too, check the registry and the proxy.'],
    },
  )
}

async function* manifestBytes(
  reading: Reading,
  {digest}: Descriptor,
): AsyncGenerator<Uint8Array, void, undefined> {
  const aim = `read the manifest ${digest} of ${formatRepository(reading.repository)}`
  yield (await manifestDocument(reading, digest, aim)).bytes
}

async function manifestDocument(
  {session, repository, report}: Reading,
  reference: string,
  aim: string,
): Promise<Document> {
  const document = await session.document(
    {...manifestCall(session, repository, reference), method: 'GET', accepts: [200], aim, report},
    SOURCE_LIMITS.manifestBytes,
  )
  const {length} = document.bytes
  report?.({kind: 'manifest', name: reference, done: length, total: length})
  return document
}

/** The request for a manifest, by tag or digest. */
export function manifestCall(
  session: Session,
  repository: Repository,
  reference: string,
): Pick<Call, 'url' | 'headers' | 'scopes'> {
  return {
    url: session.url(`${repository.path}/manifests/${reference}`),
    headers: {accept: MANIFEST_MEDIA_TYPES.join(', ')},
    scopes: [`repository:${repository.path}:pull`],
  }
}

function layerBytes(
  {session, repository, report}: Reading,
  {digest, size}: Descriptor,
  start?: number,
): AsyncIterable<Uint8Array> {
  return blobBytes(session, {
    url: session.url(`${repository.path}/blobs/${digest}`),
    scopes: [`repository:${repository.path}:pull`],
    aim: `read the layer ${digest} of ${formatRepository(repository)}`,
    name: digest,
    size,
    report,
    ...present({start}),
  })
}
