import type {ImageStore} from '../../src/fetch/image-store.js'
import {digestOf} from '../../src/fetch/verified-bytes.js'
import {formatRepository, type Repository} from '../../src/reference/repository.js'
import type {Registry} from '../../src/registry/registry.js'
import {CrossplaneError} from '../../src/errors.js'
import {bytesOf, chunked} from '../fetch/fake-sources.js'

/** A registry in memory, and what was sent to it. To give way to the fake of the contract suite of src/registry. */
export interface MemoryRegistry extends Registry {
  readonly uploads: string[]
  readonly mounts: string[]
}

export function memoryRegistry(): MemoryRegistry {
  const [uploads, mounts]: [string[], string[]] = [[], []]
  const content = new Map<string, {readonly bytes: Uint8Array; readonly mediaType: string}>()
  const tags = new Map<string, {readonly digest: `sha256:${string}`; readonly mediaType: string}>()
  const tagKey = (repository: Repository, tag: string) => `${formatRepository(repository)}:${tag}`
  const read = async function* ({digest}: {readonly digest: string}) {
    yield* chunked(content.get(digest)?.bytes ?? new Uint8Array(0))
  }
  return {
    uploads,
    mounts,
    image: (repository, {tag = 'latest'}): ImageStore => ({
      name: tagKey(repository, tag),
      root: () => {
        const root = tags.get(tagKey(repository, tag))
        if (root === undefined) return Promise.reject(new CrossplaneError('not-found', `there is no ${tag}`))
        return Promise.resolve({...root, tag, bytes: read(root)})
      },
      manifest: read,
      blob: read,
    }),
    async *tags() {
      yield* await Promise.resolve([...tags.keys()])
    },
    digestOf: (repository, tag) => Promise.resolve(tags.get(tagKey(repository, tag))?.digest),
    async push(repository, tag, image) {
      for (const blob of image.blobs) {
        if (blob.mountFrom !== undefined) mounts.push(`${blob.mountFrom} ${blob.descriptor.digest}`)
        const bytes = await bytesOf(blob.open())
        if (digestOf(bytes) !== blob.descriptor.digest) throw new Error('wrong bytes')
        content.set(blob.descriptor.digest, {bytes, mediaType: blob.descriptor.mediaType})
      }
      for (const {descriptor, bytes} of image.manifests)
        content.set(descriptor.digest, {bytes, mediaType: descriptor.mediaType})
      tags.set(tagKey(repository, tag), image.root)
      uploads.push(tagKey(repository, tag))
    },
  }
}
