import {type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync} from 'node:fs'
import {join} from 'node:path'
import {CrossplaneError, withSuggestions} from '../errors.js'
import type {FolderVersion, PackageFolder} from '../locate/package-sources.js'
import {cannotRead} from './cannot-read.js'
import {systemCode} from './file-system.js'

/** The maximum depth of packages below the folder; a repository path has few segments. */
const MAX_DEPTH = 8

/**
 * Opens the folder of packages at `root`. A folder that the user may not read is an error: a registry could have other packages
 * of the same names. One that no repository can be in is skipped, such as `lost+found`. The search of all packages passes at
 * most `maxEntries` files and folders. The calls block, which takes a third of the time that threads take.
 */
export function packagesFolder(root: string, maxEntries = MAX_ENTRIES): PackageFolder {
  return {
    versions: async ({path}) => {
      expectFolder(root)
      return await Promise.resolve(versionsAt(searchOf(root, maxEntries), path))
    },
    all: async () => {
      expectFolder(root)
      return await Promise.resolve(allBelow(searchOf(root, maxEntries), [], []))
    },
  }
}

function expectFolder(root: string): void {
  if (statsOf(root).isDirectory()) return
  throw new CrossplaneError('not-found', `cannot read ${root}: not a directory`, {
    suggestions: [FOLDER_ADVICE],
  })
}

function statsOf(root: string): Stats {
  try {
    return statSync(root)
  } catch (error) {
    const failure = cannotRead(root, error)
    throw failure instanceof CrossplaneError ? withSuggestions(failure, [FOLDER_ADVICE]) : failure
  }
}

const FOLDER_ADVICE = 'Pass --packages DIR with a folder that holds PATH/VERSION or PATH@VERSION.'

type NamedVersion = FolderVersion & {readonly repositoryPath: string}

function versionsAt(search: Search, repositoryPath: string): FolderVersion[] {
  const {root} = search
  const parts = repositoryPath.split('/')
  const above = parts.slice(0, -1)
  const prefix = `${parts.at(-1) ?? ''}@`
  const beside = entries(root, above).filter(entry => entry.name.startsWith(prefix))
  const within = entries(root, parts)
  const versions = [
    ...beside.map(({name}) => {
      const place = placeOf(root, [...above, name])
      const tag = name.slice(prefix.length)
      return versionOf(place, tag) ?? emptyVersion(place.at, tag, TAG)
    }),
    ...within.map(({name}) => {
      const path = [...parts, name]
      return versionOf(placeOf(root, path), name) ?? emptyRelease(search, path)
    }),
  ]
  return versions.filter(version => version !== undefined)
}

/** Below a folder such as v1.0.0 there can be repositories; it is not searched further than a search of all packages is. */
function emptyRelease(search: Search, path: readonly string[]): FolderVersion | undefined {
  const empty = emptyVersion(join(search.root, ...path), path.at(-1) ?? '', RELEASE)
  if (empty === undefined) return undefined
  try {
    return allBelow(search, path, []).length > 0 ? undefined : empty
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'limit-exceeded') return empty
    throw error
  }
}

/** Links can make a small folder endless. */
const MAX_ENTRIES = 20_000

interface Search {
  readonly root: string
  /** Counts an entry; throws `limit-exceeded` at the end. */
  readonly spend: () => void
}

/** `above` holds the real paths of the folders on the way, so that a link to one of them is not followed. */
function allBelow(search: Search, path: readonly string[], above: readonly string[]): NamedVersion[] {
  const folder = join(search.root, ...path)
  const real = realPathOf(folder)
  if (path.length > MAX_DEPTH || above.includes(real)) return []
  const versions: NamedVersion[] = []
  for (const entry of entries(search.root, path)) {
    search.spend()
    versions.push(...packagesAt(search, [...path, entry.name], [...above, real]))
  }
  return versions
}

function packagesAt(search: Search, path: readonly string[], above: readonly string[]): NamedVersion[] {
  const {repository, tag, names} = versionNamed(path)
  const named = (version: FolderVersion) => [{...version, repositoryPath: repository.join('/')}]
  const place = placeOf(search.root, path)
  const version = repository.length === 0 ? undefined : versionOf(place, tag)
  if (version !== undefined) return named(version)
  if (!isDirectory(place)) return []
  const below = allBelow(search, path, above)
  const empty = isRepository(repository) ? emptyVersion(place.at, tag, names) : undefined
  // Below a folder such as v1.0.0 there can be repositories, but not below one such as app@v1.0.0.
  return empty === undefined || (names === RELEASE && below.length > 0) ? below : named(empty)
}

/** What a path names: its last part is `NAME@TAG` or a tag. */
function versionNamed(path: readonly string[]) {
  const parent = path.slice(0, -1)
  const [name, tag] = splitName(path.at(-1) ?? '')
  return name === undefined
    ? {repository: parent, tag, names: RELEASE}
    : {repository: [...parent, name], tag, names: TAG}
}

function realPathOf(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}

function searchOf(root: string, maxEntries: number): Search {
  let left = maxEntries
  const spend = () => {
    left -= 1
    if (left >= 0) return
    const message = `cannot search ${root} for packages: more than ${maxEntries} files and folders`
    throw new CrossplaneError('limit-exceeded', message, {suggestions: [FOLDER_ADVICE]})
  }
  return {root, spend}
}

/** Splits `NAME@VERSION`; a name without `@` is a version. */
function splitName(text: string): readonly [name: string | undefined, tag: string] {
  const at = text.indexOf('@')
  return at === -1 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)]
}

function entries(root: string, path: readonly string[]): Dirent[] {
  const folder = join(root, ...path)
  try {
    return readdirSync(folder, {withFileTypes: true})
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return []
    if (isDenied(error) && !isRepositoryPath(path)) return []
    throw cannotRead(folder, error)
  }
}

function isRepositoryPath(path: readonly string[]): boolean {
  return path.every(part => REPOSITORY_PART.test(part))
}

const REPOSITORY_PART = /^[a-z\d]+(?:[._-]+[a-z\d]+)*$/

function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(systemCode(error) ?? '')
}

/** Where something is looked for, and whether it is an error that the user may not look. */
interface Place {
  readonly at: string
  readonly isStrict: boolean
}

/** Of a path below the folder of packages: only what a repository or a version can be called matters. */
function placeOf(root: string, path: readonly string[]): Place {
  const [name, tag] = splitName(path.at(-1) ?? '')
  const isOne = (TAG.test(tag) || RELEASE.test(tag)) && (name === undefined || REPOSITORY_PART.test(name))
  return {at: join(root, ...path), isStrict: isOne && isRepositoryPath(path.slice(0, -1))}
}

const TARBALL = '.tar'
const XPKG = '.xpkg'

/** Recognizes a package at a place; undefined for anything else. */
function versionOf(place: Place, name: string): FolderVersion | undefined {
  const {at: path} = place
  const inside = (file: string) => ({...place, at: join(path, file)})
  if (isDirectory(inside('.registry'))) return {tag: name, at: {kind: 'directory', path}}
  if (look(statSync, inside('oci-layout')) !== undefined) return {tag: name, at: {kind: 'oci-layout', path}}
  // A link to nothing too, which is a package that cannot be read.
  if (look(lstatSync, inside('crossplane.yaml')) !== undefined)
    return {tag: name, at: {kind: 'directory', path}, isXpkg: true}
  if (name.endsWith(XPKG) && !isDirectory(place))
    return {tag: name.slice(0, -XPKG.length), at: {kind: 'tarball', path}, isXpkg: true}
  if (!name.endsWith(TARBALL) || isDirectory(place)) return undefined
  return {tag: name.slice(0, -TARBALL.length), at: {kind: 'tarball', path}}
}

/** Tags, the end of `NAME@TAG`. */
const TAG = /^\w[\w.-]*$/
/** Tags that, alone, are the name of no folder but that of a version. */
const RELEASE = /^v?\d+\.\d+\.\d+(?:[-+][\w.-]*)?$/

/** A folder without a package whose name is that of a version: it cannot be read, so that it is passed over by name. */
function emptyVersion(path: string, tag: string, names: RegExp): FolderVersion | undefined {
  return names.test(tag) && isDirectory({at: path, isStrict: true})
    ? {tag, at: {kind: 'directory', path}, isEmpty: true}
    : undefined
}

/** Reports whether a path can be that of a repository; that of a hidden folder cannot. */
function isRepository(path: readonly string[]): boolean {
  return path.length > 0 && path.every(part => /^[a-z\d]/.test(part))
}

function isDirectory(place: Place): boolean {
  return look(statSync, place)?.isDirectory() === true
}

/** Returns what is at a place; undefined for nothing, as behind a loop of links. */
function look(stat: typeof statSync, {at, isStrict}: Place): Stats | undefined {
  try {
    return stat(at, {throwIfNoEntry: false})
  } catch (error) {
    if (isStrict && isDenied(error)) throw cannotRead(at, error)
    return undefined
  }
}
