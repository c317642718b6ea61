import {realpathSync, statSync} from 'node:fs'
import {dirname, join, resolve, sep} from 'node:path'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {isListPath, parseOwnedFiles} from '../../plan/folder/owned-files.js'
import type {SearchedFiles} from '../../plan/git/hand-over.js'
import type {FolderEntry} from '../../plan/folder/folder-snapshot.js'
import {compareText} from '../../reference/compare-text.js'
import {isKustomization} from '../../usage/objects/kustomization.js'
import {emptyWarning} from '../../usage/objects/read-objects.js'
import type {ObjectFiles, UnreadFiles, UsagePorts} from '../../usage/objects/read-objects.js'
import type {UnreadObjects, UsageFile} from '../../usage/objects/used-object.js'
import {MAX_FILE_BYTES} from '../../yaml/source-text.js'
import {folderKinds, goPatterns, readNamedFile, schemaRules} from '../wire.js'
import {inputFiles} from './input-files.js'

/**
 * Reads the files that paths name: files, folders with all YAML and JSON files below them, and `-` for standard input. Files of
 * rendered trees are left out. Throws `not-found`, and `input-invalid` for a standard input without text.
 */
export async function objectFiles(words: readonly string[]): Promise<ObjectFiles> {
  const named: NamedFiles[] = []
  for (const path of new Set(words)) named.push(await namedFiles(path))
  const files = new Map(named.flatMap(one => one.files.map(({key, file}) => [key, file])))
  return {
    files: [...files.values()],
    rendered: [...new Set(named.flatMap(one => one.rendered))],
    unread: named.flatMap(one => one.unread),
    unreadable: named.flatMap(one => one.unreadable),
    // What a rendered tree has is read elsewhere.
    inputs: named.flatMap(({name, files: own, rendered, unread, unreadable}) => {
      const read = own.flatMap(({key}) => files.get(key)?.path ?? [])
      const paths = [...read, ...[...unread, ...unreadable].map(({file}) => file)]
      return rendered.length === 0 ? [{name, paths}] : []
    }),
  }
}

/** Reads and judges the objects of users. */
export const usagePorts: UsagePorts = {
  objects: objectFiles,
  judge: async () => ({...(await goPatterns()), rules: await schemaRules()}),
}

/** The files of a path that a user named. */
interface NamedFiles extends Omit<UnreadFiles, 'inputs'> {
  readonly name: string
  /** By their absolute paths: two paths can name the same file. */
  readonly files: readonly {readonly key: string; readonly file: UsageFile}[]
}

async function namedFiles(path: string): Promise<NamedFiles> {
  const nothing = {files: [], rendered: [], unread: [], unreadable: []}
  if (path === '-') {
    const {name, bytes} = await inputFiles.read('-', '--objects')
    if (Buffer.from(bytes).toString().trim() === '') throw emptyInput(name)
    return {...nothing, name, files: [{key: path, file: {path: name, bytes}}]}
  }
  const owned = await ownedPaths(await listsAround(isFolder(path) ? path : dirname(path)))
  if (isFolder(path)) return await folderFiles(path, owned)
  if (owned.has(resolve(path))) return {...nothing, name: path, rendered: [shown(path)]}
  const file = {path: shown(path), bytes: await readNamedFile(path, MAX_FILE_BYTES)}
  return {...nothing, name: path, files: [{key: resolve(path), file}]}
}

/** A pipe whose first command failed is empty: nothing was judged. */
function emptyInput(name: string): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot read objects from ${name}: it is empty`)
}

function isFolder(path: string): boolean {
  return kindOfTarget(path) === 'folder'
}

/** Returns what a path leads to, through links; undefined for nothing, as at the end of a loop of links. */
function kindOfTarget(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path)
    return stats.isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}

async function folderFiles(root: string, outer: ReadonlySet<string>): Promise<NamedFiles> {
  const entries = await entriesBelow(root)
  const lists = listsBelow(
    root,
    entries.flatMap(([path, kind]) => (kind === 'file' ? [path] : [])),
  )
  const owned = new Set([...outer, ...(await ownedPaths(lists))])
  const isOwned = ([path]: NamedEntry) => owned.has(resolve(join(root, path)))
  const rendered = entries
    .filter(isOwned)
    .flatMap(([path]) => (isManifest(path) ? [shown(join(root, path))] : []))
  const others = entries.filter(entry => !isOwned(entry))
  return {name: root, rendered, ...(await readEntries(root, others, path => shown(join(root, path))))}
}

type NamedEntry = readonly [string, FolderEntry['kind']]

/** Reads the files of entries below a folder, and says what of them cannot be read, under their names. */
async function readEntries(
  root: string,
  entries: readonly NamedEntry[],
  nameOf: (path: string) => string,
): Promise<Pick<NamedFiles, 'files' | 'unread' | 'unreadable'>> {
  const files: {readonly key: string; readonly file: UsageFile}[] = []
  const unread: UnreadObjects[] = []
  const unreadable: UnreadObjects[] = []
  for (const [path, kind] of entries) {
    const reason = kind === 'link' ? linkReason(root, path) : undefined
    if (reason !== undefined) unread.push({file: nameOf(path), reason})
    else if (isManifest(path) && !isReadElsewhere(root, path, kind)) {
      const read = await bytesOf(join(root, path))
      if (read instanceof CrossplaneError) unreadable.push({file: nameOf(path), reason: read.message})
      else files.push({key: resolve(root, path), file: {path: nameOf(path), bytes: read}})
    }
  }
  return {files, unread, unreadable}
}

/** Returns why a link is not followed: what a repository has can lead anywhere. */
function linkReason(root: string, path: string): string | undefined {
  const kind = kindOfTarget(join(root, path))
  const isOfInterest = kind === 'folder' || isManifest(path)
  if (kind === undefined || !isOfInterest || isInside(root, join(root, path))) return undefined
  return `it is a link to a ${kind} outside of ${shown(root)}`
}

function isInside(root: string, path: string): boolean {
  return realpathSync(path).startsWith(join(realpathSync(root), sep))
}

/** The target of a link within the folder is read by its own name; a folder has no text. */
function isReadElsewhere(root: string, path: string, kind: FolderEntry['kind']): boolean {
  if (kind !== 'link') return false
  const target = kindOfTarget(join(root, path))
  return target === 'folder' || (target === 'file' && isManifest(realpathSync(join(root, path))))
}

async function bytesOf(file: string): Promise<Uint8Array | CrossplaneError> {
  try {
    return await readNamedFile(file, MAX_FILE_BYTES)
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}

function isManifest(path: string): boolean {
  return isYaml(path) || isKustomization(path)
}

/** Reads the YAML and JSON files below a folder, by their paths within it. Throws `not-found` without the folder. */
export async function filesBelow(root: string): Promise<SearchedFiles> {
  const {files, unread, unreadable} = await readEntries(root, await entriesBelow(root), shown)
  return {files: files.map(({file}) => file), unread: [...unread, ...unreadable]}
}

async function entriesBelow(root: string): Promise<readonly NamedEntry[]> {
  const entries = await folderKinds(root)
  if (entries !== undefined) return [...entries].sort(([a], [b]) => compareText(a, b))
  throw new CrossplaneError('not-found', `cannot read --objects ${root}: no such file or directory`, {
    suggestions: ['Pass --objects DIR with the folder of the files that are applied now.'],
  })
}

function isYaml(path: string): boolean {
  return /\.(?:ya?ml|json)$/.test(path)
}

/** A list of the files of a rendered tree. */
interface TreeList {
  readonly tree: string
  readonly list: string
}

const LIST_START = '.kubectl-crossplane/'

function listsBelow(root: string, paths: readonly string[]): readonly TreeList[] {
  return paths.flatMap(path => {
    const start = path.indexOf(LIST_START)
    if (start < 0 || !isListPath(path.slice(start))) return []
    return [{tree: join(root, path.slice(0, start)), list: path.slice(start)}]
  })
}

/** A path can be within a tree. */
async function listsAround(folder: string): Promise<readonly TreeList[]> {
  const lists: TreeList[] = []
  for (let at = resolve(folder); dirname(at) !== at; at = dirname(at)) {
    const entries = (await folderKinds(join(at, LIST_START))) ?? new Map<string, unknown>()
    const names = [...entries.keys()].map(name => `${LIST_START}${name}`)
    lists.push(...names.filter(isListPath).map(list => ({tree: at, list})))
  }
  return lists
}

async function ownedPaths(lists: readonly TreeList[]): Promise<ReadonlySet<string>> {
  const owned = await Promise.all(
    lists.map(async ({tree, list}) => {
      const text = Buffer.from(await readNamedFile(join(tree, list), MAX_FILE_BYTES)).toString()
      return [...parseOwnedFiles(text, tree, list).keys()].map(path => resolve(tree, path))
    }),
  )
  return new Set(owned.flat())
}

function shown(path: string): string {
  return path.split(sep).join('/')
}

/** Returns the warnings about paths that have no objects. */
export function warningsOfEmpty(paths: readonly string[]): readonly Diagnostic[] {
  return paths.map(path => emptyWarning(path))
}
