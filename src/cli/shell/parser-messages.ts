import {stripVTControlCharacters} from 'node:util'
import {listAll, plural, quoted} from '../../text.js'
import {idIn, type KnownCommands, type KnownFlag} from './known-commands.js'
import {isWritten} from './named-variables.js'

/** The properties of oclif's errors about a command line besides their message. */
export interface ParseError extends Error {
  readonly args?: unknown
  readonly flags?: unknown
}

/** Returns the message of an error of oclif in the words of the program. */
export function messageOf(
  {message, args}: ParseError,
  argv: readonly string[],
  commands: KnownCommands,
): string {
  const missing = Array.isArray(args) ? args.flatMap(nameOf) : []
  if (missing.length > 0) return `missing ${plural(missing.length, 'argument')} ${listAll(missing)}`
  const extra = textsIn(args)
  if (extra.length > 0) return unexpected(extra)
  const lines = linesOf(message)
  const reasons = /errors? occurred:$/.test(lines[0] ?? '') ? lines.slice(1) : [lines.join(' ')]
  const flags = Object.entries(commands.flagsOf(idIn(argv, commands.ids).join(' ')))
  return joined(reasons.map(reason => givenAs(reworded(reason), argv, flags))).join('; ')
}

/** One message for all flags that are missing. */
function joined(messages: readonly string[]): readonly string[] {
  const flags = messages.flatMap(message => /^missing flag (--[\w-]+)$/.exec(message)?.[1] ?? [])
  if (flags.length < 2) return messages
  const others = messages.filter(message => !/^missing flag --[\w-]+$/.test(message))
  return [`missing flags ${listAll(flags)}`, ...others]
}

/** Rewords each message of oclif's parser. oclif prints values, which may be secrets or `true`. */
const REWORDED: readonly (readonly [pattern: RegExp, words: (...parts: string[]) => string])[] = [
  [
    /^--([\w-]+)=.* cannot also be provided when using --([\w-]+)$/,
    (a, b) => `--${a} and --${b} are mutually exclusive`,
  ],
  [
    /^Expected --([\w-]+)=(.*) to be one of: (.*)$/s,
    (flag, value, options) => `invalid --${flag} ${quoted(value)}: must be one of ${choices(options)}`,
  ],
  [
    /^Expected (.*) to be one of: (.*)$/s,
    (value, options) => `invalid argument ${quoted(value)}: must be one of ${choices(options)}`,
  ],
  [/^Missing required flag(?:s:)?:? (?:--)?(.*)$/, flag => `missing flag --${flag}`],
  [
    /^Flag (--[\w-]+) expects (?:a value|one of these values: (.*))$/,
    (flag, options) =>
      `missing value of ${flag}${options === '' ? '' : `: must be one of ${choices(options)}`}`,
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

/** The options as other errors list them. */
function choices(options: string): string {
  return listAll(options.split(', '), 'or')
}

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

/** The name of a missing argument; arguments that are too many have no name. */
function nameOf(arg: unknown): string[] {
  const {name} = arg as {readonly name?: unknown}
  return typeof name === 'string' ? [name.toUpperCase()] : []
}

/** Returns the message for arguments that are too many. */
export function unexpected(words: readonly string[]): string {
  return `unexpected ${plural(words.length, 'argument')} ${listAll(words.map(quoted))}`
}

/** Returns the texts of what an error of oclif names. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

/** Returns the lines of a message of oclif without colors, and without its note. */
export function linesOf(message: string): string[] {
  return stripVTControlCharacters(message)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && line !== 'See more help with --help')
}
