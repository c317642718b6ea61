import {CrossplaneError} from '../errors.js'
import type {HashedFile} from '../plan/folder/plan-folder.js'
import {sha256Of} from '../plan/sha256.js'
import {STAGING} from './journal.js'
import type {FileStamp, FolderChanges, OutputFolder} from './output-folder.js'

/**
 * Port: the seals of groups of files of a folder; another clone of it has others. A seal is a hash of paths, contents and stamps:
 * files that still have it have not changed since their contents were hashed.
 */
export interface SealMemory {
  has(seal: string): boolean
  /** Takes all seals that hold now; others are forgotten. */
  replace(seals: readonly string[]): Promise<void>
}

/** A file whose new content is staged at a place. */
interface StagedFile {
  readonly path: string
  readonly place: string
}

const CLOCK = `${STAGING}/clock`

/**
 * Tells without reading them whether files are as they were when their contents were hashed, as the index of Git does. A file that
 * changed just now could change again at the same time of a coarse clock: it has no seal yet.
 */
export class SealedFiles {
  readonly #folder: OutputFolder
  readonly #memory: SealMemory | undefined
  readonly #seals: string[] = []
  readonly #groups: (readonly HashedFile[])[] = []

  constructor(folder: OutputFolder, memory: SealMemory | undefined) {
    this.#folder = folder
    this.#memory = memory
  }

  /** Reports whether files have these contents; `read` compares them where that cannot be told. */
  async are(files: readonly HashedFile[], read: () => Promise<boolean>): Promise<boolean> {
    // Before they are read: a change in between makes another seal.
    const stamps = await this.#stampsOf(files)
    const seal = stamps && sealOf(files, stamps)
    const isKnown = seal !== undefined && this.#memory?.has(seal) === true
    const areSame = isKnown || (await read())
    const isLasting = isKnown || (areSame && stamps?.every(({isSettled}) => isSettled) === true)
    if (seal !== undefined && isLasting) this.#seals.push(seal)
    return areSame
  }

  /** Takes files that are written in this run, and that the next one compares together. */
  add(files: readonly HashedFile[]): void {
    this.#groups.push(files)
  }

  /** Moves staged files into place by `move`, then remembers all seals. */
  async remember(
    staged: readonly StagedFile[],
    changes: FolderChanges,
    move: () => Promise<void>,
  ): Promise<void> {
    if (this.#memory === undefined) return await move()
    const stamps = await this.#folder.stamps(staged.map(({place}) => place))
    await move()
    const contents = new Map(staged.map(({path, place}) => [path, stamps.get(place)?.content]))
    const groups = this.#groups.filter(files => files.every(({path}) => contents.has(path)))
    try {
      if (groups.length > 0) await this.#sealWritten(groups, contents, changes)
      await this.#memory.replace(this.#seals)
    } catch (error) {
      // All files are in place: the next run reads those that are not remembered.
      if (!isOfFolderOrCache(error)) throw error
    }
  }

  /** What was staged is in place, and any later change has a later time. */
  async #sealWritten(
    groups: readonly (readonly HashedFile[])[],
    contents: ReadonlyMap<string, string | undefined>,
    changes: FolderChanges,
  ): Promise<void> {
    const now = await this.#timeAfter(changes)
    for (const files of groups) {
      const own = await this.#stampsOf(files)
      const areOurs = own?.every(
        ({content, changedAt}, index) =>
          changedAt < now && content === contents.get(files[index]?.path ?? ''),
      )
      if (own !== undefined && areOurs === true) this.#seals.push(sealOf(files, own))
    }
  }

  /** The time of a file that is made now, by the clock of the file system. */
  async #timeAfter(changes: FolderChanges): Promise<bigint> {
    try {
      await changes.create(CLOCK, '')
      return (await this.#folder.stamps([CLOCK])).get(CLOCK)?.changedAt ?? 0n
    } finally {
      await changes.clear(STAGING)
    }
  }

  /** Undefined if one of them does not exist, or nothing is remembered. */
  async #stampsOf(files: readonly HashedFile[]): Promise<readonly FileStamp[] | undefined> {
    if (this.#memory === undefined) return undefined
    const stamps = await this.#folder.stamps(files.map(({path}) => path))
    return stamps.size === files.length ? [...stamps.values()] : undefined
  }
}

/** A failure of the file system, or the loss of the lock. */
function isOfFolderOrCache(error: unknown): boolean {
  const codes = ['output-failed', 'output-refused', 'cache-failed']
  return error instanceof CrossplaneError && codes.includes(error.code)
}

function sealOf(files: readonly HashedFile[], stamps: readonly FileStamp[]): string {
  return sha256Of(
    files.map(({path, after}, index) => JSON.stringify([path, after, stamps[index]?.text ?? ''])).join('\n'),
  )
}
