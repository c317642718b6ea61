import type {FolderEntries} from '../plan/folder/folder-snapshot.js'

/** What a file system says of a file without reading it. */
export interface FileStamp {
  /** Another text after each change of the content in place, and for each other file; moving the file leaves it. */
  readonly content: string
  /** Another text after each change of the file. */
  readonly text: string
  /** When it changed, in nanoseconds of the clock of its file system. */
  readonly changedAt: bigint
  /** Whether it changed so long ago that the next change has another time. */
  readonly isSettled: boolean
}

/**
 * Port: a folder that is written to. Every path is relative to it, with `/` between segments, and none is ever
 * followed through a link inside the folder. System errors are thrown as `output-failed`.
 */
export interface OutputFolder {
  /** As the user named it. */
  readonly name: string
  /** Its absolute path, which also ends with the name of the folder if the user named it `.`. */
  readonly path: string
  /** Returns the entry at each of the paths; none below a link or a file. */
  look(paths: readonly string[]): Promise<FolderEntries>
  /** Returns the stamps of the paths at which there is a file; none below a link. */
  stamps(paths: readonly string[]): Promise<ReadonlyMap<string, FileStamp>>
  /**
   * Returns the text of a file, `undefined` if nothing exists. Throws `output-refused` for anything but a regular
   * file.
   */
  read(path: string): Promise<string | undefined>
  /** Lists the names in a folder below it, sorted; none if there is no such folder. */
  names(path: string): Promise<readonly string[]>
  /**
   * Creates the folder if necessary and runs `work` while no other process holds this lock. Throws `output-refused`
   * naming the process that holds it; the lock of a process that no longer runs is taken over.
   */
  exclusively<T>(lock: string, work: (changes: FolderChanges) => Promise<T>): Promise<T>
}

/** The changes to a folder. Each is atomic; missing parent folders are created. */
export interface FolderChanges {
  /** Creates a file, whose bytes have reached the disk when this resolves if the folder is synced. */
  create(path: string, content: string): Promise<void>
  /** Replaces the entry at `to`. */
  move(from: string, to: string): Promise<void>
  /** Deletes a file, if it exists. */
  remove(path: string): Promise<void>
  /** Deletes a folder and the files in it, one by one. */
  clear(folder: string): Promise<void>
  /** Syncs moves and deletions in these folders to disk, if the folder is synced; deletes empty ones. '' is the output folder itself. */
  settle(folders: readonly string[]): Promise<void>
}
