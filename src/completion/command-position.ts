import type {CommandModel, KnownCommand, KnownFlag} from './command-model.js'

/** The values of each flag in their order, by its name; without a value for a boolean flag. */
export type GivenFlags = Readonly<Record<string, readonly string[]>>

/** Returns the value of a flag that is not repeated: the last one. */
export function valueOf(flags: GivenFlags, name: string): string | undefined {
  return flags[name]?.at(-1)
}

/** Where the word to complete is in a command. */
export interface CommandPosition {
  readonly command: KnownCommand
  /** The flag whose value the word is. */
  readonly openFlag?: KnownFlag
  /** Those before the word. */
  readonly flags: GivenFlags
  /** The positional arguments before the word. */
  readonly arguments: readonly string[]
  /** Whether `--` is before the word, so that no flag can follow. */
  readonly flagsEnded: boolean
}

/** Finds the command that words begin with, and what the word after them is; undefined before the name is complete. */
export function commandPosition(model: CommandModel, words: readonly string[]): CommandPosition | undefined {
  const command = model.commands
    .filter(({id}) => beginsWith(words, id.split(' ')))
    .sort((a, b) => b.id.length - a.id.length)[0]
  if (command === undefined) return undefined
  const start: CommandPosition = {command, flags: {}, arguments: [], flagsEnded: false}
  return words.slice(command.id.split(' ').length).reduce(after, start)
}

function beginsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, index) => words[index] === word)
}

function after(position: CommandPosition, word: string): CommandPosition {
  const {openFlag, ...rest} = position
  if (openFlag !== undefined) return withFlag(rest, openFlag, [word])
  if (rest.flagsEnded || !isFlag(word)) return {...rest, arguments: [...rest.arguments, word]}
  if (word === '--') return {...rest, flagsEnded: true}
  const flag = flagOf(rest.command, word)
  if (flag === undefined) return rest
  if (takesNext(flag, word)) return {...withFlag(rest, flag, []), openFlag: flag}
  const equals = word.indexOf('=')
  return withFlag(rest, flag, equals === -1 ? [] : [word.slice(equals + 1)])
}

function withFlag(position: CommandPosition, {name}: KnownFlag, values: readonly string[]): CommandPosition {
  const before = position.flags[name] ?? []
  return {...position, flags: {...position.flags, [name]: [...before, ...values]}}
}

/** A single dash stands for standard input. */
function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

function takesNext({name, char, takesValue}: KnownFlag, word: string): boolean {
  return takesValue && (word === `--${name}` || (char !== undefined && word === `-${char}`))
}

/** Returns the flag of `--name`, `--name=value`, `-n` or `-nvalue`; undefined for an unknown one. */
export function flagOf({flags}: KnownCommand, word: string): KnownFlag | undefined {
  if (!word.startsWith('--')) return flags.find(({char}) => char !== undefined && word[1] === char)
  const [name] = word.slice(2).split('=')
  return flags.find(flag => flag.name === name)
}
