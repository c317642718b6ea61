import type {FolderEntries} from '../plan/folder/folder-snapshot.js'

/**
 * Port: a folder that is written to. Every path is relative to it, with `/` between segments, and none is ever followed
 * through a link inside the folder. Failures of the system are thrown as `output-failed`.
 */
export interface OutputFolder {
  /** As the user named it. */
  readonly name: string
  /** What is at each of the paths; below a link or a file there is nothing. */
  look(paths: readonly string[]): Promise<FolderEntries>
  /** The text of a file, `undefined` where nothing exists. Throws `output-refused` for anything but a regular file. */
  read(path: string): Promise<string | undefined>
  /**
   * Creates the folder if necessary and runs `work` while no other process holds this lock. Throws `output-refused`
   * naming the process that holds it; the lock of a process that no longer runs is taken over.
   */
  exclusively<T>(lock: string, work: (changes: FolderChanges) => Promise<T>): Promise<T>
}

/** The changes to a folder. Each happens as a whole or not at all; missing folders on the way are created. */
export interface FolderChanges {
  /** Creates a file, whose bytes have reached the disk when this resolves. */
  create(path: string, content: string): Promise<void>
  /** Replaces what is at `to`. */
  move(from: string, to: string): Promise<void>
  /** Deletes a file, if it exists. */
  remove(path: string): Promise<void>
  /** Deletes a folder and the files in it, one by one. */
  clear(folder: string): Promise<void>
  /** Brings moves and deletions in these folders to disk; deletes empty ones. '' is the output folder itself. */
  settle(folders: readonly string[]): Promise<void>
}
