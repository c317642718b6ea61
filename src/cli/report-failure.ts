import {CrossplaneError, type Fault} from '../errors.js'
import {formatFault} from './format-fault.js'
import {formatJson} from './show.js'
import {EXIT_CODES, USAGE} from './exit-code.js'
import {type Paint, painter} from './paint.js'
import {writeBugReport} from './bug-report.js'

/** Says on stderr what went wrong, for people or (`-o json`) for programs, and returns the exit status. */
export async function reportFailure(error: unknown, argv: readonly string[]): Promise<number> {
  const status = silentStatus(error)
  if (status !== undefined) return status
  const failure = await asFailure(error)
  const text = wantsJson(argv)
    ? formatJson({kind: 'Error', ...failure.document})
    : formatFailure(failure, painter(argv))
  process.stderr.write(text)
  if (argv.includes('--debug') && error instanceof Error) process.stderr.write(`${stackOf(error)}\n`)
  return failure.status
}

interface Failure {
  readonly status: number
  readonly document: {
    readonly code: string
    readonly message: string
    readonly cause?: string
    readonly faults: readonly Fault[]
    readonly suggestions: readonly string[]
  }
}

/** oclif leaves with an error of its own when a command exits; there is nothing left to say. */
function silentStatus(error: unknown): number | undefined {
  const {code, oclif} = error as {code?: unknown; oclif?: {exit?: number}}
  return code === 'EEXIT' ? (oclif?.exit ?? 0) : undefined
}

async function asFailure(error: unknown): Promise<Failure> {
  if (error instanceof CrossplaneError) {
    const {code, message, faults, suggestions, cause} = error
    const detail = cause instanceof Error ? {cause: cause.message} : {}
    return {status: EXIT_CODES[code], document: {code, message, faults, suggestions, ...detail}}
  }
  if (error instanceof Error && isUsageError(error)) {
    const suggestions = ['Run the command with --help to see its arguments, flags and examples.']
    return {
      status: USAGE,
      document: {code: 'usage', message: firstLines(error.message), faults: [], suggestions},
    }
  }
  const log = await writeBugReport(error)
  const message = `this is a bug in kubectl-crossplane: the details are in ${log}`
  return {
    status: 1,
    document: {code: 'internal', message, faults: [], suggestions: ['Please report it with that file.']},
  }
}

/** oclif leaves with 2 for arguments and flags, and with 127 for a command that is none. */
function isUsageError(error: Error & {readonly oclif?: {readonly exit?: number}}): boolean {
  return error.oclif?.exit === 2 || error.oclif?.exit === 127
}

/** oclif appends its own advice to usage errors; ours follows as a suggestion. */
function firstLines(message: string): string {
  return message.replace(/\n*See more help with --help\s*$/, '')
}

function formatFailure({document}: Failure, paint: Paint): string {
  const {message, cause, faults, suggestions} = document
  const lines = [
    `${paint('red', 'Error:')} ${message}`,
    ...(cause === undefined ? [] : [`  caused by: ${cause}`]),
    ...faults.map(fault => `  ${formatFault(fault)}`),
    ...suggestions.map(suggestion => `${paint('bold', 'Try:')} ${suggestion}`),
  ]
  return lines.map(line => `${line}\n`).join('')
}

function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) =>
      word === '-ojson' ||
      word === '--output=json' ||
      word === '-o=json' ||
      (word === 'json' && /^(?:-o|--output)$/.test(argv[index - 1] ?? '')),
  )
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${stackOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}
