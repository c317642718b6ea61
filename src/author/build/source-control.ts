/** Port: what version control says of a package's folder. */
export interface SourceControl {
  /** Undefined where the folder is in no repository, or nothing here can read one. */
  facts(folder: string): Promise<SourceFacts | undefined>
}

export interface SourceFacts {
  /** The commit that the package's files are of; absent where they are not all as it has them. */
  readonly revision?: string
  /** There are changes below the folder that no commit has. */
  readonly isDirty: boolean
  /** Where the repository comes from, as it is configured. */
  readonly remote?: string
}
