import {createHash} from 'node:crypto'
import {KUSTOMIZATION_NAMES} from './file-name.js'
import type {OutputFile} from './file-tree.js'
import {folderRefusal, type RefusedPath, type RefusedRule} from './folder-refusal.js'
import {foldersAbove, type FolderEntry, type FolderSnapshot, type Sha256} from './folder-snapshot.js'
import {formatOwnedFiles, OWNED_FILES} from './owned-files.js'

/** A file to create, or to replace while it still has the hash `before`. */
export interface FileWrite {
  readonly path: string
  readonly content: string
  readonly before?: Sha256
  readonly after: Sha256
}

/** A file to delete while it still has the hash `before`. */
export interface FileDelete {
  readonly path: string
  readonly before: Sha256
}

/** What makes a folder hold exactly our files beside those of others. */
export interface FolderPlan {
  readonly writes: readonly FileWrite[]
  readonly deletes: readonly FileDelete[]
  /** How many files are already right. */
  readonly unchanged: number
  /** The new list of our files, where it changes. */
  readonly ownedFiles?: FileWrite
}

/** Every path whose entry `planFolder` reads. */
export function pathsToLookAt(files: readonly OutputFile[], owned: Owned): readonly string[] {
  const requested = files.map(file => file.path)
  return [
    ...new Set([OWNED_FILES, ...foldersOf(requested), ...rivalsOf(requested), ...requested, ...owned.keys()]),
  ]
}

/**
 * Decides what happens to each path, in the order of `files`. Throws `output-refused` with a fault for each that is
 * not ours, was edited since we wrote it, or is in the way: then nothing at all is to be written.
 */
export function planFolder(files: readonly OutputFile[], snapshot: FolderSnapshot): FolderPlan {
  const requested = files.map(file => ({...file, after: sha256Of(file.content)}))
  const stale = staleOf(files, snapshot.owned)
  const refused = refusalsOf(requested, stale, snapshot)
  if (refused.length > 0) throw folderRefusal(refused)
  const writes = requested.flatMap(file => changeOf(file, snapshot))
  return {
    writes,
    deletes: stale.filter(({path}) => snapshot.entries.has(path)),
    unchanged: requested.length - writes.length,
    ownedFiles: changeOf(ownedFilesOf(requested), snapshot)[0],
  }
}

type Owned = FolderSnapshot['owned']
type RequestedFile = Omit<FileWrite, 'before'>

function refusalsOf(
  requested: readonly RequestedFile[],
  stale: readonly FileDelete[],
  {entries, owned}: FolderSnapshot,
): readonly RefusedPath[] {
  const paths = requested.map(file => file.path)
  const judged: readonly (readonly [string, RefusedRule | undefined])[] = [
    ...foldersOf(paths).map(path => [path, againstFolder(entries.get(path))] as const),
    ...rivalsOf(paths).map(path => [path, entries.has(path) ? 'second-kustomization' : undefined] as const),
    ...requested.map(file => [file.path, againstWrite(file, entries.get(file.path), owned)] as const),
    ...stale.map(file => [file.path, againstDelete(file, entries.get(file.path))] as const),
  ]
  return judged.flatMap(([path, rule]) => (rule ? [{path, rule}] : []))
}

function againstFolder(entry: FolderEntry | undefined): RefusedRule | undefined {
  return entry === undefined || entry.kind === 'folder' ? undefined : 'not-a-folder'
}

function againstWrite(
  file: RequestedFile,
  entry: FolderEntry | undefined,
  owned: Owned,
): RefusedRule | undefined {
  if (entry === undefined) return undefined
  if (entry.kind !== 'file') return 'not-a-file'
  const ours = owned.get(file.path)
  if (entry.sha256 === file.after || entry.sha256 === ours) return undefined
  return ours === undefined ? 'foreign-file' : 'edited-file'
}

function againstDelete(file: FileDelete, entry: FolderEntry | undefined): RefusedRule | undefined {
  if (entry === undefined) return undefined
  return entry.kind === 'file' && entry.sha256 === file.before ? undefined : 'edited-stale-file'
}

function changeOf(file: RequestedFile, {entries}: FolderSnapshot): readonly FileWrite[] {
  const entry = entries.get(file.path)
  const before = entry?.kind === 'file' ? entry.sha256 : undefined
  return before === file.after ? [] : [{...file, before}]
}

function staleOf(files: readonly OutputFile[], owned: Owned): readonly FileDelete[] {
  const requested = new Set(files.map(file => file.path))
  return [...owned].flatMap(([path, before]) => (requested.has(path) ? [] : [{path, before}]))
}

function ownedFilesOf(requested: readonly RequestedFile[]): RequestedFile {
  const content = formatOwnedFiles(new Map(requested.map(({path, after}) => [path, after])))
  return {path: OWNED_FILES, content, after: sha256Of(content)}
}

function foldersOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(foldersAbove))]
}

/** The other names under which a folder of ours could hold a kustomization. */
function rivalsOf(paths: readonly string[]): readonly string[] {
  const [ours, ...others] = KUSTOMIZATION_NAMES
  const kustomizations = paths.filter(path => path.split('/').at(-1) === ours)
  return kustomizations.flatMap(path => others.map(other => path.slice(0, -ours.length) + other))
}

/** The hash of a text's UTF-8 bytes. */
function sha256Of(text: string): Sha256 {
  return createHash('sha256').update(text).digest('hex')
}
