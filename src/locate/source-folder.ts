/** Whether examples are read, which no install needs: without those that cannot be read, a package is still one. */
export interface ExampleChoice {
  readonly withExamples?: boolean
}

/** How to read the source folder of a package. */
export interface SourceFolderChoices {
  /** Patterns of files and folders to leave out. */
  readonly ignore: readonly string[]
  /** Whether its examples are read as well. */
  readonly examples: boolean
}
