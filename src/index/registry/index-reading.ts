import {CrossplaneError} from '../../errors.js'
import {listNames} from '../../text.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {asText} from '../../yaml/json-value.js'
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

/** Where tags are: what two places say under one tag need not be the same, as different people may write them. */
type Place = Pick<Shelf, 'repository' | 'prefix'>

/** One index as far as it has been read; what was asked once is not asked again. */
export class IndexReading {
  readonly #root: Repository
  readonly #rootPlace: Place
  readonly #ports: RegistryIndexPorts
  readonly #tags = new Map<string, Promise<ReadonlySet<string>>>()
  #layout: Promise<IndexLayout> | undefined
  /** Of a root that keeps everything: all prefixes are of one length. */
  #byPrefix: ReadonlyMap<string, readonly string[]> | undefined

  constructor(root: Repository, ports: RegistryIndexPorts) {
    this.#root = root
    this.#rootPlace = {repository: root, prefix: ''}
    this.#ports = ports
  }

  /** Throws `not-found` where there is no index, `access-denied` where nobody may look, `offline`. */
  layout(): Promise<IndexLayout> {
    return (this.#layout ??= this.#readLayout())
  }

  async #readLayout(): Promise<IndexLayout> {
    const {registry, report} = this.#ports
    const remembered = await this.remembered(this.#rootPlace, ROOT_TAG, bytes => readRoot('', bytes))
    if (remembered !== undefined) return remembered
    if (registry === undefined) throw this.missing([formatRepository(this.#root)])
    const found = await readIndexRoot(this.#root, registry, report)
    if (found === undefined) throw noIndex(this.#root)
    await this.remember(this.#rootPlace, ROOT_TAG, found.bytes)
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
    {repository, prefix}: Place,
    tag: string,
    kind: DocumentKind,
  ): Promise<Uint8Array | undefined> {
    const {registry, report} = this.#ports
    if (registry === undefined) return undefined
    return await readDocument(registry.image(repository, {tag: `${prefix}${tag}`}, report), kind)
  }

  /** What was read there under a tag before, if it can be understood still. */
  async remembered<T>(
    {repository, prefix}: Place,
    tag: string,
    read: (bytes: Uint8Array) => T,
  ): Promise<T | undefined> {
    const bytes = await this.#ports.memory?.indexDocument(repository, `${prefix}${tag}`)
    try {
      return bytes === undefined ? undefined : read(bytes)
    } catch (error) {
      if (error instanceof CrossplaneError) return undefined
      throw error
    }
  }

  async remember({repository, prefix}: Place, tag: string, bytes: Uint8Array): Promise<void> {
    await this.#ports.memory?.rememberIndexDocument(repository, `${prefix}${tag}`, bytes)
  }

  /** Why a tag could not be read when its registry was last asked: offline that is all there is to say of it. */
  async refusal(place: Place, tag: string): Promise<string | undefined> {
    return await this.remembered(place, tag, bytes => {
      const {refused} = parseJsonObject(bytes, tag)
      return refused === undefined ? undefined : asText(refused)
    })
  }

  /** In place of the document, which it cannot be taken for. */
  async rememberRefusal(place: Place, tag: string, reason: string): Promise<void> {
    if (this.#ports.registry === undefined) return
    await this.remember(place, tag, Buffer.from(JSON.stringify({refused: reason})))
  }

  /** Tells how many entries were read, of those asked for until now. */
  tell(done: number, total: number): void {
    this.#ports.report?.({kind: 'entry-read', name: formatRepository(this.#root), done, total})
  }

  missing(what: readonly string[]): CrossplaneError {
    const name = formatRepository(this.#root)
    const message = `The package index at ${name} was not read far enough before, and --offline was given: the cache lacks ${listNames(what)}`
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
