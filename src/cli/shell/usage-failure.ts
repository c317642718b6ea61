import {commandLine, listAll, nearest, plural, quoted} from '../../text.js'
import {correctedWords} from './corrected-command.js'
import {helpCommand, idIn, type KnownCommands, type KnownFlag, NO_COMMANDS} from './known-commands.js'
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
  const words = ofOutputFolder(error.message, argv, commands)
  const next = words === undefined ? helpCommand(argv, commands) : commandLine(words)
  return {message: messageOf(error, argv, commands), suggestions: [next]}
}

/** The command line with `--output-dir` where `-o` has the name of a folder. */
function ofOutputFolder(
  message: string,
  argv: readonly string[],
  {ids, flagsOf}: KnownCommands,
): readonly string[] | undefined {
  const text = linesOf(message).join('\n')
  const [, value = '', options = ''] = /^Expected --output=(.*) to be one of: (.*)$/m.exec(text) ?? []
  const hasFolder = Object.hasOwn(flagsOf(idIn(argv, ids).join(' ')), 'output-dir')
  if (!hasFolder || value === '' || nearest(value, options.split(', ')) !== undefined) return undefined
  const at = argv.findIndex((word, index) => /^(?:-o|--output)$/.test(word) && argv[index + 1] === value)
  return at === -1 ? undefined : [...argv.slice(0, at), '--output-dir', ...argv.slice(at + 1)]
}

function unknownCommand(text: string, argv: readonly string[], commands: KnownCommands): UsageFailure {
  const {ids} = commands
  const typed = text.split(' ')
  const [own, extra] = ownWords(typed, ids)
  if (own.length > 0) return tooMany(own, extra, argv, commands)
  const message = `unknown command ${quoted(unknownWords(typed, ids))}`
  const words = correctedWords(text, argv, ids)
  const help = helpCommand(typed, {...NO_COMMANDS, ids})
  return {message, suggestions: [words === undefined ? help : commandLine(words)]}
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
  return {
    message: unexpected(extra),
    suggestions: [commandLine([...own, ...folderFlags(extra, flags, flagsOf(own.join(' '))), ...flags])],
  }
}

/** A command without arguments that reads a folder of packages and writes one. */
function folderFlags(
  [folder = '', ...others]: readonly string[],
  flags: readonly string[],
  has: Readonly<Record<string, KnownFlag>>,
): readonly string[] {
  const isWritingOne = Object.hasOwn(has, 'packages') && Object.hasOwn(has, 'output-dir')
  if (!isWritingOne || others.length > 0 || flags.includes('--packages')) return []
  const isPlaced = flags.some(flag => /^--output-dir(?:=|$)/.test(flag))
  return ['--packages', folder, ...(isPlaced ? [] : ['--output-dir', 'site'])]
}

function unknownFlags(
  flags: readonly string[],
  argv: readonly string[],
  commands: KnownCommands,
): UsageFailure {
  const message = `unknown ${plural(flags.length, 'flag')} ${listAll(flags.map(quoted))}`
  const [first = ''] = flags
  const flagNames = Object.keys(commands.flagsOf(idIn(argv, commands.ids).join(' ')))
  const ofKubectl = kubectlWords(first, argv, flagNames)
  if (ofKubectl !== undefined) return {message, suggestions: [commandLine(ofKubectl)]}
  const intended = first.startsWith('--') ? nearest(first.slice(2), flagNames) : undefined
  if (intended === undefined) return {message, suggestions: [helpCommand(argv, commands)]}
  const words = argv.map(word =>
    word === first || word.startsWith(`${first}=`) ? word.replace(first, `--${intended}`) : word,
  )
  return {message, suggestions: [commandLine(words)]}
}

/** `upgrade NAME -n team` is `upgrade team/NAME`; undefined for repositories, which are in any namespace. */
function namesInNamespace(argv: readonly string[], at: number): readonly string[] | undefined {
  const namespace = argv[at + 1]
  const words = argv.filter((_, index) => index !== at && index !== at + 1)
  const name = words[2]
  if (namespace === undefined || name === undefined || /^-|\//.test(name)) return undefined
  return [...words.slice(0, 2), `${namespace}/${name}`, ...words.slice(3)]
}

/** The command line that does what a flag of kubectl does in another command. */
function kubectlWords(
  flag: string,
  argv: readonly string[],
  flagNames: readonly string[],
): readonly string[] | undefined {
  if (['-f', '--filename'].includes(flag) && flagNames.includes('declaration'))
    return argv.map(word => (word === flag ? '--declaration' : word))
  // These commands select everything.
  if (['-A', '--all-namespaces'].includes(flag)) return argv.filter(word => word !== flag)
  const [noun, verb] = argv
  const isUpgrade = noun === 'package' && verb === 'upgrade'
  if (['-n', '--namespace'].includes(flag) && isUpgrade) return namesInNamespace(argv, argv.indexOf(flag))
  const isList = noun === 'package' && verb === 'list'
  if (['-w', '--watch'].includes(flag) && isList) return ['package', 'status', ...argv.slice(2)]
  return undefined
}
