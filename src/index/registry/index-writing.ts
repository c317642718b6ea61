import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {keepDocument, type KeepPorts, type Kept, type NewDocument} from './keep-document.js'
import {type IndexLayout, ROOT_TAG, type Partition, partitionIn, type PartitionName} from './layout.js'
import {noIndex, readIndexRoot} from './read-layout.js'
import {rootBytes} from './root-document.js'
import {isUnwritable} from '../../registry/unwritable.js'
import {mayNotWrite, repositoriesToCreate, type Unwritable} from './unwritable.js'

/** Concurrent writes. */
const MAX_WRITES = 4

/** Writes to one index. `aim` completes the sentence "cannot … the package index" wherever it is passed. */
export class IndexWriting {
  readonly #root: Repository
  readonly #ports: KeepPorts
  readonly #requested: IndexLayout
  #current: Promise<IndexLayout | undefined> | undefined
  /** The tags of the root that are known to exist. */
  readonly #marked = new Set<string>()

  constructor(root: Repository, ports: KeepPorts, requested: IndexLayout) {
    this.#root = root
    this.#ports = ports
    this.#requested = requested
  }

  /**
   * Writes an entry, then the tags that list it. A new index gets its root after its first entry: if the entry cannot
   * be written in this layout, the layout is not decided yet.
   */
  async add(aim: string, names: readonly PartitionName[], entry: NewDocument): Promise<Kept> {
    const current = await this.#layout()
    const partitions = this.#partitionsIn(current ?? this.#requested, names)
    const kept = await this.#keepAll(aim, partitions, entry, current === undefined)
    if (current === undefined) {
      const layout = await this.#rooted(aim, () => this.#begin())
      // Another publisher has created the index in the meantime, with another layout.
      if (layout !== this.#requested)
        await this.#keepAll(aim, this.#partitionsIn(layout, names), entry, false)
    }
    const listed = await this.#rooted(aim, () => this.#list(partitions))
    return joinedKept(kept, listed)
  }

  /** Writes a yank. Throws `not-found` where there is none. */
  async yank(aim: string, names: readonly PartitionName[], yank: NewDocument): Promise<Kept> {
    const {registry, report} = this.#ports
    const root = await readIndexRoot(this.#root, registry, report)
    if (root === undefined) throw noIndex(this.#root)
    return await this.#keepAll(aim, this.#partitionsIn(root.layout, names), yank, false)
  }

  #partitionsIn(layout: IndexLayout, names: readonly PartitionName[]): readonly Partition[] {
    return names.map(name => partitionIn(this.#root, layout, name))
  }

  /** The groups and packages of an existing index; none where there is none. */
  async partitions(names: readonly PartitionName[]): Promise<readonly Partition[]> {
    const layout = await this.#layout()
    return layout === undefined ? [] : this.#partitionsIn(layout, names)
  }

  /** Returns the layout of an existing index; undefined for none, and where it cannot be read before it is created. */
  async #layout(): Promise<IndexLayout | undefined> {
    this.#current ??= this.#readLayout()
    const layout = await this.#current
    if (layout === undefined) this.#current = undefined
    return layout
  }

  async #readLayout(): Promise<IndexLayout | undefined> {
    const {registry, report} = this.#ports
    try {
      return this.#expected((await readIndexRoot(this.#root, registry, report))?.layout)
    } catch (error) {
      if (isUnwritable(error)) return undefined
      throw error
    }
  }

  /** Throws `usage` where `--single-repository` is given for an index with repositories. */
  #expected(layout: IndexLayout | undefined): IndexLayout | undefined {
    if (layout !== 'repositories' || this.#requested === 'repositories') return layout
    const name = formatRepository(this.#root)
    throw new CrossplaneError(
      'usage',
      `--single-repository does not match the package index ${name}, which has a repository for each group and package`,
      {suggestions: ['Omit --single-repository']},
    )
  }

  /** Writes a document to all places. Throws one error for all places that cannot be written. */
  async #keepAll(
    aim: string,
    partitions: readonly Partition[],
    document: NewDocument,
    isNew: boolean,
  ): Promise<Kept> {
    const unwritable: Unwritable[] = []
    let all: Kept = 'present'
    let from: Repository | undefined
    await firstAlone(partitions, async ({repository, prefix}) => {
      try {
        const tag = `${prefix}${document.tag}`
        const correctionOf = (existing: Uint8Array) => {
          const correction = document.correctionOf?.(existing)
          return correction === undefined ? undefined : `${prefix}${correction}`
        }
        const placed = {...document, tag, correctionOf}
        const kept = await keepDocument(this.#ports, repository, placed, from)
        from ??= repository
        all = joinedKept(all, kept)
      } catch (error) {
        if (!isUnwritable(error)) throw error
        unwritable.push({repository, error})
      }
    })
    if (unwritable.length === 0) return all
    const mustExist = isNew
      ? await repositoriesToCreate(this.#ports.registry, this.#root, unwritable)
      : unwritable
    throw mayNotWrite(aim, this.#root, mustExist, isNew && this.#requested === 'repositories')
  }

  /** Writes to the root, which may not be writable either. */
  async #rooted<T>(aim: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (!isUnwritable(error)) throw error
      throw mayNotWrite(aim, this.#root, [{repository: this.#root, error}], false)
    }
  }

  /** Creates the root and returns the layout that the index has from now on. */
  async #begin(): Promise<IndexLayout> {
    await keepDocument(this.#ports, this.#root, {
      kind: 'root',
      tag: ROOT_TAG,
      bytes: rootBytes(this.#requested),
    })
    return (await this.#layout()) ?? this.#requested
  }

  /** Writes the tags of the root that list groups and packages. */
  async #list(partitions: readonly Partition[]): Promise<Kept> {
    let all: Kept = 'present'
    await firstAlone(partitions, async ({marker}) => {
      if (this.#marked.has(marker)) return
      const kept = await keepDocument(this.#ports, this.#root, {
        kind: 'marker',
        tag: marker,
        bytes: Buffer.from('{}'),
      })
      if (kept === 'added') all = kept
      this.#marked.add(marker)
    })
    return all
  }
}

/** A replaced document in one place outweighs an added one in another. */
function joinedKept(one: Kept, other: Kept): Kept {
  const order: readonly Kept[] = ['replaced', 'added', 'present']
  return order.find(kept => kept === one || kept === other) ?? one
}

type WriteTo = (partition: Partition) => Promise<void>

/**
 * Writes the first place alone: the others can mount its blob, and some registries fail when the same blob is uploaded
 * twice at the same time.
 */
async function firstAlone(partitions: readonly Partition[], write: WriteTo): Promise<void> {
  await mapConcurrent(partitions.slice(0, 1), 1, write)
  await mapConcurrent(partitions.slice(1), MAX_WRITES, write)
}
