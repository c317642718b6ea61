import {CrossplaneError} from '../../errors.js'
import {shellWord} from '../../text.js'
import type {Sha256} from '../sha256.js'
import type {OwnedFiles} from './folder-snapshot.js'

/** The folder, in an output folder, with this program's own files. */
export const BOOKKEEPING = '.kubectl-crossplane'

/**
 * The list of the managed files of a folder and their hashes, which belongs in Git together with them. Its lines are
 * those of `sha256sum`, one per file, sorted, so that it is easy to review. kubectl, Flux and Argo CD ignore files with
 * its extension.
 */
export const OWNED_FILES = `${BOOKKEEPING}/files.sha256`

/** The file by which Git leaves the bytes of a tree as they are, whatever `core.autocrlf` says. */
export const GIT_ATTRIBUTES = '.gitattributes'

const FORMAT_LINE = '# kubectl-crossplane files v1'
const LINE = /^([0-9a-f]{64}) {2}(\S+)$/
const SEGMENT = /^[a-z0-9][a-z0-9.-]{0,199}$/
const MAX_PATH_LENGTH = 1000

/** The conflict markers of Git around both sides, and around their base. */
const CONFLICT_MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$/

/** The text of the list. */
export function formatOwnedFiles(owned: ReadonlyMap<string, Sha256>): string {
  const lines = [...owned].map(([path, sha256]) => `${sha256}  ${path}`)
  return [FORMAT_LINE, ...lines.sort(byPath), ''].join('\n')
}

/**
 * Reads the list; a folder without one has no managed files. A list that Git merged, with or without conflict
 * markers, contains the lines of both sides. Throws `output-refused` for any other text; `folder` is its name in the
 * message.
 */
export function parseOwnedFiles(text: string | undefined, folder: string): OwnedFiles {
  if (text === undefined) return new Map()
  const [format, ...lines] = text.replaceAll('\r\n', '\n').trimEnd().split('\n')
  if (format !== FORMAT_LINE) throw unreadable(folder, `it does not begin with "${FORMAT_LINE}"`)
  const owned = new Map<string, readonly Sha256[]>()
  for (const [index, line] of lines.entries()) {
    if (CONFLICT_MARKER.test(line)) continue
    const [path, sha256] = parseLine(line, index + 2, folder)
    const before = owned.get(path) ?? []
    if (!before.includes(sha256)) owned.set(path, [...before, sha256])
  }
  return owned
}

/** Reports whether text has both sides of a conflict that Git could not merge. */
export function hasConflictMarkers(text: string): boolean {
  return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text)
}

/**
 * Reports whether a path can be a managed file. Paths in a folder or a saved plan are checked before they are used.
 */
export function isOutputPath(path: string): boolean {
  if (path === GIT_ATTRIBUTES) return true
  return path.length <= MAX_PATH_LENGTH && path.split('/').every(segment => SEGMENT.test(segment))
}

function parseLine(line: string, number: number, folder: string): readonly [string, Sha256] {
  const [, sha256, path] = LINE.exec(line) ?? []
  if (sha256 === undefined || path === undefined || !isOutputPath(path)) {
    throw unreadable(folder, `line ${number} is not a hash and a path`)
  }
  return [path, sha256]
}

function byPath(a: string, b: string): number {
  return a.slice(64) < b.slice(64) ? -1 : 1
}

function unreadable(folder: string, detail: string): CrossplaneError {
  const file = `${folder}/${OWNED_FILES}`
  return new CrossplaneError('output-refused', `cannot read ${file}, the list of managed files`, {
    cause: new Error(detail),
    suggestions: [`git -C ${shellWord(folder)} restore -- ${OWNED_FILES}`],
  })
}
