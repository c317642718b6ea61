import {stripVTControlCharacters} from 'node:util'

/** What oclif's errors about a command line carry besides their message. */
interface ParseError extends Error {
  readonly args?: unknown
}

/** One sentence on what is wrong with a command line, and the next step. */
export interface UsageFailure {
  readonly message: string
  readonly suggestions: readonly string[]
}

/** The next step where there is no better one. */
export const SEE_HELP = 'Run the command with --help to see its arguments, flags and examples.'

/** An error of oclif in our words: its own hold lists, ids of commands, and notes that are not true of our flags. */
export function usageFailure(error: ParseError): UsageFailure {
  const unknown = /^command (.+?) not found\.?$/i.exec(error.message)?.[1]
  if (unknown === undefined) return {message: messageOf(error), suggestions: [SEE_HELP]}
  return {
    message: `there is no command ${JSON.stringify(unknown.replaceAll(':', ' '))}`,
    suggestions: ['Run kubectl crossplane --help to see the commands.'],
  }
}

function messageOf({message, args}: ParseError): string {
  const missing = Array.isArray(args) ? args.flatMap(nameOf) : []
  if (missing.length > 0) return `${missing.join(' and ')} must be given`
  const [first = '', ...rest] = linesOf(message).map(inOurWords)
  return /errors? occurred:$/.test(first) ? rest.join('; ') : [first, ...rest].join(' ')
}

/** A relation of flags: oclif names the value of one of them, be it a secret or `true`, and both in its own words. */
function inOurWords(line: string): string {
  return line.replace(
    /^--([\w-]+)=.* cannot also be provided when using --([\w-]+)$/,
    '--$1 and --$2 exclude each other',
  )
}

/** The name of an argument that is required; where there were too many, oclif has plain words instead. */
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
