/** How to read the source folder of a package. */
export interface SourceFolderChoices {
  /** Patterns of files and folders to leave out. */
  readonly ignore: readonly string[]
  /** Whether its examples are read as well. */
  readonly examples: boolean
}
