import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import type {ReportProgress} from '../../registry/progress.js'
import type {Registry} from '../../registry/registry.js'
import {sideBySide} from '../../registry/side-by-side.js'
import {entryBytes, type IndexedSummary, readEntry, readYank, yankBytes} from '../entry/entry-document.js'
import {entryTag, yankTag} from '../entry/entry-tag.js'
import {formatSummary} from '../package-summary.js'
import type {YankedVersion} from '../summaries.js'
import {type IndexLayout, ROOT_TAG, type Shelf, shelfIn, shelvesOf} from './layout.js'
import {type Kept, keepDocument, type NewDocument} from './keep-document.js'
import {noIndex, readIndexRoot} from './read-layout.js'
import {rootBytes} from './root-document.js'
import {isUnwritable, mayNotWrite, repositoriesToCreate, type Unwritable} from './unwritable.js'

/** Adds to an index; what is there is never changed. */
export interface IndexWriter {
  /**
   * Adds a version to all of its groups and its package. Throws `access-denied` with all repositories that have to be
   * created, `usage` for another layout than the index has, `output-refused` where an entry of this version says
   * something else, `index-invalid` and `unsupported` for a version that no index can hold, and what the registry throws.
   */
  add(summary: IndexedSummary): Promise<Kept>
  /** Withdraws a version; whoever did so first has given the reason. `not-found` where there is no index. */
  yank(yanked: YankedVersion, groups: readonly string[]): Promise<Kept>
}

export interface IndexWriterPorts {
  readonly registry: Registry
  readonly report?: ReportProgress
}

/** Writes to the index below a root, and starts one in this layout where there is none. */
export function indexWriter(root: Repository, ports: IndexWriterPorts, layout: IndexLayout): IndexWriter {
  const writing = new Writing(root, ports, layout)
  return {
    add: async summary => {
      const shelves = shelvesOf(
        summary,
        summary.crds.map(({group}) => group),
      )
      const name = formatSummary(summary)
      const bytes = readable(name, entryBytes(summary), readEntry)
      return await writing.add(`add ${name}`, shelves, {
        kind: 'entry',
        tag: entryTag(summary),
        bytes,
        isSame: found => Buffer.from(entryBytes(readEntry(name, found))).equals(bytes),
      })
    },
    yank: async (yanked, groups) => {
      const name = formatSummary(yanked)
      const tag = yankTag(yanked)
      const bytes = readable(name, yankBytes(yanked), readYank)
      return await writing.yank(`withdraw ${name}`, shelvesOf(yanked, groups), {
        kind: 'yank',
        tag,
        bytes,
        isSame: found => yankTag(readYank(name, found)) === tag,
      })
    },
  }
}

/** What its readers would refuse is not written. */
function readable(
  name: string,
  bytes: Uint8Array,
  read: (name: string, bytes: Uint8Array) => unknown,
): Uint8Array {
  try {
    read(name, bytes)
    return bytes
  } catch (cause) {
    if (!(cause instanceof CrossplaneError)) throw cause
    const {faults} = cause
    const message = `Cannot write ${name} to an index: whoever reads it would refuse it`
    throw new CrossplaneError('index-invalid', message, {cause, faults})
  }
}

/** Repositories that are written at a time. */
const MOST_WRITES = 4

class Writing {
  readonly #root: Repository
  readonly #ports: IndexWriterPorts
  readonly #wanted: IndexLayout
  #begun: Promise<IndexLayout | undefined> | undefined
  readonly #marked = new Set<string>()

  constructor(root: Repository, ports: IndexWriterPorts, wanted: IndexLayout) {
    this.#root = root
    this.#ports = ports
    this.#wanted = wanted
  }

  /**
   * Entries before the tags that list them. A root is begun after the first entries are in: where they may not be
   * written, nothing has decided on a layout that does not work there.
   */
  async add(aim: string, names: ReturnType<typeof shelvesOf>, entry: NewDocument): Promise<Kept> {
    const known = await this.#layout()
    const shelves = names.map(name => shelfIn(this.#root, known ?? this.#wanted, name))
    const kept = await this.#keepAll(aim, shelves, entry, known === undefined)
    const listing = await this.#list(aim, shelves, known)
    return kept === 'added' ? kept : listing
  }

  async yank(aim: string, names: ReturnType<typeof shelvesOf>, yank: NewDocument): Promise<Kept> {
    const known = await this.#layout()
    if (known === undefined) throw noIndex(this.#root)
    const shelves = names.map(name => shelfIn(this.#root, known, name))
    return await this.#keepAll(aim, shelves, yank, false)
  }

  /** The layout of the index that is there; undefined for none, or where nobody may look before it is made. */
  async #layout(): Promise<IndexLayout | undefined> {
    this.#begun ??= this.#readLayout()
    const known = await this.#begun
    if (known === undefined) this.#begun = undefined
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
    if (layout !== 'repositories' || this.#wanted === 'repositories') return layout
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
    await sideBySide(shelves, MOST_WRITES, async ({repository, prefix}) => {
      try {
        const kept = await keepDocument(this.#ports, repository, {
          ...document,
          tag: `${prefix}${document.tag}`,
        })
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
    throw mayNotWrite(aim, this.#root, mustExist, isNew && this.#wanted === 'repositories')
  }

  /** Sees to the root and the tags that list groups and packages there. */
  async #list(aim: string, shelves: readonly Shelf[], known: IndexLayout | undefined): Promise<Kept> {
    const root = this.#root
    try {
      const begun = known === undefined ? await this.#begin() : 'present'
      let all: Kept = begun
      await sideBySide(shelves, MOST_WRITES, async ({marker}) => {
        if (this.#marked.has(marker)) return
        if ((await keepDocument(this.#ports, root, markerDocument(marker))) === 'added') all = 'added'
        this.#marked.add(marker)
      })
      return all
    } catch (error) {
      throw isUnwritable(error) ? mayNotWrite(aim, root, [{repository: root, error}], false) : error
    }
  }

  /** Somebody else may have begun it meanwhile, and otherwise. */
  async #begin(): Promise<Kept> {
    const bytes = rootBytes(this.#wanted)
    return await keepDocument(this.#ports, this.#root, {
      kind: 'root',
      tag: ROOT_TAG,
      bytes,
      isSame: found => Buffer.from(found).equals(bytes),
    })
  }
}

/** What a marker says is its name. */
function markerDocument(marker: string): NewDocument {
  return {kind: 'marker', tag: marker, bytes: Buffer.from('{}'), isSame: () => true}
}
