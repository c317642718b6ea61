import type {Checkout} from '../../commit/checkout.js'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {ENTRIES_FOLDER, ENTRY_ENDING} from '../../declaration/entries/entry-files.js'
import {LOCK_FILE} from '../../declaration/entries/home-texts.js'
import {
  type EntryFolder,
  wholeDeclaration,
  type WholeLock,
  wholeLock,
} from '../../declaration/entries/read-entries.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {type HomePlace, pathInHome, treeIn} from '../../plan/folder/home.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import type {HomeFiles} from './plan-home.js'

/** The ports for reading a home. */
export interface HomePorts {
  readonly checkout: Checkout
  /** Makes folders part of the working tree; absent where it is the user's. */
  readonly include?: (folders: readonly string[]) => Promise<void>
}

/**
 * Returns the declaration and the lock as HEAD has them, whatever an interrupted run has left, with the folder of the
 * tree, which is part of the working tree then. Throws `input-invalid`.
 */
export async function committedHome(
  place: HomePlace,
  {root}: CheckoutState,
  {checkout, include}: HomePorts,
): Promise<HomeFiles> {
  const fileAt = async (path: string) => ({name: `${root}/${path}`, bytes: await checkout.committed(path)})
  const settings = await fileAt(place.declaration)
  const entries = committedEntries(pathInHome(place, ENTRIES_FOLDER), root, checkout)
  const {bytes} = settings
  const declaration: HomeFiles['declaration'] =
    bytes === undefined ? settings : await wholeDeclaration({...settings, bytes}, entries)
  const tree = treeIn(place, outputOf(declaration))
  await include?.([tree, pathInHome(place, ENTRIES_FOLDER)])
  const single = await fileAt(place.lock)
  const locks = declaration.split === undefined ? undefined : await wholeLock(entries)
  return {
    declaration,
    lock: locks === undefined ? single : {...single, bytes: locks.bytes},
    existing: existingFiles(settings, single, declaration, locks),
    tree,
  }
}

function existingFiles(
  settings: HomeFiles['lock'],
  single: HomeFiles['lock'],
  {split}: HomeFiles['declaration'],
  locks: WholeLock | undefined,
): readonly string[] {
  return [
    ...(settings.bytes === undefined ? [] : [DECLARATION_FILE]),
    ...(single.bytes === undefined ? [] : [LOCK_FILE]),
    ...(split?.entries ?? []).map(({entry}) => `${ENTRIES_FOLDER}/${entry}${ENTRY_ENDING}`),
    ...[...(locks?.files.keys() ?? [])].map(name => `${ENTRIES_FOLDER}/${name}`),
  ]
}

/** The files of the folder of entries, as HEAD has them, which are read together. */
function committedEntries(folder: string, root: string, checkout: Checkout): EntryFolder {
  const read = once(async () => {
    const names = await checkout.committedNames(folder)
    const paths = names.map(name => `${folder}/${name}`)
    return {names, files: await checkout.committedFiles(paths)}
  })
  return {
    list: async () => (await read()).names,
    read: async name => {
      const path = `${folder}/${name}`
      return {name: `${root}/${path}`, bytes: (await read()).files.get(path) ?? new Uint8Array()}
    },
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}

function outputOf({name, bytes}: HomeFiles['declaration']): string | undefined {
  return bytes === undefined ? undefined : readDeclaration(name, bytes).tree.output
}
