/** A command line that shows suggestions, which are followed. Each area has a file of cases in this folder. */
export interface SuggestionCase {
  readonly name: string
  /** Made right before it runs where it names a server or files of its own. */
  readonly in: Argv | (() => Argv | Promise<Argv>)
  /** Variables that are set for it, and for what follows. */
  readonly env?: Readonly<Record<string, string>>
  /** The suggestions, where a case is about which they are. */
  readonly want?: readonly string[]
  /** The command line of somebody who follows a suggestion in prose; it succeeds. */
  readonly then?: (argv: Argv) => Argv | Promise<Argv>
}

/** The words of a command line of the program. */
export type Argv = readonly string[]
