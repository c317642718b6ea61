/** The commands of the program, as far as a failure needs them. */
export interface KnownCommands {
  /** With spaces, such as `package render`. */
  readonly ids: readonly string[]
  /** The IDs of those that set `isCheck`: see `src/plugin.ts`. */
  readonly checks: readonly string[]
  readonly flagsOf: (id: string) => Readonly<Record<string, KnownFlag>>
}

/** Describes a flag of a command. */
export interface KnownFlag {
  readonly type?: string
  readonly char?: string
  readonly env?: string
  readonly required?: boolean
}

const PROGRAM = 'kubectl crossplane'

/** The commands of a failure for which these do not matter. */
export const NO_COMMANDS: KnownCommands = {ids: [], checks: [], flagsOf: () => ({})}

/** The command that prints the valid words of a command line. */
export function helpCommand(argv: readonly string[], {ids}: KnownCommands = NO_COMMANDS): string {
  return [PROGRAM, ...idIn(argv, ids), '--help'].join(' ')
}

/** The words of the command that a command line starts with, or of the noun. */
export function idIn(argv: readonly string[], ids: readonly string[]): readonly string[] {
  const words = argv.flatMap(word => word.split(':'))
  const isKnown = (id: string) => ids.some(text => text === id || text.startsWith(`${id} `))
  let length = 0
  while (length < words.length && isKnown(words.slice(0, length + 1).join(' '))) length += 1
  return words.slice(0, length)
}
