import type {Digest} from '../fetch/image.js'
import type {ImageStore, RootDocument} from '../fetch/image-store.js'
import {digestOf} from '../fetch/verified-bytes.js'
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
  readonly #kept = new Map<Digest, Uint8Array>()
  readonly #roots = new Map<string, RootDocument>()
  #size = 0

  /** Keeps bytes that have their digest: what one repository sends in their place must not be read from another one. */
  async *through(digest: Digest, read: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const before = this.#kept.get(digest)
    if (before !== undefined) {
      yield before
      return
    }
    const reading = new Reserved(this)
    try {
      for await (const chunk of read()) {
        reading.add(chunk)
        yield chunk
      }
      this.#keep(digest, reading)
    } finally {
      reading.release()
    }
  }

  /** Takes memory for bytes of a stream that has not ended; returns whether there is any. All streams share it. */
  reserve(size: number): boolean {
    if (this.#size + size > MAX_KEPT) return false
    this.#size += size
    return true
  }

  release(size: number): void {
    this.#size -= size
  }

  #keep(digest: Digest, reading: Reserved): void {
    const bytes = this.#kept.has(digest) ? undefined : reading.bytes()
    if (bytes === undefined || digestOf(bytes) !== digest) return
    this.#kept.set(digest, bytes)
    reading.keep()
  }

  /** The bytes of a root can be read once. */
  async root(name: string, digest: Digest, store: ImageStore): Promise<RootDocument> {
    const before = this.#kept.has(digest) ? this.#roots.get(name) : undefined
    const root = before ?? (await store.root())
    this.#roots.set(name, root)
    return {...root, bytes: this.through(digest, () => root.bytes)}
  }
}

/** What was read of one stream, until it is kept or released; nothing once there was no memory for a part. */
class Reserved {
  readonly #memory: KeptBytes
  #chunks: Uint8Array[] | undefined = []
  #size = 0

  constructor(memory: KeptBytes) {
    this.#memory = memory
  }

  add(chunk: Uint8Array): void {
    if (this.#chunks === undefined) return
    if (!this.#memory.reserve(chunk.length)) {
      this.release()
      return
    }
    this.#size += chunk.length
    this.#chunks.push(chunk)
  }

  bytes(): Uint8Array | undefined {
    return this.#chunks && Buffer.concat(this.#chunks)
  }

  /** Leaves the memory to what is kept. */
  keep(): void {
    this.#size = 0
  }

  release(): void {
    this.#memory.release(this.#size)
    this.#size = 0
    this.#chunks = undefined
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
            : await kept.root(`${formatRepository(repository)}@${digest}`, digest, store),
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
