/** Port: version control of a package's folder. */
export interface SourceControl {
  /** Undefined for a folder outside of a repository, or if version control is not installed. */
  facts(folder: string): Promise<SourceFacts | undefined>
}

export interface SourceFacts {
  /** The commit whose files are those of the package, byte by byte; undefined if they differ. */
  readonly revision?: string
  /** Whether files of the package differ from the commit, or there is no commit. */
  readonly isDirty: boolean
  /** The URL of the remote `origin`, as configured. */
  readonly remote?: string
}
