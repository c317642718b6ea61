import type {FolderEntries} from '../plan/folder-snapshot.js'

/**
 * A folder that is written to. Every path is relative to it, with `/` between segments, and none is ever followed
 * through a link inside the folder. What the system refuses is thrown as `output-failed`.
 */
export interface OutputFolder {
  /** What is at each of the paths; below a link or a file there is nothing. */
  look(paths: readonly string[]): Promise<FolderEntries>
  /** The text of a file, `undefined` where nothing is. Throws `output-refused` for what is no plain file. */
  read(path: string): Promise<string | undefined>
  /**
   * Makes the folder if need be and runs `work` while no other process does the same with this lock. Throws
   * `output-refused` naming the process that holds it; the lock of a process that died is taken over.
   */
  exclusively<T>(lock: string, work: (changes: FolderChanges) => Promise<T>): Promise<T>
}

/** What can be done to a folder. Each act happens as a whole or not at all; folders on the way are made. */
export interface FolderChanges {
  /** A new file, whose bytes have reached the disk when this resolves. */
  create(path: string, content: string): Promise<void>
  /** Replaces what is at `to`. */
  move(from: string, to: string): Promise<void>
  /** Deletes a file, if there is one. */
  remove(path: string): Promise<void>
  /** Deletes a folder and the files in it, one by one. */
  clear(folder: string): Promise<void>
  /** Brings what was moved and removed in these folders to disk; deletes those that are empty. '' is the folder itself. */
  settle(folders: readonly string[]): Promise<void>
}
