import {CrossplaneError} from '../errors.js'
import {type FolderEntry, foldersAbove, type OwnedFiles} from '../plan/folder/folder-snapshot.js'
import {
  formatOwnedFiles,
  isBookkeepingPath,
  isOutputPath,
  joinOwnedFiles,
  OWNED_FILES,
  parseLists,
} from '../plan/folder/owned-files.js'
import {type HashedFile, judgeFiles} from '../plan/folder/plan-folder.js'
import {rejected} from '../plan/rejection.js'
import {type Sha256, sha256Of} from '../plan/sha256.js'
import {present} from '../present.js'
import type {ContentChange} from './file-changes.js'
import {type FolderChange, readLists} from './folder-target.js'
import {writeWithJournal} from './journaled-write.js'
import {STAGING} from './journal.js'
import type {FolderChanges, OutputFolder} from './output-folder.js'
import {recoverFolder} from './recover-folder.js'
import {SealedFiles, type SealMemory} from './sealed-files.js'
import {type FolderWrite, LOCK} from './write-folder.js'

/** Takes the files that a folder is to have, one after the other: contents are staged on disk, and not kept in memory. */
export interface FileSink {
  /** Takes a file, and returns the hash of its content. */
  put(path: string, content: string): Promise<Sha256>
  /** Takes managed files that exist with the hashes they were written with; returns false, and takes none, if one is not such a file. */
  keep(files: readonly HashedFile[]): Promise<boolean>
  /** Takes files that were put, and that the next run keeps together. */
  group(files: readonly HashedFile[]): void
}

/** What puts files into a folder, and decides first whether its managed files may be replaced. */
export interface FileMaker<T> {
  readonly expectOwn: (owned: OwnedFiles) => void
  readonly make: (sink: FileSink) => Promise<T>
  /** Without it, files to keep are read and hashed. */
  readonly seals?: SealMemory | undefined
}

/**
 * Writes exactly the files that `make` puts into the sink, as `writeFolder` does with a list of them: the folder stays as it was if
 * `make` fails. Throws as `writeFolder` does.
 */
export async function writeStreamed<T>(
  folder: OutputFolder,
  {expectOwn, make, seals}: FileMaker<T>,
): Promise<{readonly change: FolderWrite; readonly made: T}> {
  return await folder.exclusively(LOCK, async changes => {
    const recovered = await recoverFolder(folder, changes)
    const owned = joinOwnedFiles(parseLists(await readLists(folder), folder.name).values())
    expectOwn(owned)
    const staged = new StagedFiles(folder, changes, owned, seals)
    const made = await staged.orNothing(async () => {
      const own = await make(staged)
      await staged.complete()
      return own
    })
    return {made, change: {...(await staged.commit()), ...(recovered && {recovered})}}
  })
}

/** Each waits for the disk, and none for another. */
const MAX_STAGED_AT_ONCE = 16

class StagedFiles implements FileSink {
  readonly #folder: OutputFolder
  readonly #changes: FolderChanges
  readonly #owned: OwnedFiles
  readonly #sealed: SealedFiles
  readonly #entries = new Map<string, FolderEntry>()
  readonly #files: HashedFile[] = []
  /** In the order of their places in the staging folder. */
  readonly #requested: ContentChange[] = []
  readonly #running = new Set<Promise<void>>()
  #failure: {readonly error: unknown} | undefined

  constructor(
    folder: OutputFolder,
    changes: FolderChanges,
    owned: OwnedFiles,
    seals: SealMemory | undefined,
  ) {
    this.#folder = folder
    this.#changes = changes
    this.#owned = owned
    this.#sealed = new SealedFiles(folder, seals)
  }

  async put(path: string, content: string): Promise<Sha256> {
    const after = sha256Of(content)
    await this.#look([path])
    const before = hashIn(this.#entries.get(path))
    if (!isBookkeepingPath(path)) this.#files.push({path, after})
    if (before !== after) await this.#stage({path, ...present({before}), after}, content)
    return after
  }

  async keep(files: readonly HashedFile[]): Promise<boolean> {
    const isOwn = ({path, after}: HashedFile) =>
      isOutputPath(path) && this.#owned.get(path)?.includes(after) === true
    if (!files.every(isOwn)) return false
    if (!(await this.#sealed.are(files, async () => await this.#areUnchanged(files)))) return false
    for (const {path, after} of files) this.#entries.set(path, {kind: 'file', sha256: after})
    this.#files.push(...files)
    return true
  }

  async #areUnchanged(files: readonly HashedFile[]): Promise<boolean> {
    await this.#look(files.map(({path}) => path))
    return files.every(({path, after}) => hashIn(this.#entries.get(path)) === after)
  }

  group(files: readonly HashedFile[]): void {
    this.#sealed.add(files)
  }

  /** Adds what is deleted, and the list of managed files. Throws `output-refused` if one of the paths must not be changed. */
  async complete(): Promise<void> {
    await this.#settled(0)
    const above = new Set(this.#files.flatMap(({path}) => foldersAbove(path)))
    await this.#look([...above, ...this.#owned.keys()].filter(path => !this.#entries.has(path)))
    const snapshot = {entries: this.#entries, owned: this.#owned, texts: new Map<string, string>()}
    const {stale, rejections} = judgeFiles(this.#files, snapshot)
    if (rejections.length > 0) throw rejected(this.#folder.name, rejections)
    for (const path of stale) {
      const before = hashIn(this.#entries.get(path))
      if (before !== undefined) this.#requested.push({path, before})
    }
    await this.put(OWNED_FILES, formatOwnedFiles(new Map(this.#files.map(({path, after}) => [path, after]))))
    await this.#settled(0)
  }

  async commit(): Promise<FolderChange> {
    const staged = this.#requested.flatMap(({path, after}, place) =>
      after === undefined ? [] : [{path, place: placeOf(place)}],
    )
    const move = async () => await writeWithJournal(this.#requested, this.#folder, this.#changes)
    await this.#sealed.remember(staged, this.#changes, move)
    const visible = this.#requested.filter(({path}) => !isBookkeepingPath(path))
    const writtenPaths = visible.flatMap(({path, after}) => (after === undefined ? [] : [path])).sort()
    return {
      written: writtenPaths,
      deleted: visible.flatMap(({path, after}) => (after === undefined ? [path] : [])),
      unchanged: this.#files.length - writtenPaths.length,
      risks: [],
    }
  }

  /** Leaves the folder as it was if `work` fails. The first failure is the one to report: the next run deletes what remains. */
  async orNothing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      await Promise.all(this.#running)
      if (this.#requested.length > 0) await this.#changes.clear(STAGING).catch(() => undefined)
      throw error
    }
  }

  async #look(paths: readonly string[]): Promise<void> {
    for (const [path, entry] of await this.#folder.look(paths)) this.#entries.set(path, entry)
  }

  async #stage(change: ContentChange, content: string): Promise<void> {
    await this.#settled(MAX_STAGED_AT_ONCE - 1)
    const place = placeOf(this.#requested.length)
    this.#requested.push(change)
    const running = this.#changes
      .create(place, content)
      .catch((error: unknown) => void (this.#failure ??= {error}))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Waits until at most this many files are on their way. Throws what one of them failed with. */
  async #settled(most: number): Promise<void> {
    while (this.#running.size > most) await Promise.race(this.#running)
    if (this.#failure === undefined) return
    const {error} = this.#failure
    throw error instanceof Error ? error : new CrossplaneError('output-failed', String(error))
  }
}

/** Where the content of a requested change is staged. */
function placeOf(index: number): string {
  return `${STAGING}/${index}`
}

function hashIn(entry: FolderEntry | undefined): Sha256 | undefined {
  return entry?.kind === 'file' ? entry.sha256 : undefined
}
