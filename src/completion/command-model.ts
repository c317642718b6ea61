/** The commands as completion knows them: plain data, which a build writes from oclif's manifests. */
export interface CommandModel {
  readonly commands: readonly KnownCommand[]
  /** Nouns, such as `registry index`, with their summaries. */
  readonly topics: readonly Topic[]
  /** The rules of lint. */
  readonly rules: readonly Candidate[]
}

/** A text that completes a word. */
export interface Candidate {
  readonly value: string
  readonly description?: string
}

/** A noun, or a command, by its words: `registry index`. */
export interface Topic {
  readonly id: string
  readonly summary: string
}

/** A command that help lists. */
export interface KnownCommand extends Topic {
  readonly flags: readonly KnownFlag[]
  readonly args: readonly KnownArgument[]
  /** Whether the last argument can be repeated. */
  readonly isVariadic: boolean
}

export interface KnownFlag {
  /** Without `--`. */
  readonly name: string
  /** Without `-`. */
  readonly char?: string
  readonly summary: string
  readonly takesValue: boolean
  readonly isRepeatable: boolean
  /** How help names the value, such as `FILE`. */
  readonly valueName?: string
  readonly choices?: readonly string[]
}

export interface KnownArgument {
  readonly name: string
  readonly choices?: readonly string[]
}
