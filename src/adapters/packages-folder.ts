import type {Dirent} from 'node:fs'
import {readdir, realpath, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {CrossplaneError, withSuggestions} from '../errors.js'
import type {FolderVersion, PackageFolder} from '../pipeline/locate/package-sources.js'
import {cannotRead} from './cannot-read.js'
import {systemCode} from './file-system.js'

/** The maximum depth of packages below the folder; a repository path has few segments. */
const MAX_DEPTH = 8

/**
 * Opens the folder of packages at `root`. A subfolder that cannot be read is skipped, as `lost+found` is. The search of
 * all packages passes at most `maxEntries` files and folders.
 */
export function packagesFolder(root: string, maxEntries = MAX_ENTRIES): PackageFolder {
  return {
    versions: async repositoryPath => {
      await expectFolder(root)
      return await versionsAt(root, repositoryPath)
    },
    all: async () => {
      await expectFolder(root)
      return await allBelow({root, spend: budgetFor(root, maxEntries)}, [], [])
    },
  }
}

async function expectFolder(root: string): Promise<void> {
  const stats = await stat(root).catch((error: unknown) => {
    const failure = cannotRead(root, error)
    throw failure instanceof CrossplaneError ? withSuggestions(failure, [FOLDER_ADVICE]) : failure
  })
  if (stats.isDirectory()) return
  throw new CrossplaneError('not-found', `cannot read ${root}: not a directory`, {
    suggestions: [FOLDER_ADVICE],
  })
}

const FOLDER_ADVICE = 'Pass --packages DIR with a folder that holds PATH/VERSION or PATH@VERSION.'

type NamedVersion = FolderVersion & {readonly repositoryPath: string}

async function versionsAt(root: string, repositoryPath: string): Promise<FolderVersion[]> {
  const slash = repositoryPath.lastIndexOf('/')
  const parent = join(root, repositoryPath.slice(0, Math.max(0, slash)))
  const prefix = `${repositoryPath.slice(slash + 1)}@`
  const beside = (await entries(parent)).filter(entry => entry.name.startsWith(prefix))
  const within = await entries(join(root, repositoryPath))
  const found = await Promise.all([
    ...beside.map(entry => versionOf(join(parent, entry.name), entry.name.slice(prefix.length))),
    ...within.map(entry => versionOf(join(root, repositoryPath, entry.name), entry.name)),
  ])
  return found.filter(version => version !== undefined)
}

/** Links can make a small folder endless. */
const MAX_ENTRIES = 20_000

interface Search {
  readonly root: string
  /** Counts an entry; throws `limit-exceeded` at the end. */
  readonly spend: () => void
}

/** `above` holds the real paths of the folders on the way, so that a link to one of them is not followed. */
async function allBelow(
  search: Search,
  path: readonly string[],
  above: readonly string[],
): Promise<NamedVersion[]> {
  const folder = join(search.root, ...path)
  const real = await realpath(folder).catch(() => folder)
  if (path.length > MAX_DEPTH || above.includes(real)) return []
  const found: NamedVersion[] = []
  for (const entry of await entries(folder)) {
    search.spend()
    const at = join(folder, entry.name)
    const [name, tag] = splitName(entry.name)
    const version = name === undefined && path.length === 0 ? undefined : await versionOf(at, tag)
    if (version !== undefined)
      found.push({...version, repositoryPath: [...path, ...(name === undefined ? [] : [name])].join('/')})
    else if (await isDirectory(at))
      found.push(...(await allBelow(search, [...path, entry.name], [...above, real])))
  }
  return found
}

function budgetFor(root: string, maxEntries: number): () => void {
  let left = maxEntries
  return () => {
    left -= 1
    if (left >= 0) return
    const message = `cannot search ${root} for packages: more than ${maxEntries} files and folders`
    throw new CrossplaneError('limit-exceeded', message, {suggestions: [FOLDER_ADVICE]})
  }
}

/** Splits `NAME@VERSION`; a name without `@` is a version. */
function splitName(text: string): readonly [name: string | undefined, tag: string] {
  const at = text.indexOf('@')
  return at === -1 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)]
}

async function entries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, {withFileTypes: true})
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(systemCode(error) ?? '')) return []
    throw cannotRead(folder, error)
  }
}

const TARBALL = '.tar'

/** Recognizes a package at a path; undefined for anything else. */
async function versionOf(path: string, name: string): Promise<FolderVersion | undefined> {
  if (await isDirectory(join(path, '.registry'))) return {tag: name, at: {kind: 'directory', path}}
  if (await exists(join(path, 'oci-layout'))) return {tag: name, at: {kind: 'oci-layout', path}}
  if (!name.endsWith(TARBALL) || (await isDirectory(path))) return undefined
  return {tag: name.slice(0, -TARBALL.length), at: {kind: 'tarball', path}}
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
