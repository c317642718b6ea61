import {existsSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {CrossplaneError, type ErrorCode} from '../../errors.js'
import {withoutCredentials} from '../../without-credentials.js'
import {escaped, quoted, shellWord} from '../../text.js'

/** Returns all that git printed when it failed, without traces. */
function outputOf(error: unknown): string {
  if (error instanceof CrossplaneError && error.cause !== undefined) return outputOf(error.cause)
  return withoutTraces(error instanceof Error ? error.message : String(error))
}

/** A line of GIT_TRACE or GIT_TRACE2, also as JSON. */
const TRACE = /^(?:\d\d:\d\d:\d\d\.\d+ |\{"event":)/

/** Removes the lines of traces; arguments in quotes, such as the message of a commit, can have several. */
function withoutTraces(output: string): string {
  let isQuoted = false
  const others = output.split('\n').filter(line => {
    if (!isQuoted && !TRACE.test(line)) return true
    if (!line.startsWith('{') && hasOddQuotes(line)) isQuoted = !isQuoted
    return false
  })
  return others.join('\n')
}

/** Git quotes arguments for a shell. */
function hasOddQuotes(line: string): boolean {
  return line.replaceAll("\\'", '').split("'").length % 2 === 0
}

const SILENT = 'it failed without a message'
const SILENT_AS: Readonly<Record<string, string>> = {commit: ', for example for a hook that exits with 1'}

/** A line of git that says why it failed. */
const ERROR = /^(?:fatal|error):/m

/** Lines that git prints and goes on. */
const PASSING = /^(?:warning|hint):/

/** Reports whether git printed an error, and not only warnings or traces. */
export function hasErrorLine(output: string): boolean {
  return ERROR.test(output)
}

/** Lines with which git ends after the reason: that of ssh, or of the server that it pushed to. */
const CONCLUDING =
  /^(?:fatal: Could not read from remote repository|fatal: the remote end hung up|error: failed to push some refs)/i

/** Why a server did not take a reference, in the lines of `git push --porcelain` and without it. */
const UNTAKEN = /^!\s.*\[(?:remote )?rejected\] (?:.* )?\((.+)\)$/

/** A line that a server or its hook printed, other than an underline or a blank one. */
const OF_SERVER = /^remote: *(.*\w.*)$/

/** Returns the reason without credentials: that of a server which rejects a push, or the line that says why. */
function reasonIn(output: string, action: string): string {
  const lines = withoutCredentials(output)
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
  const reason = untakenIn(lines) ?? lineOf(lines, action)
  return reason === undefined ? `${SILENT}${SILENT_AS[action] ?? ''}` : escaped(reason.slice(0, 300))
}

function untakenIn(lines: readonly string[]): string | undefined {
  const [reason] = lines.flatMap(line => UNTAKEN.exec(line)?.[1] ?? [])
  if (reason === undefined) return undefined
  const [said] = lines.flatMap(line => OF_SERVER.exec(line)?.[1] ?? [])
  return said === undefined ? reason : `${reason}: ${said}`
}

/** Of the output of a commit without an error of git, the first line is that of a hook. */
function lineOf(lines: readonly string[], action: string): string | undefined {
  const errors = lines.filter(line => ERROR.test(line))
  const others = lines.filter(line => !ERROR.test(line) && !PASSING.test(line))
  const isConcluded = errors[0] !== undefined && CONCLUDING.test(errors[0])
  const [line] = isConcluded ? [...others, ...errors] : [...errors, ...others, ...lines]
  const isOfHook = action === 'commit' && errors.length === 0 && others.length > 0
  return isOfHook ? `a hook failed: ${line}` : line?.replace(/^(?:fatal|error): /, '')
}

/** Without a folder after it, which a broken link to a repository has. */
const NO_REPOSITORY = /^fatal: not a git repository \(or any/m

/** Git names the folder that it compares with safe.directory, which is not the one that it was started in. */
const FOREIGN = /dubious ownership in repository at '(.+)'|unsafe repository \('(.+)' is owned by/

function foreignIn(text: string): string | undefined {
  const [, current, older] = FOREIGN.exec(text) ?? []
  return current ?? older
}

function trusting(repository: string): string {
  return `git config --global --add safe.directory ${shellWord(repository)}`
}

/** The error of Node for a program that is not on PATH. */
const NOT_INSTALLED = /\bspawn \S*git\S* ENOENT\b/

/** What the messages of git for known situations match, and the next step in each. */
const REFUSALS: readonly {
  readonly pattern: RegExp
  readonly code: ErrorCode
  readonly cause: string
  readonly next: (folder: string, text: string) => string
}[] = [
  {
    pattern: FOREIGN,
    code: 'git-refused',
    cause: 'the repository belongs to another user',
    next: (folder, text) => trusting(foreignIn(text) ?? folder),
  },
  {
    pattern: /must be run in a work tree/,
    code: 'git-failed',
    cause: 'it is a bare repository',
    next: () => 'Pass --git with a folder of a clone that has a working tree.',
  },
  {
    pattern: NO_REPOSITORY,
    code: 'git-failed',
    cause: 'it is not in a Git repository',
    next: folder => `git init ${shellWord(folder)}`,
  },
]

/**
 * Reports whether git failed because a folder is not in a repository; without git, whether no folder above it looks like one. A
 * repository that git cannot open is none of these.
 */
export function isOutsideOfRepository(folder: string, error: unknown): boolean {
  const output = outputOf(error)
  return NO_REPOSITORY.test(output) || (NOT_INSTALLED.test(output) && !isBelowRepository(resolve(folder)))
}

function isBelowRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  return dirname(folder) !== folder && isBelowRepository(dirname(folder))
}

/** The error for a folder that git does not open; `action` is such as `open DIR`. */
export function cannotOpen(folder: string, error: unknown): CrossplaneError {
  const text = outputOf(error)
  if (NOT_INSTALLED.test(text)) return notInstalled()
  const refusal = REFUSALS.find(({pattern}) => pattern.test(text))
  if (refusal === undefined) return gitFailed(`open the repository ${folder}`, error)
  return new CrossplaneError(refusal.code, `cannot open the repository ${folder}: ${refusal.cause}`, {
    suggestions: [refusal.next(folder, text)],
  })
}

/** What git prints for the lock of another git; a git that was killed leaves it. */
const LOCKED = /Unable to create '([^']+\.lock)': File exists/

function lockedBy(lock: string, action: string, cause: Error): CrossplaneError {
  const message = `cannot ${action}: ${escaped(lock)} exists: another Git process is running in the repository, or was killed`
  return new CrossplaneError('git-failed', message, {
    cause,
    suggestions: [`If no git runs there: rm ${shellWord(lock)}`],
  })
}

/** What git prints where it knows no author; it repeats itself, with advice of several lines. */
const NO_AUTHOR = /unable to auto-detect email address|empty ident name|no email was given and auto-detection/

function withoutAuthor(action: string): CrossplaneError {
  return new CrossplaneError(
    'git-failed',
    `cannot ${action}: git has no name and email address of an author`,
    {
      suggestions: ['git config --global user.name NAME && git config --global user.email ADDRESS'],
    },
  )
}

/** The error for a git command that failed. Its whole output is the cause, but for an author that is missing. */
export function gitFailed(
  action: string,
  error: unknown,
  suggestions: readonly string[] = [],
): CrossplaneError {
  const output = outputOf(error)
  const cause = new Error(withoutCredentials(output).trim())
  const [, lock] = LOCKED.exec(output) ?? []
  if (lock !== undefined) return lockedBy(lock, action, cause)
  if (NO_AUTHOR.test(output)) return withoutAuthor(action)
  const foreign = foreignIn(output)
  const code = foreign === undefined ? 'git-failed' : 'git-refused'
  return new CrossplaneError(code, `cannot ${action}: ${reasonIn(output, action)}`, {
    cause,
    suggestions: suggestions.length > 0 || foreign === undefined ? suggestions : [trusting(foreign)],
  })
}

function notInstalled(): CrossplaneError {
  return new CrossplaneError('git-failed', 'cannot run git: it is not installed', {
    suggestions: ['Install git 2.34 or later, and add it to PATH.'],
  })
}

/** The error for a branch that was to be read. @param list - the command that lists the branches. */
export function withoutBranch(branch: string, repository: string, list: string): CrossplaneError {
  return new CrossplaneError(
    'not-found',
    `cannot read the branch ${quoted(branch)} of ${repository}: not found`,
    {
      suggestions: [`Pass --branch with a branch that exists: ${list}`],
    },
  )
}
