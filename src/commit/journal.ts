import {CrossplaneError} from '../errors.js'
import type {Sha256} from '../plan/folder-snapshot.js'
import {BOOKKEEPING, isOutputPath, OWNED_FILES} from '../plan/owned-files.js'
import {isJsonArray, isJsonObject, type JsonValue} from '../yaml/json-value.js'

/** Names what a write that has begun does: while it is there, the folder may be half old and half new. */
export const JOURNAL = `${BOOKKEEPING}/journal`

/** Holds the new contents until they are moved into place. */
export const STAGING = `${BOOKKEEPING}/staging`

/** What happens to one file: it had the hash `before` or was absent, and gets the hash `after` or is deleted. */
export interface FileChange {
  readonly path: string
  readonly before?: Sha256
  readonly after?: Sha256
}

/** A change with its place in the journal; the new content waits at `staged`. */
export interface JournalStep extends FileChange {
  readonly staged: string
}

const FORMAT = 'kubectl-crossplane journal v1'

/** Gives each change its place, by its number. */
export function journalSteps(changes: readonly FileChange[]): readonly JournalStep[] {
  return changes.map(({path, before, after}, index) => ({
    path,
    before,
    after,
    staged: `${STAGING}/${index}`,
  }))
}

/** The text of a journal; contents are not in it. */
export function formatJournal(steps: readonly JournalStep[]): string {
  const changes = steps.map(({path, before, after}) => ({path, before, after}))
  return `${JSON.stringify({format: FORMAT, changes}, undefined, 1)}\n`
}

/** Throws `output-refused` for what is no journal, or one that speaks of files that cannot be ours. */
export function parseJournal(text: string): readonly JournalStep[] {
  const journal = parseJson(text)
  if (!isJsonObject(journal) || journal.format !== FORMAT || !isJsonArray(journal.changes)) throw unreadable()
  return journalSteps(journal.changes.map(changeFrom))
}

function changeFrom(value: JsonValue): FileChange {
  if (!isJsonObject(value)) throw unreadable()
  const {path, before, after} = value
  if (!isOurs(path) || !isHashOrAbsent(before) || !isHashOrAbsent(after)) throw unreadable()
  if (before === undefined && after === undefined) throw unreadable()
  return {path, before, after}
}

function isOurs(path: JsonValue | undefined): path is string {
  return typeof path === 'string' && (path === OWNED_FILES || isOutputPath(path))
}

function isHashOrAbsent(value: JsonValue | undefined): value is Sha256 | undefined {
  return value === undefined || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value))
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (cause) {
    throw unreadable(cause)
  }
}

function unreadable(cause?: unknown): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `Cannot read ${JOURNAL}, the record of an interrupted write.`,
    {
      cause,
      suggestions: [`Restore the folder from Git, delete its ${JOURNAL}, then run again.`],
    },
  )
}
