import {nodeHttp} from '../../../src/adapters/http/node-http.js'
import {packageCache} from '../../../src/cache/package-cache.js'
import type {Diagnostic} from '../../../src/diagnostic.js'
import {digestOf} from '../../../src/fetch/verified-bytes.js'
import type {IndexedSummary} from '../../../src/index/entry/entry-document.js'
import {formatSummary} from '../../../src/index/package-summary.js'
import type {IndexMemory} from '../../../src/index/registry/index-memory.js'
import type {Found, YankedVersion} from '../../../src/index/summaries.js'
import type {Clock} from '../../../src/http/clock.js'
import {ociRegistry} from '../../../src/registry/oci-registry.js'
import type {Registry} from '../../../src/registry/registry.js'
import {memoryStore, type MemoryStore} from '../../cache/memory-store.js'
import {steadyClock} from '../../http/steady-clock.js'
import {blobsOf, documentsOf, type Image} from '../../../src/fetch/image.js'
import type {RegistryServer} from '../../fakes/registry-server.js'
import {type Content, version} from '../../resolve/world.js'

/** A client with a session of its own; its clock waits for nothing unless another is given. */
export function newClient(clock: Clock = steadyClock()): Registry {
  return ociRegistry({
    http: nodeHttp(),
    keychain: {credentialsFor: () => Promise.resolve(undefined)},
    clock,
    schemeOf: () => 'http:',
  })
}

/** What an index holds of a version; the digest is made of the reference unless it is given. */
export function indexed(reference: string, content: Content = {}): IndexedSummary {
  const digest = content.digest ?? digestOf(Buffer.from(reference))
  return {...version(reference, content), digest}
}

export function yankOf(
  {identity, tag, version: said, digest}: IndexedSummary,
  reason: string,
): YankedVersion {
  return {identity, tag, version: said, digest, reason}
}

/** What was found, in words and in order. */
export function inWords({summaries, unreadable, yanked}: Found) {
  return {
    summaries: summaries.map(formatSummary).sort(),
    unreadable: unreadable.map(formatSummary).sort(),
    yanked: yanked.map(each => `${formatSummary(each)}: ${each.reason}`).sort(),
  }
}

/** Summaries alone, as `inWords` has them. */
export const only = (...summaries: readonly string[]) => ({summaries, unreadable: [], yanked: []})

/** The memory that the program has, in a store that a test can look into. */
export function rememberedIn(store: MemoryStore = memoryStore()): {
  readonly memory: IndexMemory
  readonly store: MemoryStore
  readonly warnings: Diagnostic[]
} {
  const warnings: Diagnostic[] = []
  const memory = packageCache(store, {clock: steadyClock(), warn: warning => warnings.push(warning)})
  return {memory, store, warnings}
}

/** Stores an image without the checks of a registry. */
export async function putImage(
  server: RegistryServer,
  path: string,
  tag: string,
  image: Image,
): Promise<void> {
  const repository = server.contents.ensure(path)
  for (const blob of blobsOf(image)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of blob.open()) chunks.push(chunk)
    repository.blobs.set(blob.descriptor.digest, Buffer.concat(chunks))
  }
  for (const {bytes, descriptor} of documentsOf(image)) {
    repository.putManifest(tag, {bytes: Buffer.from(bytes), mediaType: descriptor.mediaType})
  }
}
