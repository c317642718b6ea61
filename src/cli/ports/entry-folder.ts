import {basename, dirname, join} from 'node:path'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {ENTRIES_FOLDER} from '../../declaration/entries/entry-files.js'
import {LOCK_FILE} from '../../declaration/entries/home-texts.js'
import {
  type EntryFolder,
  wholeDeclaration,
  type WholeDeclaration,
  type WholeLock,
  wholeLock,
} from '../../declaration/entries/read-entries.js'
import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import type {InputFile} from '../../render/written-input.js'
import {MAX_FILE_BYTES} from '../../yaml/source-text.js'
import {namesIn, readNamedFile} from '../wire.js'

/** Returns the folder of entries in the folder of a declaration. */
function entryFolder(home: string): EntryFolder {
  const folder = join(home, ENTRIES_FOLDER)
  return {
    list: () => namesIn(folder),
    read: async name => {
      const path = join(folder, name)
      return {name: path, bytes: await readNamedFile(path, MAX_FILE_BYTES)}
    },
  }
}

/** Returns a declaration with the entries beside it as one file. Throws `input-invalid`. */
export async function declarationInFolder(file: DeclarationFile): Promise<InputFile> {
  const {name, bytes, split} = await wholeDeclarationAt(file)
  return {name, bytes, isSplit: split !== undefined}
}

/** Returns a declaration with the entries beside it, if it has them in files of their own. Throws `input-invalid`. */
export async function wholeDeclarationAt(file: DeclarationFile): Promise<WholeDeclaration> {
  if (basename(file.name) !== DECLARATION_FILE) return file
  return await wholeDeclaration(file, entryFolder(dirname(file.name)))
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
