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

/** The folder of further lists, one for each install, so that a change of one install changes no list of others. */
export const INSTALL_LISTS = `${BOOKKEEPING}/installs`
const LIST_ENDING = '.sha256'

/**
 * The file with what a tree was rendered with, which belongs in Git together with it. kubectl, Flux and Argo CD ignore files
 * with its extension, too.
 */
export const TREE_SETTINGS = `${BOOKKEEPING}/tree.settings`

/** The file with what a catalog was built of, by which the next build leaves out what stays the same. */
export const CATALOG_STATE = `${BOOKKEEPING}/catalog.jsonl`

/** Throws `output-refused` for a folder whose managed files are those of a site: writing others would delete it. */
export function expectNoSite(owned: readonly string[], folder: string): void {
  if (!owned.includes('index.html') || !owned.includes('site.css')) return
  throw new CrossplaneError('output-refused', `cannot write to ${folder}: it has the files of a catalog`, {
    suggestions: ['Choose another folder with --output-dir DIR.'],
  })
}

/** Reports whether a path is that of a file about the others: a list of them, or what they were made of. */
export function isBookkeepingPath(path: string): boolean {
  return path === TREE_SETTINGS || path === CATALOG_STATE || isListPath(path)
}

/** Returns the path of the list of an install. */
export function installList(install: string): string {
  return `${INSTALL_LISTS}/${install}${LIST_ENDING}`
}

/** Reports whether a path is that of a list of managed files. */
export function isListPath(path: string): boolean {
  if (path === OWNED_FILES) return true
  const prefix = `${INSTALL_LISTS}/`
  const isBelow = path.startsWith(prefix) && path.endsWith(LIST_ENDING)
  return isBelow && LIST_NAME.test(path.slice(prefix.length))
}

/** The file by which Git leaves the bytes of a tree as they are, whatever `core.autocrlf` says. */
export const GIT_ATTRIBUTES = '.gitattributes'
export const GIT_ATTRIBUTES_TEXT = '* -text\n'

const FORMAT_LINE = '# kubectl-crossplane files v1'
const LINE = /^([0-9a-f]{64}) {2}(\S+)$/
const SEGMENT = /^[a-z0-9][a-z0-9._-]{0,199}$/
/** That of a CRD without an install has a prefix and an ending. */
const LIST_NAME = /^[a-z0-9][a-z0-9.-]{0,229}$/
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
export function parseOwnedFiles(text: string | undefined, folder: string, list = OWNED_FILES): OwnedFiles {
  if (text === undefined) return new Map()
  const [format, ...lines] = text.replaceAll('\r\n', '\n').trimEnd().split('\n')
  if (format !== FORMAT_LINE) throw unreadable(`${folder}/${list}`, `it does not begin with "${FORMAT_LINE}"`)
  const owned = new Map<string, readonly Sha256[]>()
  for (const [index, line] of lines.entries()) {
    if (CONFLICT_MARKER.test(line)) continue
    const [path, sha256] = parseLine(line, index + 2, `${folder}/${list}`)
    const before = owned.get(path) ?? []
    if (!before.includes(sha256)) owned.set(path, [...before, sha256])
  }
  return owned
}

/** Returns the managed files of all lists, by their texts: a file can be in several. */
export function joinOwnedFiles(lists: Iterable<OwnedFiles>): OwnedFiles {
  const owned = new Map<string, readonly Sha256[]>()
  for (const list of lists) {
    for (const [path, hashes] of list) owned.set(path, [...new Set([...(owned.get(path) ?? []), ...hashes])])
  }
  return owned
}

/** Reads all lists of a folder, by their paths. Throws as `parseOwnedFiles` does. */
export function parseLists(
  texts: ReadonlyMap<string, string>,
  folder: string,
): ReadonlyMap<string, OwnedFiles> {
  return new Map([...texts].map(([path, text]) => [path, parseOwnedFiles(text, folder, path)]))
}

/** A managed file, and the installs in whose lists it is; without any, it is in the list of the folder. */
export interface ListedFile {
  readonly path: string
  readonly sha256: Sha256
  readonly installs?: readonly string[]
}

/**
 * The texts of the lists of these files by their paths. There always is the one of the folder. The settings are in none: their
 * file has its own hash, so that releases without settings can read the lists.
 */
export function formatLists(files: readonly ListedFile[]): ReadonlyMap<string, string> {
  const lists = new Map<string, Map<string, Sha256>>([[OWNED_FILES, new Map()]])
  for (const {path, sha256, installs = []} of files) {
    if (path === TREE_SETTINGS) continue
    const names = installs.length === 0 ? [OWNED_FILES] : installs.map(installList)
    for (const name of names)
      lists.set(name, (lists.get(name) ?? new Map<string, Sha256>()).set(path, sha256))
  }
  return new Map([...lists].map(([name, owned]) => [name, formatOwnedFiles(owned)]))
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

function parseLine(line: string, number: number, file: string): readonly [string, Sha256] {
  const [, sha256, path] = LINE.exec(line) ?? []
  if (sha256 === undefined || path === undefined || !isOutputPath(path)) {
    throw unreadable(file, `line ${number} is not a hash and a path`)
  }
  return [path, sha256]
}

function byPath(a: string, b: string): number {
  return a.slice(64) < b.slice(64) ? -1 : 1
}

function unreadable(file: string, detail: string): CrossplaneError {
  const at = file.indexOf(`/${BOOKKEEPING}/`)
  return new CrossplaneError('output-refused', `cannot read ${file}, the list of managed files`, {
    cause: new Error(detail),
    suggestions: [`git -C ${shellWord(file.slice(0, at))} restore -- ${file.slice(at + 1)}`],
  })
}
