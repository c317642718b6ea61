import {existsSync, lstatSync, readdirSync, realpathSync} from 'node:fs'
import {basename, dirname, isAbsolute, join, relative, sep} from 'node:path'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {
  ENTRIES_FOLDER,
  ENTRY_ENDING,
  entryNames,
  isEntryFile,
  linkedEntries,
  type WholeDeclaration,
} from '../../declaration/entries/entry-files.js'
import {LOCK_FILE} from '../../declaration/entries/home-texts.js'
import {isSplitDeclaration} from '../../declaration/entries/join-declaration.js'
import type {BaseFiles} from '../../declaration/entries/read-base.js'
import {
  type EntryFolder,
  wholeBase,
  wholeDeclaration,
  type WholeLock,
  wholeLock,
} from '../../declaration/entries/read-entries.js'
import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import type {InputFile} from '../../render/written-input.js'
import {MAX_FILE_BYTES} from '../../yaml/source-text.js'
import {repositoryRoot} from './repository-root.js'
import {namesIn, readNamedFile} from '../wire.js'

/** Returns the folder of entries in the folder of a declaration. */
function entryFolder(home: string): EntryFolder {
  const folder = join(home, ENTRIES_FOLDER)
  return {
    list: async () => {
      expectInside(home, folder)
      const names = await namesIn(folder)
      for (const name of names) if (isEntryFile(name)) expectInside(home, join(folder, name))
      return names
    },
    read: async name => {
      const path = join(folder, name)
      return {name: path, bytes: await readNamedFile(path, MAX_FILE_BYTES)}
    },
  }
}

/** Throws `input-invalid` for a link that leads out of the folder of a declaration: what is read there is no part of it. */
function expectInside(home: string, path: string): void {
  if (lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink() !== true) return
  const place = existsSync(path) ? relative(realFolder(home), realpathSync.native(path)) : '..'
  if (isAbsolute(place) || place.split(sep)[0] === '..')
    throw linkedEntries(path, 'that leads out of the folder of the declaration')
}

/** Returns a declaration with the entries beside it as one file. Throws `input-invalid`. */
export async function declarationInFolder(file: DeclarationFile): Promise<InputFile> {
  const {name, bytes, split} = await wholeDeclarationAt(file)
  return {name, bytes, isSplit: split !== undefined}
}

/** Returns a declaration with the entries beside it, if it has them in files of their own. Throws `input-invalid`. */
export async function wholeDeclarationAt(file: DeclarationFile): Promise<WholeDeclaration> {
  return await wholeDeclaration(file, entriesBeside(file.name), () => basesBeside(file.name))
}

/** A file of another name has no entries in files of their own. */
function entriesBeside(path: string): EntryFolder {
  return basename(path) === DECLARATION_FILE ? entryFolder(dirname(path)) : NO_ENTRIES
}

/** The bases of a declaration, in the repository that it is in; outside of one, in the folder of the declaration. */
function basesBeside(path: string): BaseFiles {
  const home = realFolder(dirname(path))
  const root = repositoryRoot(home)
  const folder = relative(root, home).split(sep).join('/')
  return {
    folder,
    read: async place => {
      if (!isFileWithoutLinks(root, place.split('/'))) return undefined
      const real = join(root, place)
      const file = {
        name: join(dirname(path), relative(home, real)),
        bytes: await readNamedFile(real, MAX_FILE_BYTES),
      }
      if (isSplitDeclaration(file) && hasLinkedEntries(real)) return undefined
      return await wholeBase(file, entriesBeside(real))
    },
  }
}

/** Reports whether the folder of entries of a base, or one of them, is a link: it could lead out of the repository. */
function hasLinkedEntries(path: string): boolean {
  if (basename(path) !== DECLARATION_FILE) return false
  const folder = join(dirname(path), ENTRIES_FOLDER)
  const stats = lstatSync(folder, {throwIfNoEntry: false})
  if (stats?.isDirectory() !== true) return stats?.isSymbolicLink() === true
  const links = readdirSync(folder, {withFileTypes: true}).filter(entry => entry.isSymbolicLink())
  const names = links.map(({name}) => name)
  return entryNames(names, ENTRY_ENDING).length > 0
}

/** Returns the locks of installs in place of a lock file; undefined if there are none. Throws as `readLock` does. */
export async function wholeLockAt(path: string): Promise<WholeLock | undefined> {
  return basename(path) === LOCK_FILE ? await wholeLock(entryFolder(dirname(path))) : undefined
}

/** Returns the locks of installs as one file; undefined if there are none. */
export async function lockInFolder(path: string): Promise<InputFile | undefined> {
  const whole = await wholeLockAt(path)
  return whole === undefined
    ? undefined
    : {name: path, bytes: whole.bytes, disagreements: whole.disagreements}
}

const NO_ENTRIES: EntryFolder = {
  list: () => Promise.resolve([]),
  read: name => Promise.resolve({name, bytes: new Uint8Array()}),
}

/** The folder as the repository has it: links on the way to the repository are the user's. */
function realFolder(folder: string): string {
  return realpathSync.native(folder)
}

/** Reports whether each part of a path below a folder is what it is, and not a link to it. */
function isFileWithoutLinks(root: string, segments: readonly string[]): boolean {
  return segments.every((_, depth) => {
    const stats = lstatSync(join(root, ...segments.slice(0, depth + 1)), {throwIfNoEntry: false})
    return depth === segments.length - 1 ? stats?.isFile() === true : stats?.isDirectory() === true
  })
}
