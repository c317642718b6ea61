import {commandLine, listAll, nearest, plural, quoted} from '../../text.js'
import {correctedWords} from './corrected-command.js'
import {helpCommand, idIn, type KnownCommands, type KnownFlag, NO_COMMANDS} from './known-commands.js'
import {withFlagName, wordsForOtherFlag} from './other-flags.js'
import {linesOf, messageOf, type ParseError, textsIn, unexpected} from './parser-messages.js'

/** The error of a command line, and the next step. */
export interface UsageFailure {
  readonly message: string
  readonly suggestions: readonly string[]
}

/** Rewords an error of oclif: it prints lists, IDs and notes of its own. */
export function usageFailure(
  error: ParseError,
  argv: readonly string[] = [],
  commands: KnownCommands = NO_COMMANDS,
): UsageFailure {
  const unknown = /^command (.+?) not found\.?$/i.exec(error.message)?.[1]
  if (unknown !== undefined) return unknownCommand(unknown.replaceAll(':', ' '), argv, commands)
  const flags = textsIn(error.flags)
  if (flags.length > 0) return unknownFlags(flags, argv, commands)
  const words = ofOutputFolder(error.message, argv, commands) ?? withChoice(error.message, argv)
  const next = words === undefined ? helpCommand(argv, commands) : commandLine(words)
  return {message: messageOf(error, argv, commands), suggestions: [next]}
}

/** Formats of other commands and programs. */
const OTHER_FORMATS =
  /^(?:wide|te?xt|table|tree|dot|mermaid|markdown|html|csv|xml|toml|junit|sarif|github|jsonpath.*|custom-columns.*|go-template.*)$/
/** Formats that are recognized when misspelled: a folder can have any other name, such as `test`, which is near to `text`. */
const FORMAT_NAMES = ['table', 'mermaid', 'markdown', 'jsonpath', 'sarif', 'junit', 'yaml', 'json']
/** oclif's message for a value that a flag does not have. */
const NO_CHOICE = /^Expected --([\w-]+)=(.*) to be one of: (.*)$/m

/** The command line with the value that was probably meant, for a format with one that the command has. */
function withChoice(message: string, argv: readonly string[]): readonly string[] | undefined {
  const [, flag = '', value = '', choices = ''] = NO_CHOICE.exec(linesOf(message).join('\n')) ?? []
  const choice = choiceFor(flag, value, choices.split(', '))
  const at = valueIn(flag, value, argv)
  if (choice === undefined || at === undefined) return undefined
  const word = argv[at] ?? ''
  return argv.with(at, `${word.slice(0, word.length - value.length)}${choice}`)
}

/** The value that is near to another one, or else the format for users, or the first one. */
function choiceFor(flag: string, value: string, options: readonly string[]): string | undefined {
  const near = nearest(value, options)
  if (near !== undefined || flag !== 'output') return near
  return options.includes('text') ? 'text' : options[0]
}

/** The index of the word with the value of a flag: `-o x`, `-ox`, `--output x` or `--output=x`. */
function valueIn(flag: string, value: string, argv: readonly string[]): number | undefined {
  const names = flag === 'output' ? ['--output', '-o'] : [`--${flag}`]
  const after = argv.findIndex((word, at) => word === value && names.includes(argv[at - 1] ?? ''))
  if (after !== -1) return after
  const joined = argv.findIndex(word =>
    [`--${flag}=${value}`, ...(flag === 'output' ? [`-o=${value}`, `-o${value}`] : [])].includes(word),
  )
  return joined === -1 ? undefined : joined
}

/** The command line with `--output-dir` where `-o` has the name of a folder. */
function ofOutputFolder(
  message: string,
  argv: readonly string[],
  {ids, flagsOf}: KnownCommands,
): readonly string[] | undefined {
  const text = linesOf(message).join('\n')
  const [, flag, value = '', options = ''] = NO_CHOICE.exec(text) ?? []
  const hasFolder = Object.hasOwn(flagsOf(idIn(argv, ids).join(' ')), 'output-dir')
  const isFormat =
    OTHER_FORMATS.test(value) || nearest(value, [...options.split(', '), ...FORMAT_NAMES]) !== undefined
  if (flag !== 'output' || !hasFolder || value === '' || isFormat) return undefined
  const at = argv.findIndex((word, index) => /^(?:-o|--output)$/.test(word) && argv[index + 1] === value)
  return at === -1 ? undefined : [...argv.slice(0, at), '--output-dir', ...argv.slice(at + 1)]
}

function unknownCommand(text: string, argv: readonly string[], commands: KnownCommands): UsageFailure {
  const {ids} = commands
  const typed = text.split(' ')
  const [own, extra] = ownWords(typed, ids)
  if (own.length > 0) return tooMany(own, extra, argv, commands)
  const message = `unknown command ${quoted(unknownWords(typed, ids))}`
  const words = argv[0] === 'help' ? helpOf(text, argv.slice(1), ids) : correctedWords(text, argv, ids)
  const help = helpCommand(typed, {...NO_COMMANDS, ids})
  return {message, suggestions: [words === undefined ? help : commandLine(words)]}
}

/** `help install` is for the help of `package install`, not for an install of that name. */
function helpOf(
  text: string,
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  const words = correctedWords(text.replace(/^help /, ''), argv, ids)
  return words === undefined ? undefined : ['help', ...idIn(words, ids)]
}

/** The words up to the first one that no command has; what follows may be arguments. */
function unknownWords(typed: readonly string[], ids: readonly string[]): string {
  return (ids.length === 0 ? typed : typed.slice(0, idIn(typed, ids).length + 1)).join(' ')
}

/** The words of a command that has no arguments, and what follows them. */
function ownWords(
  typed: readonly string[],
  ids: readonly string[],
): readonly [own: readonly string[], extra: readonly string[]] {
  const lengths = typed.map((_, at) => typed.length - at - 1).filter(length => length > 0)
  const length = lengths.find(count => ids.includes(typed.slice(0, count).join(' '))) ?? 0
  return [typed.slice(0, length), typed.slice(length)]
}

/** The same command line without the arguments, or with a folder of packages as a flag. */
function tooMany(
  own: readonly string[],
  extra: readonly string[],
  argv: readonly string[],
  {flagsOf}: KnownCommands,
): UsageFailure {
  const flags = argv.join(':').split(':').length === argv.length ? argv.slice(own.length + extra.length) : []
  // `kubectl get KIND NAME` shows one object.
  const isNamed =
    own.join(' ') === 'package list' && extra.length === 1 && areOfOne(flags, flagsOf('package status'))
  const words = isNamed ? ['package', 'status', ...extra] : own
  return {
    message: unexpected(extra),
    suggestions: [commandLine([...words, ...folderFlags(extra, flags, flagsOf(own.join(' '))), ...flags])],
  }
}

/** Flags that select several, which no name goes with. */
const SELECTING = new Set(['all-namespaces', 'selector'])

/** Whether a command has all flags of a command line, and each can stand beside a name. */
function areOfOne(flags: readonly string[], has: Readonly<Record<string, KnownFlag>>): boolean {
  const names = flags.filter(word => word.startsWith('-')).map(word => word.replace(/=.*/s, ''))
  const ofOne = Object.entries(has).filter(([name]) => !SELECTING.has(name))
  return names.every(word =>
    ofOne.some(([name, {char}]) => word === `--${name}` || word === `-${char ?? ''}`),
  )
}

/** A command without arguments that reads a folder of packages and writes one. */
function folderFlags(
  [folder = '', ...others]: readonly string[],
  flags: readonly string[],
  has: Readonly<Record<string, KnownFlag>>,
): readonly string[] {
  const isWritingOne = Object.hasOwn(has, 'packages') && has['output-dir']?.required === true
  if (!isWritingOne || others.length > 0 || flags.includes('--packages')) return []
  const isPlaced = flags.some(flag => /^--output-dir(?:=|$)/.test(flag))
  return ['--packages', folder, ...(isPlaced ? [] : ['--output-dir', 'site'])]
}

function unknownFlags(
  flags: readonly string[],
  argv: readonly string[],
  commands: KnownCommands,
): UsageFailure {
  const names = flags.map(flag => quoted(flag.replace(/=.*/s, '')))
  const message = `unknown ${plural(flags.length, 'flag')} ${listAll(names)}`
  const first = flags[0]?.replace(/=.*/s, '') ?? ''
  const flagNames = Object.keys(commands.flagsOf(idIn(argv, commands.ids).join(' ')))
  const other = wordsForOtherFlag(first, argv, {ids: commands.ids, flagNames})
  if (other !== undefined) return {message, suggestions: [commandLine(other)]}
  const intended = nearFlag(first, flagNames)
  if (intended === undefined) return {message, suggestions: [helpCommand(argv, commands)]}
  const words = withFlagName(first, intended, argv)
  return {message, suggestions: [commandLine(words)]}
}

/**
 * The flag that was probably meant, or the only one that begins like it. Short names resemble too many others: `--ns` is not
 * `--as`.
 */
function nearFlag(flag: string, names: readonly string[]): string | undefined {
  if (!flag.startsWith('--') || flag.length <= '--ns'.length) return undefined
  const name = flag.slice(2)
  const longer = names.filter(other => other.startsWith(name))
  const shortest = longer.find(other => longer.every(one => one.startsWith(other)))
  if (shortest !== undefined && isCompletion(name, shortest)) return shortest
  return flag.length > '--ns'.length + 1 ? nearest(name, names) : undefined
}

/** Flags that switch off a check, which only their own name does. */
const WITHOUT_CHECK = /^(?:force|assume|allow|accept|insecure|plain|trust)(?:-|$)/

/** Whether the part is at least the first word of a name: `--name` is not `--namespace`. */
function isCompletion(part: string, name: string): boolean {
  return !WITHOUT_CHECK.test(name) && (part.includes('-') || name.startsWith(`${part}-`))
}
