import type {CrossplaneError} from '../../errors.js'

/** Port: version control of a package's folder. */
export interface SourceControl {
  /**
   * Reads the facts of a package's folder, and of the other folders whose files are in its image. Undefined for a folder outside
   * of a repository. Facts that cannot be read are `unread`, with the reason.
   */
  facts(folder: string, others: readonly string[]): Promise<SourceFacts | undefined>
}

export interface SourceFacts {
  /** The commit whose files are those of the image, byte by byte; undefined if they differ. */
  readonly revision?: string
  /** Whether files of the image differ from the commit, or there is no commit. */
  readonly isDirty: boolean
  /** The URL of the remote `origin`, as configured. */
  readonly remote?: string
  /** Why the facts cannot be read although the folder is in a repository; the files then count as changed. */
  readonly unread?: CrossplaneError
}
