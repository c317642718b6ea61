import {contentHash, sha256Of, type Sha256} from '../sha256.js'
import {byPath, type OutputFile} from './file-tree.js'
import type {FolderEntries, FolderEntry, OwnedFiles} from './folder-snapshot.js'
import {formatLists, formatOwnedFiles, isListPath, TREE_SETTINGS} from './owned-files.js'

/** How a path of an output folder differs from what it should be. */
type DriftKind =
  | 'edited'
  | 'outdated' // as it was written, and the install set now has different content
  | 'missing'
  | 'extra'
  | 'unfinished'

/** A path of an output folder that differs. */
export interface PathDrift {
  readonly path: string
  readonly change: DriftKind
  readonly reason: string
  /** The content that it should have, if it is known. */
  readonly content?: string
}

/** The differences of an output folder, by path, and the number of files without any. */
export interface FolderDrift {
  readonly paths: readonly PathDrift[]
  readonly unchanged: number
}

/** All that an output folder contains. */
export interface FolderContent {
  readonly entries: FolderEntries
  readonly owned: OwnedFiles
  /** The files in each list of managed files, by its path. */
  readonly lists: ReadonlyMap<string, OwnedFiles>
}

interface ExpectedFile {
  readonly sha256: readonly Sha256[]
  readonly content?: string
}

/**
 * Compares a folder with the files of an install set. Every other file is extra, except below a hidden folder and for
 * paths that `isOther` selects.
 */
export function driftOfFiles(
  files: readonly OutputFile[],
  content: FolderContent,
  isOther: (path: string) => boolean,
): FolderDrift {
  const settings = files.find(({path}) => path === TREE_SETTINGS)
  const hashed = files
    .filter(file => file !== settings)
    .map(file => [file.path, contentHash(file), file.content] as const)
  const lists = formatLists(files.map(file => ({...file, sha256: contentHash(file)})))
  const expected = [...hashed, ...[...lists].map(([path, text]) => [path, sha256Of(text), text] as const)]
  const {paths, unchanged} = drift(
    new Map(expected.map(([path, sha256, text]) => [path, {sha256: [sha256], content: text}])),
    {...content, owned: withLists(content)},
    isOther,
  )
  return {paths: [...settingsDrift(settings, content), ...paths].sort(byPath), unchanged}
}

/** A tree of an earlier release has no settings; those that were modified by hand cannot be read at all. */
function settingsDrift(file: OutputFile | undefined, {entries}: FolderContent): readonly PathDrift[] {
  const entry = entries.get(TREE_SETTINGS)
  if (file === undefined || entry === undefined) return []
  const asWritten = new Map(entry.kind === 'file' ? [[TREE_SETTINGS, [entry.sha256]]] : [])
  return driftOf(file.path, {sha256: [contentHash(file)], content: file.content}, entry, asWritten)
}

/** Adds the lists themselves: one is as this program wrote it if writing what it lists gives the same bytes. */
function withLists({owned, lists}: FolderContent): OwnedFiles {
  const hashOf = (list: OwnedFiles) => {
    const single = [...list].flatMap(([path, [sha256]]) =>
      sha256 === undefined ? [] : [[path, sha256] as const],
    )
    return sha256Of(formatOwnedFiles(new Map(single)))
  }
  return new Map([...owned, ...[...lists].map(([path, list]) => [path, [hashOf(list)]] as const)])
}

/** Compares a folder with its list of managed files. After a merge by Git, a file can have the hash of either side. */
export function driftOfHashes(content: FolderContent, isOther: (path: string) => boolean): FolderDrift {
  const expected = new Map<string, ExpectedFile>([...content.owned].map(([path, sha256]) => [path, {sha256}]))
  return drift(expected, content, path => isListPath(path) || isOther(path))
}

function drift(
  expected: ReadonlyMap<string, ExpectedFile>,
  {entries, owned}: FolderContent,
  isOther: (path: string) => boolean,
): FolderDrift {
  const differing = [...expected].flatMap(([path, file]) => driftOf(path, file, entries.get(path), owned))
  const isExtra = (path: string) => !expected.has(path) && !isHidden(path) && !isOther(path)
  const extra = [...entries.keys()].filter(isExtra).map(path => extraAt(path, owned))
  return {
    paths: [...differing, ...extra].sort(byPath),
    unchanged: expected.size - differing.length,
  }
}

function driftOf(
  path: string,
  {sha256, content}: ExpectedFile,
  entry: FolderEntry | undefined,
  owned: OwnedFiles,
): readonly PathDrift[] {
  if (entry === undefined) return [{path, change: 'missing', reason: 'the file does not exist', content}]
  if (entry.kind !== 'file') {
    return [{path, change: 'edited', reason: 'a link, a folder or a device is in place of the file', content}]
  }
  if (sha256.includes(entry.sha256)) return []
  const isAsWritten = (owned.get(path) ?? []).includes(entry.sha256)
  return isAsWritten
    ? [{path, change: 'outdated', reason: 'the install set now has different content', content}]
    : [{path, change: 'edited', reason: 'the file was modified', content}]
}

function extraAt(path: string, owned: OwnedFiles): PathDrift {
  const reason = owned.has(path)
    ? 'the install set no longer has the file'
    : 'the file is not part of the install set'
  return {path, change: 'extra', reason}
}

function isHidden(path: string): boolean {
  return path.split('/').some(segment => segment.startsWith('.'))
}
