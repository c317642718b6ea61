import {DECLARATION_FILE} from '../declaration.js'
import type {DeclarationFile} from '../edit-declaration.js'
import type {Lock} from '../lock.js'
import {writeLock} from '../write-lock.js'
import {ENTRIES_FOLDER, ENTRY_ENDING, type EntryFile, LOCK_ENDING} from './entry-files.js'
import {splitDeclaration} from './split-declaration.js'
import {splitLock} from './split-lock.js'

/** The name of the lock of a declaration in one file. */
export const LOCK_FILE = DECLARATION_FILE.replace(/\.yaml$/, LOCK_ENDING)

/** Returns the texts of a declaration and its lock in one file each, by their paths in the folder of the declaration. */
export function singleTexts(declaration: string, lock: Lock): ReadonlyMap<string, string> {
  return new Map([
    [DECLARATION_FILE, declaration],
    [LOCK_FILE, writeLock(lock)],
  ])
}

/**
 * Returns the texts of a declaration and its lock with a file for each entry and each install, by their paths in the
 * folder of the declaration. Throws as `splitDeclaration` does.
 */
export function splitTexts(
  declaration: DeclarationFile,
  lock: Lock,
  before: readonly EntryFile[] = [],
): ReadonlyMap<string, string> {
  const {settings, entries} = splitDeclaration(declaration, before)
  const locks = splitLock(lock)
  return new Map([
    [DECLARATION_FILE, settings],
    ...[...entries].map(([name, text]) => [`${ENTRIES_FOLDER}/${name}${ENTRY_ENDING}`, text] as const),
    ...[...locks].map(
      ([name, entryLock]) => [`${ENTRIES_FOLDER}/${name}${LOCK_ENDING}`, writeLock(entryLock)] as const,
    ),
    // Without an install, no other file has the hash of the settings.
    ...(locks.size === 0 ? [[LOCK_FILE, writeLock(lock)] as const] : []),
  ])
}
