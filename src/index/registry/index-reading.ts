import {CrossplaneError} from '../../errors.js'
import {listed} from '../../fetch/quoted.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {grouped} from '../grouped.js'
import {type DocumentKind, readDocument} from './artifact.js'
import type {IndexMemory} from './index-memory.js'
import {type IndexLayout, ROOT_TAG, type Shelf} from './layout.js'
import {noIndex, readIndexRoot} from './read-layout.js'
import {readRoot} from './root-document.js'

/** What an index in a registry is read with. */
export interface RegistryIndexPorts {
  /** None: nothing may be asked of the network. */
  readonly registry?: Registry
  /** None: everything is read anew. */
  readonly memory?: IndexMemory
  readonly report?: ReportProgress
}

/** One index as far as it has been read; what was asked once is not asked again. */
export class IndexReading {
  readonly #root: Repository
  readonly #ports: RegistryIndexPorts
  readonly #tags = new Map<string, Promise<ReadonlySet<string>>>()
  #layout: Promise<IndexLayout> | undefined
  /** Of a root that keeps everything: all prefixes are of one length. */
  #byPrefix: ReadonlyMap<string, readonly string[]> | undefined

  constructor(root: Repository, ports: RegistryIndexPorts) {
    this.#root = root
    this.#ports = ports
  }

  /** Throws `not-found` where there is no index, `access-denied` where nobody may look, `offline`. */
  layout(): Promise<IndexLayout> {
    return (this.#layout ??= this.#readLayout())
  }

  async #readLayout(): Promise<IndexLayout> {
    const {registry, report} = this.#ports
    const remembered = await this.remembered(ROOT_TAG, bytes => readRoot('', bytes))
    if (remembered !== undefined) return remembered
    if (registry === undefined) throw this.missing([formatRepository(this.#root)])
    const found = await readIndexRoot(this.#root, registry, report)
    if (found === undefined) throw noIndex(this.#root)
    await this.remember(ROOT_TAG, found.bytes)
    return found.layout
  }

  /** The tags of a repository of the index. Throws as the registry does, and `offline`. */
  tags(repository: Repository): Promise<ReadonlySet<string>> {
    const known = this.#tags.get(repository.path) ?? this.#readTags(repository)
    this.#tags.set(repository.path, known)
    return known
  }

  async #readTags(repository: Repository): Promise<ReadonlySet<string>> {
    const {registry, memory} = this.#ports
    if (registry === undefined) {
      const known = await memory?.knownTags(repository)
      if (known === undefined) throw this.missing([formatRepository(repository)])
      return new Set(known.tags)
    }
    const tags = new Set<string>()
    for await (const tag of registry.tags(repository)) tags.add(tag)
    await memory?.rememberTags(repository, [...tags])
    return tags
  }

  /** The tags of a group or package without their prefix; none where the root does not list it. */
  async tagsOn({repository, prefix, marker}: Shelf): Promise<readonly string[]> {
    try {
      const tags = await this.tags(repository)
      if (prefix === '') return [...tags]
      this.#byPrefix ??= grouped([...tags], tag => tag.slice(0, prefix.length))
      return (this.#byPrefix.get(prefix) ?? []).map(tag => tag.slice(prefix.length))
    } catch (error) {
      if (!isNotReadable(error)) throw error
      if (await this.#isMarked(marker)) throw mayNotRead(repository, error)
      await this.#ports.memory?.rememberTags(repository, [])
      return []
    }
  }

  async #isMarked(marker: string): Promise<boolean> {
    return (await this.#ports.registry?.digestOf(this.#root, marker)) !== undefined
  }

  /** The document behind a tag of a group or package; undefined offline. Throws as `readDocument` does. */
  async document(
    {repository, prefix}: Shelf,
    tag: string,
    kind: DocumentKind,
  ): Promise<Uint8Array | undefined> {
    const {registry, report} = this.#ports
    if (registry === undefined) return undefined
    return await readDocument(registry.image(repository, {tag: `${prefix}${tag}`}, report), kind)
  }

  /** What was read under a tag before, if it can be understood still. */
  async remembered<T>(tag: string, read: (bytes: Uint8Array) => T): Promise<T | undefined> {
    const bytes = await this.#ports.memory?.indexDocument(this.#root, tag)
    try {
      return bytes === undefined ? undefined : read(bytes)
    } catch (error) {
      if (error instanceof CrossplaneError) return undefined
      throw error
    }
  }

  async remember(tag: string, bytes: Uint8Array): Promise<void> {
    await this.#ports.memory?.rememberIndexDocument(this.#root, tag, bytes)
  }

  /** Why a tag could not be read when its registry was last asked: offline that is all there is to say of it. */
  async refusal({repository, prefix}: Shelf, tag: string): Promise<string | undefined> {
    const reason = await this.#ports.memory?.indexDocument(repository, `${prefix}${tag}`)
    return reason === undefined ? undefined : Buffer.from(reason).toString()
  }

  async rememberRefusal({repository, prefix}: Shelf, tag: string, reason: string): Promise<void> {
    if (this.#ports.registry === undefined) return
    await this.#ports.memory?.rememberIndexDocument(repository, `${prefix}${tag}`, Buffer.from(reason))
  }

  missing(what: readonly string[]): CrossplaneError {
    const name = formatRepository(this.#root)
    const message = `The package index at ${name} was not read far enough before, and --offline was given: the cache lacks ${listed(what)}`
    return new CrossplaneError('offline', message, {suggestions: ['Do the same once without --offline.']})
  }
}

function isNotReadable(error: unknown): error is CrossplaneError {
  return error instanceof CrossplaneError && ['not-found', 'access-denied'].includes(error.code)
}

function mayNotRead(repository: Repository, cause: CrossplaneError): CrossplaneError {
  return new CrossplaneError(
    'access-denied',
    `Cannot read ${formatRepository(repository)}: the index lists it, and it is not there or may not be read`,
    {cause, suggestions: ['Log in with credentials that may read it: registry login.']},
  )
}
