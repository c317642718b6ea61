import {CrossplaneError} from '../../errors.js'
import {withoutCredentials} from '../../without-credentials.js'
import {escaped, quoted, shellWord} from '../../text.js'

/** Returns all that git printed when it failed. */
function outputOf(error: unknown): string {
  if (error instanceof CrossplaneError && error.cause !== undefined) return outputOf(error.cause)
  return error instanceof Error ? error.message : String(error)
}

const SILENT = 'it failed without a message'
const SILENT_AS: Readonly<Record<string, string>> = {commit: ', for example for a hook that exits with 1'}

/** Returns the line that says why, without credentials. */
function reasonIn(output: string, action: string): string {
  const lines = withoutCredentials(output)
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
  const line = lines.find(text => /^(?:fatal|error):/.test(text)) ?? lines[0]
  return line === undefined ? `${SILENT}${SILENT_AS[action] ?? ''}` : escaped(line.slice(0, 300))
}

/** What the messages of git for known situations match, and the next step in each. */
const REFUSALS: readonly {
  readonly pattern: RegExp
  readonly cause: string
  readonly next: (folder: string) => string
}[] = [
  {
    pattern: /dubious ownership/,
    cause: 'the repository belongs to another user',
    next: folder => `git config --global --add safe.directory ${shellWord(folder)}`,
  },
  {
    pattern: /must be run in a work tree/,
    cause: 'it is a bare repository',
    next: () => 'Pass --git with a folder of a clone that has a working tree.',
  },
  {
    pattern: /not a git repository/,
    cause: 'it is not in a Git repository',
    next: folder => `git init ${shellWord(folder)}`,
  },
]

/** Reports whether git failed because a folder is not in a repository, or because git is not installed. */
export function hasNoRepository(error: unknown): boolean {
  return /not a git repository|\bENOENT\b/.test(outputOf(error))
}

/** The error for a folder that git does not open; `action` is such as `open DIR`. */
export function cannotOpen(folder: string, error: unknown): CrossplaneError {
  const text = outputOf(error)
  if (/\bENOENT\b/.test(text)) return notInstalled()
  const refusal = REFUSALS.find(({pattern}) => pattern.test(text))
  if (refusal === undefined) return gitFailed(`open the repository ${folder}`, error)
  return new CrossplaneError('git-refused', `cannot open the repository ${folder}: ${refusal.cause}`, {
    suggestions: [refusal.next(folder)],
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

/** The error for a git command that failed; its whole output is the cause. */
export function gitFailed(
  action: string,
  error: unknown,
  suggestions: readonly string[] = [],
): CrossplaneError {
  const output = outputOf(error)
  const cause = new Error(withoutCredentials(output).trim())
  const [, lock] = LOCKED.exec(output) ?? []
  if (lock !== undefined) return lockedBy(lock, action, cause)
  return new CrossplaneError('git-failed', `cannot ${action}: ${reasonIn(output, action)}`, {
    cause,
    suggestions,
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
