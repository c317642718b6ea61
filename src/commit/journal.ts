import {CrossplaneError} from '../errors.js'
import type {Sha256} from '../plan/sha256.js'
import {BOOKKEEPING, isBookkeepingPath, isOutputPath} from '../plan/folder/owned-files.js'
import {shellWord} from '../text.js'
import {isJsonArray, isJsonObject, type JsonValue} from '../yaml/json-value.js'
import {parsedJson} from '../yaml/parsed-json.js'

/** Lists the changes of a write that has begun: while it exists, the folder may be half old and half new. */
export const JOURNAL = `${BOOKKEEPING}/journal`

/** Holds the new contents until they are moved into place. */
export const STAGING = `${BOOKKEEPING}/staging`

/** The change of one file: it had the hash `before` or was absent, and gets the hash `after` or is deleted. */
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

/** Numbers the changes. */
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

/** Throws `output-refused` for text that is not a journal, or that names paths which cannot be managed files. */
export function parseJournal(text: string, folder: string): readonly JournalStep[] {
  const journal = parsedJson(text)
  if (!isJsonObject(journal) || journal.format !== FORMAT || !isJsonArray(journal.changes)) {
    throw unreadable(folder)
  }
  return journalSteps(
    journal.changes.map(value => {
      const change = changeFrom(value)
      if (change === undefined) throw unreadable(folder)
      return change
    }),
  )
}

function changeFrom(value: JsonValue): FileChange | undefined {
  if (!isJsonObject(value)) return undefined
  const {path, before, after} = value
  if (!isManaged(path) || !isHashOrAbsent(before) || !isHashOrAbsent(after)) return undefined
  return before === undefined && after === undefined ? undefined : {path, before, after}
}

function isManaged(path: JsonValue | undefined): path is string {
  return typeof path === 'string' && (isBookkeepingPath(path) || isOutputPath(path))
}

function isHashOrAbsent(value: JsonValue | undefined): value is Sha256 | undefined {
  return value === undefined || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value))
}

function unreadable(folder: string): CrossplaneError {
  const journal = `${folder}/${JOURNAL}`
  return new CrossplaneError(
    'output-refused',
    `cannot read ${journal}, the journal of an interrupted write`,
    {suggestions: [`rm ${shellWord(journal)} && git -C ${shellWord(folder)} restore -- .`]},
  )
}
