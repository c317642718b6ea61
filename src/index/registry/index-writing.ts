import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import {mapConcurrent} from '../../registry/map-concurrent.js'
import {keepDocument, type KeepPorts, type Kept, type NewDocument} from './keep-document.js'
import {type IndexLayout, ROOT_TAG, type Shelf, shelfIn, type ShelfName} from './layout.js'
import {noIndex, readIndexRoot} from './read-layout.js'
import {rootBytes} from './root-document.js'
import {isUnwritable} from '../../registry/unwritable.js'
import {mayNotWrite, repositoriesToCreate, type Unwritable} from './unwritable.js'

/** Repositories that are written at a time. */
const MAX_WRITES = 4

/** One index that is written to. `aim` completes the sentence "Cannot … the package index" wherever it is passed. */
export class IndexWriting {
  readonly #root: Repository
  readonly #ports: KeepPorts
  readonly #requested: IndexLayout
  #known: Promise<IndexLayout | undefined> | undefined
  /** The tags of the root that are known to be there. */
  readonly #marked = new Set<string>()

  constructor(root: Repository, ports: KeepPorts, requested: IndexLayout) {
    this.#root = root
    this.#ports = ports
    this.#requested = requested
  }

  /**
   * Entries before the tags that list them. A root is begun after the first entries are in: where they may not be
   * written, nothing has decided on a layout that does not work there.
   */
  async add(aim: string, names: readonly ShelfName[], entry: NewDocument): Promise<Kept> {
    const known = await this.#layout()
    const shelves = this.#shelvesIn(known ?? this.#requested, names)
    const kept = await this.#keepAll(aim, shelves, entry, known === undefined)
    if (known === undefined) {
      const layout = await this.#rooted(aim, () => this.#begin())
      // Somebody was faster with another layout, where nobody would look for what was just written.
      if (layout !== this.#requested) await this.#keepAll(aim, this.#shelvesIn(layout, names), entry, false)
    }
    const listed = await this.#rooted(aim, () => this.#list(shelves))
    return kept === 'added' ? kept : listed
  }

  /** Throws `not-found` where there is no index. */
  async yank(aim: string, names: readonly ShelfName[], yank: NewDocument): Promise<Kept> {
    const {registry, report} = this.#ports
    const found = await readIndexRoot(this.#root, registry, report)
    if (found === undefined) throw noIndex(this.#root)
    return await this.#keepAll(aim, this.#shelvesIn(found.layout, names), yank, false)
  }

  #shelvesIn(layout: IndexLayout, names: readonly ShelfName[]): readonly Shelf[] {
    return names.map(name => shelfIn(this.#root, layout, name))
  }

  /** The layout of the index that is there; undefined for none, or where nobody may look before it is made. */
  async #layout(): Promise<IndexLayout | undefined> {
    this.#known ??= this.#readLayout()
    const known = await this.#known
    if (known === undefined) this.#known = undefined
    return known
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

  /** An index stays as it was begun; only who asks for something else is told. */
  #expected(layout: IndexLayout | undefined): IndexLayout | undefined {
    if (layout !== 'repositories' || this.#requested === 'repositories') return layout
    const name = formatRepository(this.#root)
    throw new CrossplaneError(
      'usage',
      `--single-repository is not how the package index at ${name} was begun: it has repositories of its own for groups and packages`,
      {suggestions: ['Leave --single-repository out, or begin another index under another name.']},
    )
  }

  /** The same document in all places; every place that cannot be written is known before anybody is told. */
  async #keepAll(
    aim: string,
    shelves: readonly Shelf[],
    document: NewDocument,
    isNew: boolean,
  ): Promise<Kept> {
    const unwritable: Unwritable[] = []
    let all: Kept = 'present'
    const isShared = shelves.some(({prefix}) => prefix !== '')
    await (isShared ? inOneRepository : inManyRepositories)(shelves, async ({repository, prefix}) => {
      try {
        const tag = `${prefix}${document.tag}`
        const kept = await keepDocument(this.#ports, repository, {...document, tag})
        if (kept === 'added') all = kept
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

  /** Does something to the root, which may refuse it too. */
  async #rooted<T>(aim: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (!isUnwritable(error)) throw error
      throw mayNotWrite(aim, this.#root, [{repository: this.#root, error}], false)
    }
  }

  /** The layout that the index has from now on. */
  async #begin(): Promise<IndexLayout> {
    await keepDocument(this.#ports, this.#root, {
      kind: 'root',
      tag: ROOT_TAG,
      bytes: rootBytes(this.#requested),
    })
    return (await this.#layout()) ?? this.#requested
  }

  /** Sees to the tags that list groups and packages. */
  async #list(shelves: readonly Shelf[]): Promise<Kept> {
    let all: Kept = 'present'
    await inOneRepository(shelves, async ({marker}) => {
      if (this.#marked.has(marker)) return
      // It says what it says by its name.
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

type Write = (shelf: Shelf) => Promise<void>

function inManyRepositories(shelves: readonly Shelf[], write: Write): Promise<void> {
  return mapConcurrent(shelves, MAX_WRITES, write)
}

/** The first write brings what all have in common: the same bytes twice at a time is where registries stumble. */
async function inOneRepository(shelves: readonly Shelf[], write: Write): Promise<void> {
  await mapConcurrent(shelves.slice(0, 1), 1, write)
  await mapConcurrent(shelves.slice(1), MAX_WRITES, write)
}
