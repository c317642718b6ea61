import type {ImageStore, RootDocument} from '../fetch/image-store.js'
import {formatRepository} from '../reference/repository.js'
import type {Registry} from '../registry/registry.js'
import type {PackagePorts} from './located-package.js'

/** How much of what a registry sent is kept, in bytes. Layers with templates are smaller; those of programs can be larger. */
const MAX_KEPT = 64 << 20

/**
 * Returns sources that keep what registries send of images, up to a size: `.registry/` and another folder of the same image are
 * read one after the other, mostly from the same layers.
 */
export function readOnce<T extends PackagePorts>(ports: T): T {
  const {registry} = ports.remote
  if (registry === undefined) return ports
  const kept = new KeptBytes()
  return {
    ...ports,
    remote: {...ports.remote, registry: async host => keeping(await registry(host), kept)},
  }
}

class KeptBytes {
  readonly #chunks = new Map<string, readonly Uint8Array[]>()
  readonly #roots = new Map<string, RootDocument>()
  #size = 0

  /** Keeps bytes that were read to their end, up to the maximum of all together. */
  async *through(name: string, read: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const before = this.#chunks.get(name)
    if (before !== undefined) return yield* before
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of read()) {
      size += chunk.length
      if (this.#size + size <= MAX_KEPT) chunks.push(chunk)
      else chunks.length = 0
      yield chunk
    }
    if (this.#size + size > MAX_KEPT || this.#chunks.has(name)) return
    this.#size += size
    this.#chunks.set(name, chunks)
  }

  async root(name: string, store: ImageStore): Promise<RootDocument> {
    const root = this.#roots.get(name) ?? (await store.root())
    this.#roots.set(name, root)
    return {...root, bytes: this.through(name, () => root.bytes)}
  }
}

function keeping(registry: Registry, kept: KeptBytes): Registry {
  return {
    image: (repository, choice, report) => {
      const store = registry.image(repository, choice, report)
      const {digest} = choice
      return {
        name: store.name,
        // A tag can be moved between two reads.
        root: async () =>
          digest === undefined
            ? await store.root()
            : await kept.root(`${formatRepository(repository)}@${digest}`, store),
        manifest: descriptor => kept.through(descriptor.digest, () => store.manifest(descriptor)),
        blob: (descriptor, start = 0) =>
          start === 0
            ? kept.through(descriptor.digest, () => store.blob(descriptor))
            : store.blob(descriptor, start),
      }
    },
    tags: repository => registry.tags(repository),
    artifacts: repository => registry.artifacts(repository),
    digestOf: async (repository, tag) => await registry.digestOf(repository, tag),
    push: async (...args) => await registry.push(...args),
  }
}
