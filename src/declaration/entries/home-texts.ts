import {DECLARATION_FILE} from '../declaration.js'
import {type DeclarationFile, textOf} from '../edit-declaration.js'
import {compareText} from '../../reference/compare-text.js'
import type {Lock} from '../lock.js'
import {writeLock} from '../write-lock.js'
import {ENTRIES_FOLDER, ENTRY_ENDING, type EntryFile, LOCK_ENDING} from './entry-files.js'
import {joinedDeclaration} from './join-declaration.js'
import {ownText} from './read-base.js'
import {splitDeclaration} from './split-declaration.js'
import {splitLock} from './split-lock.js'

/** The name of the lock of a declaration in one file. */
export const LOCK_FILE = DECLARATION_FILE.replace(/\.yaml$/, LOCK_ENDING)

/** Returns the texts of a declaration and its lock in one file each, by their paths in the folder of the declaration. */
export function singleTexts(declaration: string, lock: Lock): ReadonlyMap<string, string> {
  return new Map([
    [DECLARATION_FILE, ownText(declaration)],
    [LOCK_FILE, writeLock(lock)],
  ])
}

/**
 * Returns what the file of a declaration has of the text that was read for it: not its base, and not the entries that are in files of
 * their own. Throws as `splitDeclaration` does.
 */
export function settingsText(declaration: DeclarationFile, isSplit: boolean): string {
  return ownText(isSplit ? splitDeclaration(declaration).settings : textOf(declaration.bytes))
}

/**
 * Returns the text of a declaration as it is read from a file for each entry: in the order of their names, which can decide the order
 * of what is rendered. Throws as `splitDeclaration` does.
 */
export function inOrderOfFiles(declaration: DeclarationFile, before: readonly EntryFile[]): string {
  const {settings, entries} = splitDeclaration(declaration, before)
  const files = [...entries].sort(([a], [b]) => compareText(a, b))
  return joinedDeclaration({
    settings: {name: declaration.name, bytes: Buffer.from(settings)},
    entries: files.map(([entry, text]) => ({
      entry,
      name: `${ENTRIES_FOLDER}/${entry}${ENTRY_ENDING}`,
      bytes: Buffer.from(text),
    })),
  })
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
    [DECLARATION_FILE, ownText(settings)],
    ...[...entries].map(([name, text]) => [`${ENTRIES_FOLDER}/${name}${ENTRY_ENDING}`, text] as const),
    ...[...locks].map(
      ([name, entryLock]) => [`${ENTRIES_FOLDER}/${name}${LOCK_ENDING}`, writeLock(entryLock)] as const,
    ),
    // Without an install, no other file has the hash of the settings.
    ...(locks.size === 0 ? [[LOCK_FILE, writeLock(lock)] as const] : []),
  ])
}
