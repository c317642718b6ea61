import type {Diagnostic} from '../../diagnostic.js'
import type {DeclarationFile} from '../edit-declaration.js'
import {readLock} from '../read-lock.js'
import {writeLock} from '../write-lock.js'
import {ENTRY_ENDING, entryNames, LOCK_ENDING, type WholeDeclaration} from './entry-files.js'
import {isSplitDeclaration, joinedDeclaration} from './join-declaration.js'
import {joinLocks} from './join-locks.js'
import {type BaseFiles, expectNoBase, extendedPath, withBase} from './read-base.js'

/** Port: reads the folder of entries beside a declaration. */
export interface EntryFolder {
  /** Lists the names of its files; none if it does not exist. */
  list(): Promise<readonly string[]>
  /** Reads one of its files; `name` of the result is for messages. */
  read(name: string): Promise<DeclarationFile>
}

/**
 * Reads the entries of a declaration that has them in files of their own, and its base. Without `bases`, there is no repository
 * that can have one. Throws `input-invalid`.
 */
export async function wholeDeclaration(
  file: DeclarationFile,
  folder: EntryFolder,
  bases?: () => BaseFiles,
): Promise<WholeDeclaration> {
  const path = extendedPath(file)
  if (path !== undefined && bases === undefined) expectNoBase(file)
  const whole = await withEntries(file, folder)
  if (path === undefined || bases === undefined) return whole
  return {...whole, bytes: await withBase(whole, path, bases())}
}

async function withEntries(file: DeclarationFile, folder: EntryFolder): Promise<WholeDeclaration> {
  if (!isSplitDeclaration(file)) return file
  const names = entryNames(await folder.list(), ENTRY_ENDING)
  const entries = await Promise.all(
    names.map(async entry => ({...(await folder.read(`${entry}${ENTRY_ENDING}`)), entry})),
  )
  const split = {settings: file, entries}
  return {name: file.name, bytes: Buffer.from(joinedDeclaration(split)), split}
}

/** Reads a base with its entries, which cannot have a base itself. */
export async function wholeBase(file: DeclarationFile, folder: EntryFolder): Promise<WholeDeclaration> {
  return await withEntries(file, folder)
}

/** A lock of several files as one text. */
export interface WholeLock {
  readonly bytes: Uint8Array
  readonly disagreements: readonly Diagnostic[]
  /** The texts of its files, by their names in the folder. */
  readonly files: ReadonlyMap<string, string>
}

/** Reads the locks of installs; undefined if there are none. Throws as `readLock` does. */
export async function wholeLock(folder: EntryFolder): Promise<WholeLock | undefined> {
  const names = entryNames(await folder.list(), LOCK_ENDING)
  if (names.length === 0) return undefined
  const files = await Promise.all(names.map(name => folder.read(`${name}${LOCK_ENDING}`)))
  const locks = files.map(({name, bytes}) => ({file: name, lock: readLock(name, bytes)}))
  const {lock, disagreements} = joinLocks(locks)
  const texts = files.map(
    ({bytes}, index) => [`${names[index] ?? ''}${LOCK_ENDING}`, Buffer.from(bytes).toString()] as const,
  )
  return {bytes: Buffer.from(writeLock(lock)), disagreements, files: new Map(texts)}
}
