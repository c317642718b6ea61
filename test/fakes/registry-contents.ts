import {randomUUID} from 'node:crypto'
import {digestOf} from '../fetch/image-parts.js'

/** A manifest as it was put, with the type that it was put under. */
interface StoredManifest {
  readonly mediaType: string
  readonly bytes: Buffer
}

/** What a registry holds in memory: blobs and manifests by repository, tags, and uploads that were begun. */
export class RegistryContents {
  readonly #repositories = new Map<string, Repository>()
  readonly #uploads = new Map<string, string>()

  /** Of all repositories. */
  paths(): Iterable<string> {
    return this.#repositories.keys()
  }

  repository(path: string): Repository | undefined {
    return this.#repositories.get(path)
  }

  /** The same, made when it is not there: pushing to a repository makes it. */
  ensure(path: string): Repository {
    const repository = this.#repositories.get(path) ?? new Repository()
    this.#repositories.set(path, repository)
    return repository
  }

  remove(path: string): void {
    this.#repositories.delete(path)
  }

  beginUpload(path: string): string {
    const id = randomUUID()
    this.#uploads.set(id, path)
    return id
  }

  /** Ends an upload; false where there is none of this repository. */
  endUpload(id: string, path: string): boolean {
    return this.#uploads.get(id) === path && this.#uploads.delete(id)
  }
}

class Repository {
  readonly blobs = new Map<string, Buffer>()
  readonly manifests = new Map<string, StoredManifest>()
  readonly tags = new Map<string, string>()

  manifest(reference: string): (StoredManifest & {readonly digest: string}) | undefined {
    const digest = this.tags.get(reference) ?? reference
    const found = this.manifests.get(digest)
    return found === undefined ? undefined : {...found, digest}
  }

  putManifest(reference: string, manifest: StoredManifest): string {
    const digest = digestOf(manifest.bytes)
    this.manifests.set(digest, manifest)
    if (!reference.startsWith('sha256:')) this.tags.set(reference, digest)
    return digest
  }

  /** What a manifest names must be there before it, as a registry asks. */
  lacks({bytes}: StoredManifest): readonly string[] {
    const {
      config,
      layers = [],
      manifests = [],
    } = JSON.parse(String(bytes)) as Partial<
      Record<'layers' | 'manifests', {digest: string}[]> & {config: {digest: string}}
    >
    const blobs = [...(config === undefined ? [] : [config]), ...layers].map(({digest}) => digest)
    return [
      ...blobs.filter(digest => !this.blobs.has(digest)),
      ...manifests.map(({digest}) => digest).filter(digest => !this.manifests.has(digest)),
    ]
  }
}
