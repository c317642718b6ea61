import {idIn, type KnownCommands, type KnownFlag} from './known-commands.js'

/**
 * Names the environment variables that a wrong value comes from, in place of flags that are not on the command line, or after a
 * message that names such a flag without its dashes.
 */
export function namedVariables(
  message: string,
  argv: readonly string[],
  commands: KnownCommands,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const flags = Object.entries(commands.flagsOf(idIn(argv, commands.ids).join(' ')))
  return flags.reduce((text, [name, flag]) => named(text, name, flag, {argv, env}), message)
}

/**
 * The same in a suggestion, where a flag is also named because it can be added: only what is to be left out or checked is a
 * variable. A command in it is given the flag that turns the variable off.
 */
export function suggestedVariables(
  suggestion: string,
  argv: readonly string[],
  commands: KnownCommands,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const flags = Object.entries(commands.flagsOf(idIn(argv, commands.ids).join(' ')))
  return flags.reduce((text, [name, flag]) => advised(text, name, flag, {argv, env}), suggestion)
}

function advised(text: string, name: string, flag: KnownFlag, {argv, env}: Given): string {
  const variable = flag.env ?? ''
  if ((env[variable] ?? '') === '' || text.includes(variable) || isWritten(argv, name, flag)) return text
  const own = `--${name}(?![\\w-])`
  const other = text
    .replace(new RegExp(`\\bLeave out ${own}`), `Unset ${variable}`)
    .replace(new RegExp(`\\bleave out ${own}`), `unset ${variable}`)
    .replace(new RegExp(`\\b(without|the value of) ${own}`), `$1 ${variable}`)
  const isCommand = other !== text && flag.type === 'boolean' && other.includes(': kubectl crossplane ')
  return isCommand ? `${other} --${name}=false` : other
}

interface Given {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

function named(text: string, name: string, flag: KnownFlag, {argv, env}: Given): string {
  const variable = flag.env ?? ''
  const value = env[variable] ?? ''
  if (value === '' || text.includes(variable) || isWritten(argv, name, flag)) return text
  const other = text
    .replace(new RegExp(`(?<![\\w-])--${name} was given\\b`), `${variable} is set`)
    .replace(new RegExp(`(?<![\\w-])--${name}(?![\\w-])`), variable)
  if (other !== text || flag.type === 'boolean') return other
  // A package can have the same name as the value of another flag.
  const isNamed = text.includes(`invalid ${name.replaceAll('-', ' ')} ${JSON.stringify(value)}`)
  return isNamed ? `${text} (${variable})` : text
}

/** Reports whether a flag is on a command line. */
export function isWritten(argv: readonly string[], name: string, {char}: KnownFlag): boolean {
  return argv.some(
    word =>
      word === `--${name}` ||
      word.startsWith(`--${name}=`) ||
      (char !== undefined && word.startsWith(`-${char}`)),
  )
}
