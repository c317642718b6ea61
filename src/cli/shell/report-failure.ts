import {isNativeError} from 'node:util/types'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {formatDiagnostic} from './text/format-diagnostic.js'
import {formatJson, formatObjects, show} from './document/show.js'
import {EXIT_CODES, failureStatus, USAGE} from './exit-code.js'
import {annotationOf, formatAnnotations} from './ci/github-annotation.js'
import {onCluster} from './document/on-cluster.js'
import {type Paint, painter} from './text/paint.js'
import {plainLine, plainText, suggestionText} from './text/plain-text.js'
import {fileOfFolder, repositoryFile} from './ci/repository-file.js'
import {selectsJson, selectsOutput} from './flags/selects-json.js'
import {helpCommand, type KnownCommands, NO_COMMANDS} from './known-commands.js'
import {namedVariables, suggestedVariables} from './named-variables.js'
import {systemReason, unsaidCause} from './unsaid-cause.js'
import {usageFailure} from './usage-failure.js'
import {mkdtempSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {inspect} from 'node:util'

/** Reports an error on stderr, as text or (`-o json`) as JSON, and returns the exit status. */
export async function reportFailure(
  error: unknown,
  argv: readonly string[],
  commands?: KnownCommands,
): Promise<number> {
  const silent = silentStatus(error)
  if (silent !== undefined) return silent
  const failure = knownFailure(error, argv, commands) ?? bug(error)
  const status = print(failure, error, argv, commands)
  await showPermissions(error, argv)
  return status
}

/** Prints the objects that give the user missing permissions, so that they can be piped to `kubectl apply`. */
async function showPermissions(error: unknown, argv: readonly string[]): Promise<void> {
  if (!(error instanceof CrossplaneError) || error.code !== 'cluster-denied') return
  const {permissionObjects} = await import('../../pipeline/cluster/missing-permissions.js')
  const objects = permissionObjects(error)
  if (objects === undefined) return
  await show(formatObjects(objects, selectsJson(argv) ? 'json' : 'yaml'))
}

/** The same, at once, where the process cannot wait for a log file. */
export function reportAtOnce(
  error: CrossplaneError,
  argv: readonly string[],
  commands?: KnownCommands,
): number {
  return print(codedFailure(error, argv), error, argv, commands)
}

function print(failure: Failure, error: unknown, argv: readonly string[], commands?: KnownCommands): number {
  const text = selectsJson(argv)
    ? formatJson({kind: 'Error', ...failure.document})
    : formatFailure(failure, painter(argv))
  process.stderr.write(text)
  if (selectsOutput(argv, 'github')) process.stderr.write(failureAnnotations(failure))
  if (argv.includes('--debug') && error instanceof Error)
    process.stderr.write(`${stackOf(error).split('\n').map(plainLine).join('\n')}\n`)
  if (error instanceof CrossplaneError && error.isAnswer === true) return failure.status
  return failureStatus(failure.status, argv, commands?.checks)
}

/**
 * GitHub reads commands from standard error, too. Errors of inputs and of packages in folders name files of the repository.
 * Rejected paths are annotated with the plan.
 */
function failureAnnotations({packageFolder, document: {code, message, faults}}: Failure): string {
  const fileOf = (file: string) => {
    if (packageFolder !== undefined) return fileOfFolder(packageFolder, file)
    return code === 'input-invalid' ? repositoryFile(file) : undefined
  }
  const diagnostics = code === 'output-refused' ? [] : faults
  return formatAnnotations([
    {level: 'error', message},
    ...diagnostics.map(fault => annotationOf(fault, fileOf)),
  ])
}

interface Failure {
  readonly status: number
  readonly packageFolder?: string
  readonly document: {
    readonly code: string
    readonly message: string
    readonly cause?: string
    readonly faults: readonly Diagnostic[]
    readonly suggestions: readonly string[]
  }
}

/** oclif leaves with an error of its own when a command exits; there is nothing else to report. */
function silentStatus(error: unknown): number | undefined {
  const {code, oclif} = error as {code?: unknown; oclif?: {exit?: number}}
  return code === 'EEXIT' ? (oclif?.exit ?? 0) : undefined
}

function knownFailure(
  error: unknown,
  argv: readonly string[],
  commands?: KnownCommands,
): Failure | undefined {
  if (error instanceof CrossplaneError) return codedFailure(error, argv, commands)
  if (!(error instanceof Error)) return undefined
  if (!isUsageError(error)) return deniedPath(error)
  return {status: USAGE, document: {code: 'usage', faults: [], ...usageFailure(error, argv, commands)}}
}

function codedFailure(
  {code, message: text, diagnostics, cause, packageFolder, ...error}: CrossplaneError,
  argv: readonly string[],
  commands?: KnownCommands,
): Failure {
  const command = [argv, commands ?? NO_COMMANDS, process.env] as const
  const message = namedVariables(unwrapped(text), ...command)
  const needsHelp = error.suggestions.length === 0 && code === 'usage'
  const suggestions = needsHelp ? [helpCommand(argv, commands)] : error.suggestions
  const detail = isNativeError(cause) && cause.message !== '' ? {cause: cause.message} : {}
  const placed = (texts: readonly string[]) =>
    texts.map(suggestion => onCluster(suggestedVariables(suggestion, ...command), argv))
  const faults = diagnostics.map(({suggestions: own, ...diagnostic}) => ({
    ...diagnostic,
    message: namedVariables(diagnostic.message, ...command),
    ...(own === undefined ? {} : {suggestions: placed(own)}),
  }))
  return {
    status: EXIT_CODES[code],
    packageFolder,
    document: {code, message, faults, suggestions: placed(suggestions), ...detail},
  }
}

/** oclif writes its own words around the message of an error that parsing a flag's value throws. */
function unwrapped(message: string): string {
  return /^Parsing --[\w-]+ \n\t(.*)\nSee more help with --help$/s.exec(message)?.[1] ?? message
}

/** What a system does not let the user do at a path, or no path can be: no fault of the program, wherever it was tried. */
const DENIED = ['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']
/** Calls that change nothing; `open` can be either. */
const READING = ['access', 'lstat', 'opendir', 'read', 'readlink', 'realpath', 'scandir', 'stat']

function deniedPath({message: text, ...error}: NodeJS.ErrnoException): Failure | undefined {
  const {code = '', syscall = '', path} = error
  const reason = systemReason(text)
  if (!DENIED.includes(code) || path === undefined || reason === undefined) return undefined
  const action = READING.includes(syscall) ? 'read' : syscall === 'open' ? 'open' : 'change'
  const document = {message: `cannot ${action} ${path}: ${reason}`, faults: [], suggestions: []}
  return {status: EXIT_CODES['read-failed'], document: {code: 'read-failed', ...document}}
}

function bug(error: unknown): Failure {
  const log = writeBugReport(error)
  const details = log === undefined ? 'with --debug its details are shown' : `the details are in ${log}`
  const report = `Please report it with ${log === undefined ? 'what --debug shows' : 'that file'}.`
  const message = `this is a bug in kubectl-crossplane: ${details}`
  return {status: 1, document: {code: 'internal', message, faults: [], suggestions: [report]}}
}

/** oclif exits with 2 for arguments and flags, and with 127 for an unknown command. */
function isUsageError(error: Error & {readonly oclif?: {readonly exit?: number}}): boolean {
  return error.oclif?.exit === 2 || error.oclif?.exit === 127
}

function formatFailure({document}: Failure, paint: Paint): string {
  const {message, cause, faults, suggestions} = document
  const only = onlyFault(message, faults)
  const unsaid = unsaidCause(message, cause)
  const lines = [
    `${paint('red', 'Error:')} ${only ?? plainText(message)}`,
    ...(unsaid === undefined ? [] : [`  caused by: ${plainText(unsaid)}`]),
    ...(only === undefined ? faults.map(diagnostic => `  ${formatDiagnostic(diagnostic)}`) : []),
    ...[...new Set([...suggestions, ...faults.flatMap(diagnostic => diagnostic.suggestions ?? [])])].map(
      suggestion => `${paint('bold', 'Try:')} ${suggestionText(suggestion)}`,
    ),
  ]
  return lines.map(line => `${line}\n`).join('')
}

/** Returns the message with the line and the rule of the only diagnostic, if the message has all else that it states. */
function onlyFault(message: string, [only, ...others]: readonly Diagnostic[]): string | undefined {
  if (only === undefined || others.length > 0) return undefined
  const {file = '', line, message: fact, rule} = only
  const end = `${file}: ${fact}`
  if (!message.endsWith(end)) return undefined
  const place = file === '' || line === undefined ? file : `${file}:${line}`
  return plainText(`${message.slice(0, -end.length)}${place}: ${fact} [${rule}]`)
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${stackOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}

/**
 * Writes an unexpected error, with its stack, to a new file that only its owner reads; returns the file's path, or undefined
 * if it cannot be written.
 */
function writeBugReport(error: unknown): string | undefined {
  const {platform, arch, version} = process
  const report = `node ${version} ${platform}-${arch}\n${inspect(error, {depth: 5})}\n`
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'kubectl-crossplane-')), 'bug.log')
    writeFileSync(file, report, {mode: 0o600})
    return file
  } catch {
    return undefined
  }
}
