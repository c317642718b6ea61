import {CrossplaneError} from '../errors.js'
import type {ArtifactStore} from '../fetch/artifact-store.js'
import {readDescriptors} from '../fetch/descriptor.js'
import type {Descriptor, Digest} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {formatRepository, type Repository} from '../reference/repository.js'
import {blobBytes} from './blob-bytes.js'
import {nextPage} from './next-page.js'
import {manifestCall} from './registry-image.js'
import type {Call, Document, Session} from './session.js'

/** The artifacts of a repository: by the API for referrers, or where a registry lacks it, by their tag. */
export function registryArtifacts(session: Session, repository: Repository): ArtifactStore {
  const name = formatRepository(repository)
  return {
    name,
    referrers: async digest => await referrersOf({session, repository, name}, digest),
    manifest: async reference => {
      const aim = `read the manifest ${reference} of ${name}`
      const {status, bytes} = await maybeManifest({session, repository, name}, reference, aim)
      return status === 404 ? undefined : bytes
    },
    blob: ({digest, size}) =>
      blobBytes(session, {
        url: session.url(`${repository.path}/blobs/${digest}`),
        scopes: scopesOf(repository),
        aim: `read the signature ${digest} of ${name}`,
        name: digest,
        size,
      }),
  }
}

interface Reading {
  readonly session: Session
  readonly repository: Repository
  readonly name: string
}

const INDEX = 'application/vnd.oci.image.index.v1+json'

/** Pages of referrers: each is at most as large as a manifest. */
const MAX_PAGES = 16

/** The statuses with which registries reject a path that they do not have. */
const NO_API: readonly number[] = [400, 404, 405, 406]

/** https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#listing-referrers */
async function referrersOf(reading: Reading, digest: Digest): Promise<readonly Descriptor[]> {
  const {session, repository, name} = reading
  const aim = `list the signatures of ${name}@${digest}`
  const listed: Descriptor[] = []
  const seen = new Set<string>()
  let url: URL | undefined = session.url(`${repository.path}/referrers/${digest}`)
  while (url !== undefined) {
    if (seen.has(url.href) || seen.size === MAX_PAGES) throw tooMany(aim, url)
    seen.add(url.href)
    const page = await pageOf(reading, url, aim)
    if (page === undefined) return [...listed, ...(await taggedReferrers(reading, digest))]
    listed.push(...readDescriptors(parseJsonObject(page.bytes, LIST), 'manifests', LIST))
    url = nextPage(page.headers['link'], aim, url)
  }
  return listed
}

const LIST = 'the list of signatures'

/** One page of the API; undefined if the registry has no such API. */
async function pageOf({session, repository}: Reading, url: URL, aim: string): Promise<Document | undefined> {
  const call: Call = {
    ...{method: 'GET', url, aim, headers: {accept: INDEX}},
    scopes: scopesOf(repository),
    accepts: [200, ...NO_API],
  }
  const document = await session.document(call, SOURCE_LIMITS.manifestBytes)
  const isList = document.status === 200 && (document.headers['content-type'] ?? '').startsWith(INDEX)
  return isList ? document : undefined
}

/** https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#referrers-tag-schema */
async function taggedReferrers(reading: Reading, digest: Digest): Promise<readonly Descriptor[]> {
  const {name} = reading
  const tag = digest.replace(':', '-')
  const {status, bytes} = await maybeManifest(reading, tag, `read ${name}:${tag}`)
  return status === 404
    ? []
    : readDescriptors(parseJsonObject(bytes, `${name}:${tag}`), 'manifests', `${name}:${tag}`)
}

async function maybeManifest(
  {session, repository}: Reading,
  reference: string,
  aim: string,
): Promise<Document> {
  const call = manifestCall(session, repository, reference)
  return await session.document(
    {...call, method: 'GET', aim, accepts: [200, 404]},
    SOURCE_LIMITS.manifestBytes,
  )
}

function scopesOf({path}: Repository): readonly string[] {
  return [`repository:${path}:pull`]
}

function tooMany(aim: string, {host}: URL): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `cannot ${aim}: more than ${MAX_PAGES} pages (${host})`)
}
