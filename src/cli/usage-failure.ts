import {stripVTControlCharacters} from 'node:util'
import {commandLine, listAll, nearest, plural, quoted} from '../text.js'

/** The properties of oclif's errors about a command line besides their message. */
interface ParseError extends Error {
  readonly args?: unknown
  readonly flags?: unknown
}

/** The commands of the program, as far as a failure needs them. */
export interface KnownCommands {
  /** With spaces, such as `package render`. */
  readonly ids: readonly string[]
  /** The IDs of those that set `isCheck`: see `src/plugin.ts`. */
  readonly checks: readonly string[]
  readonly flagsOf: (id: string) => Readonly<Record<string, KnownFlag>>
}

interface KnownFlag {
  readonly type?: string
  readonly char?: string
  readonly env?: string
}

/** The error of a command line, and the next step. */
export interface UsageFailure {
  readonly message: string
  readonly suggestions: readonly string[]
}

const PROGRAM = 'kubectl crossplane'
const NO_COMMANDS: KnownCommands = {ids: [], checks: [], flagsOf: () => ({})}

/** The command that prints the valid words of a command line. */
export function helpCommand(argv: readonly string[], {ids}: KnownCommands = NO_COMMANDS): string {
  return [PROGRAM, ...idIn(argv, ids), '--help'].join(' ')
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
  return {message: messageOf(error, argv, commands), suggestions: [helpCommand(argv, commands)]}
}

function unknownCommand(text: string, argv: readonly string[], {ids}: KnownCommands): UsageFailure {
  const typed = text.split(' ')
  const [own, extra] = ownWords(typed, ids)
  if (own.length > 0) return tooMany(own, extra, argv)
  const message = `unknown command ${quoted(unknownWords(typed, ids))}`
  const words = ofOtherNoun(typed, argv, ids) ?? intendedWords(text, argv, ids)
  const help = helpCommand(typed, {...NO_COMMANDS, ids})
  return {message, suggestions: [words === undefined ? help : commandLine(words)]}
}

/** The words up to the first one that no command has; what follows may be arguments. */
function unknownWords(typed: readonly string[], ids: readonly string[]): string {
  return (ids.length === 0 ? typed : typed.slice(0, idIn(typed, ids).length + 1)).join(' ')
}

/** The command line without a noun that the command does not have: `package login` is `registry login`. */
function ofOtherNoun(
  [noun = '', ...typed]: readonly string[],
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  if (!ids.some(id => id.startsWith(`${noun} `))) return undefined
  for (let length = typed.length; length > 0; length -= 1) {
    const words = typed.slice(0, length).join(' ')
    const command = ids.includes(words) ? words : verbOfOther(noun, words, ids, argv.slice(1 + length))
    if (command !== undefined) return [...command.split(' '), ...argv.slice(1 + length)]
  }
  return ofNextNoun(typed, argv, ids)
}

/**
 * The command that has the verb. Many say `package` for everything; after another noun, only arguments and a verb that
 * one command has tell that it is not just one that the noun lacks: the packages are not the list of `services list`.
 */
function verbOfOther(
  noun: string,
  verb: string,
  ids: readonly string[],
  following: readonly string[],
): string | undefined {
  const isClear = following.length > 0 && ids.filter(id => id.endsWith(` ${verb}`)).length === 1
  return noun === 'package' || isClear ? nounless(verb, ids) : undefined
}

/** The command of the noun that follows another one, or the help of that noun: `package cache lst` is `cache list`. */
function ofNextNoun(
  typed: readonly string[],
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  const [noun = ''] = typed
  const own = ids.filter(id => id.startsWith(`${noun} `))
  if (own.length === 0) return undefined
  const near = nearest(typed.slice(0, 2).join(' '), own)?.split(' ')
  return near === undefined ? [noun, '--help'] : [...near, ...argv.slice(1 + near.length)]
}

/** The command line with the command that was probably meant. */
function intendedWords(
  text: string,
  argv: readonly string[],
  ids: readonly string[],
): readonly string[] | undefined {
  const typed = text.split(' ')
  const [verb = ''] = typed
  const ofVerb = nounless(verb, ids)
  const near = ofVerb === undefined ? (nearest(text, ids) ?? nearestPrefix(typed, ids)) : undefined
  if (near !== undefined) {
    const words = near.split(' ')
    const start = argv.findIndex((_, index) =>
      typed.slice(0, words.length).every((word, at) => argv[index + at] === word),
    )
    return [...words, ...(start === -1 ? ['--help'] : argv.slice(start + words.length))]
  }
  const command = ofVerb ?? nounless(nearest(verb, verbsOf(ids)) ?? '', ids)
  return command === undefined ? undefined : [...command.split(' '), ...argv.slice(1)]
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

/** The same command line without the arguments. */
function tooMany(own: readonly string[], extra: readonly string[], argv: readonly string[]): UsageFailure {
  const flags = argv.join(':').split(':').length === argv.length ? argv.slice(own.length + extra.length) : []
  return {
    message: unexpected(extra),
    suggestions: [commandLine([...own, ...flags])],
  }
}

function unexpected(words: readonly string[]): string {
  return `unexpected ${plural(words.length, 'argument')} ${listAll(words.map(quoted))}`
}

/** The command of packages, or else the first one, whose verb is the first word: `install` is `package install`. */
function nounless(verb: string, ids: readonly string[]): string | undefined {
  const verbs = ids.filter(id => id.endsWith(` ${verb}`))
  return verbs.find(id => id.startsWith('package ')) ?? verbs[0]
}

/** The verbs of commands that have a noun. */
function verbsOf(ids: readonly string[]): string[] {
  return ids.flatMap(id => (id.includes(' ') ? id.split(' ').slice(-1) : []))
}

/** The command that the first words resemble, where arguments follow them. */
function nearestPrefix(typed: readonly string[], ids: readonly string[]): string | undefined {
  const lengths = [...new Set(ids.map(id => id.split(' ').length))].sort((a, b) => b - a)
  for (const length of lengths) {
    if (typed.length <= length) continue
    const ofLength = ids.filter(id => id.split(' ').length === length)
    const candidate = nearest(typed.slice(0, length).join(' '), ofLength)
    if (candidate !== undefined) return candidate
  }
  return undefined
}

function unknownFlags(
  flags: readonly string[],
  argv: readonly string[],
  commands: KnownCommands,
): UsageFailure {
  const message = `unknown ${plural(flags.length, 'flag')} ${listAll(flags.map(quoted))}`
  const [first = ''] = flags
  const flagNames = Object.keys(commands.flagsOf(idIn(argv, commands.ids).join(' ')))
  const intended = first.startsWith('--') ? nearest(first.slice(2), flagNames) : undefined
  if (intended === undefined) return {message, suggestions: [helpCommand(argv, commands)]}
  const words = argv.map(word =>
    word === first || word.startsWith(`${first}=`) ? word.replace(first, `--${intended}`) : word,
  )
  return {message, suggestions: [commandLine(words)]}
}

/** The words of the command that a command line starts with, or of the noun. */
function idIn(argv: readonly string[], ids: readonly string[]): readonly string[] {
  const words = argv.flatMap(word => word.split(':'))
  const isKnown = (id: string) => ids.some(text => text === id || text.startsWith(`${id} `))
  let length = 0
  while (length < words.length && isKnown(words.slice(0, length + 1).join(' '))) length += 1
  return words.slice(0, length)
}

function messageOf({message, args}: ParseError, argv: readonly string[], commands: KnownCommands): string {
  const missing = Array.isArray(args) ? args.flatMap(nameOf) : []
  if (missing.length > 0) return `missing argument ${listAll(missing)}`
  const extra = textsIn(args)
  if (extra.length > 0) return unexpected(extra)
  const lines = linesOf(message)
  const reasons = /errors? occurred:$/.test(lines[0] ?? '') ? lines.slice(1) : [lines.join(' ')]
  const flags = Object.entries(commands.flagsOf(idIn(argv, commands.ids).join(' ')))
  return reasons.map(reason => givenAs(reworded(reason), argv, flags)).join('; ')
}

/** Rewords each message of oclif's parser. oclif prints values, which may be secrets or `true`. */
const REWORDED: readonly (readonly [pattern: RegExp, words: (...parts: string[]) => string])[] = [
  [
    /^--([\w-]+)=.* cannot also be provided when using --([\w-]+)$/,
    (a, b) => `--${a} and --${b} are mutually exclusive`,
  ],
  [
    /^Expected --([\w-]+)=(.*) to be one of: (.*)$/s,
    (flag, value, options) => `invalid --${flag} ${quoted(value)}: must be one of ${options}`,
  ],
  [
    /^Expected (.*) to be one of: (.*)$/s,
    (value, options) => `invalid argument ${quoted(value)}: must be one of ${options}`,
  ],
  [/^Missing required flag(?:s:)?:? (?:--)?(.*)$/, flag => `missing flag --${flag}`],
  [
    /^Flag (--[\w-]+) expects (?:a value|one of these values: (.*))$/,
    (flag, options) => `missing value of ${flag}${options === '' ? '' : `: must be one of ${options}`}`,
  ],
  [/^Flag (--[\w-]+) can only be specified once$/, flag => `${flag} cannot be repeated`],
  [
    /^All of the following must be provided when using (--[\w-]+): (.*)$/,
    (flag, others) => `${flag} requires ${others}`,
  ],
  [
    /^Parsing (--[\w-]+) Expected an integer greater than or equal to (\d+).*received: (.*)$/s,
    (flag, least, value) => `invalid ${flag} ${quoted(value)}: must be an integer of at least ${least}`,
  ],
  [
    /^Parsing (--[\w-]+) (?:Expected an integer|Error: .*).*received: (.*)$/s,
    (flag, value) => `invalid ${flag} ${quoted(value)}: must be an integer`,
  ],
]

function reworded(reason: string): string {
  for (const [pattern, words] of REWORDED) {
    const parts = pattern.exec(reason)
    if (parts !== null) return words(...parts.slice(1).map((part: string | undefined) => part ?? ''))
  }
  return `${reason.slice(0, 1).toLowerCase()}${reason.slice(1)}`.replace(/\.$/, '')
}

/** Names the environment variable where a value does not come from the command line. */
function givenAs(
  message: string,
  argv: readonly string[],
  flags: readonly (readonly [string, KnownFlag])[],
): string {
  const name = /^invalid --([\w-]+) /.exec(message)?.[1]
  const [, flag] = flags.find(([text]) => text === name) ?? []
  if (name === undefined || flag?.env === undefined || isWritten(argv, name, flag)) return message
  return message.replace(`--${name}`, flag.env)
}

function isWritten(argv: readonly string[], name: string, {char}: KnownFlag): boolean {
  return argv.some(
    word =>
      word === `--${name}` ||
      word.startsWith(`--${name}=`) ||
      (char !== undefined && word.startsWith(`-${char}`)),
  )
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

/** The name of a missing argument; arguments that are too many have no name. */
function nameOf(arg: unknown): string[] {
  const {name} = arg as {readonly name?: unknown}
  return typeof name === 'string' ? [name.toUpperCase()] : []
}

function linesOf(message: string): string[] {
  return stripVTControlCharacters(message)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && line !== 'See more help with --help')
}
