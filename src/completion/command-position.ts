import type {CommandModel, KnownCommand, KnownFlag} from './command-model.js'

/** The last value of each flag, by its name. */
export type GivenFlags = Readonly<Record<string, string>>

/** Where the word to complete is in a command. */
export interface CommandPosition {
  readonly command: KnownCommand
  /** The flag whose value the word is. */
  readonly openFlag?: KnownFlag
  /** The values of the flags before the word, by their names; empty for a boolean flag. */
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
  if (openFlag !== undefined) return {...rest, flags: {...rest.flags, [openFlag.name]: word}}
  if (rest.flagsEnded || !isFlag(word)) return {...rest, arguments: [...rest.arguments, word]}
  if (word === '--') return {...rest, flagsEnded: true}
  const flag = flagOf(rest.command, word)
  if (flag === undefined) return rest
  const used = {...rest, flags: {...rest.flags, [flag.name]: word.split('=').slice(1).join('=')}}
  return takesNext(flag, word) ? {...used, openFlag: flag} : used
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
