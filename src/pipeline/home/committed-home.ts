import type {Checkout} from '../../commit/checkout.js'
import {DECLARATION_FILE, type Declaration} from '../../declaration/declaration.js'
import {
  ENTRIES_FOLDER,
  ENTRY_ENDING,
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
import {readDeclaration} from '../../declaration/read-declaration.js'
import {folderInRepository, type Home, type HomePlace, pathInHome, treeIn} from '../../plan/folder/home.js'
import {expectNoHomeInTree, expectOutsideTree, outerHomes} from '../../plan/folder/outer-homes.js'
import {isLocalPath} from '../../reference/package-reference.js'
import {
  INSTALL_LISTS,
  isBookkeepingPath,
  isListPath,
  OWNED_FILES,
  TREE_SETTINGS,
} from '../../plan/folder/owned-files.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {present} from '../../present.js'
import {CrossplaneError} from '../../errors.js'
import {readLock} from '../../declaration/read-lock.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'

/** The files of a home as a commit has them; absent ones do not exist. The names are full paths. */
export interface HomeFiles {
  readonly declaration: Omit<WholeDeclaration, 'bytes'> & {readonly bytes?: Uint8Array}
  readonly lock: {readonly name: string; readonly bytes?: Uint8Array}
  /** The paths of all files of declaration and lock, relative to the folder of the declaration. */
  readonly existing: readonly string[]
  /** The folder of the rendered tree, relative to the root of the repository. */
  readonly tree: string
  /** The lists of its managed files, by their paths in it. */
  readonly lists: ReadonlyMap<string, string>
  /** The text of its settings; absent for a tree of an earlier release. */
  readonly settings?: string
}

/** The ports for reading a home. */
export interface HomePorts {
  readonly checkout: Checkout
  /** Makes folders part of the working tree; absent where it is the user's. */
  readonly include?: (folders: readonly string[]) => Promise<void>
}

/**
 * Returns the declaration and the lock as HEAD has them, whatever an interrupted run has left, with the folder of the
 * tree, which is part of the working tree then. All that HEAD has of them is read together. Throws `input-invalid`, and
 * `git-refused` for a home in the tree of another one, and a new one whose tree would contain another one.
 */
export async function committedHome(
  place: HomePlace,
  {root}: CheckoutState,
  {checkout, include}: HomePorts,
): Promise<HomeFiles> {
  const usualTree = treeIn(place)
  const entriesFolder = pathInHome(place, ENTRIES_FOLDER)
  await include?.([usualTree, entriesFolder])
  const files = await checkout.committedFiles([
    place.declaration,
    place.lock,
    `${entriesFolder}/`,
    ...listPlaces(usualTree),
    ...outerHomes(place).map(({declaration}) => declaration),
  ])
  await expectOutsideTrees(place, {root, files}, {checkout, include})
  const fileAt = (path: string) => ({name: `${root}/${path}`, bytes: files.get(path)})
  const settings = fileAt(place.declaration)
  const entries = committedEntries(entriesFolder, root, files)
  const {bytes} = settings
  await expectNoLinks(settings, entriesFolder, checkout)
  const declaration: HomeFiles['declaration'] =
    bytes === undefined
      ? settings
      : await wholeDeclaration({...settings, bytes}, entries, () =>
          committedBases(place, root, {checkout, include}),
        )
  const content = contentOf(declaration)
  const tree = treeIn(place, content?.tree.output)
  const further = [...(tree === usualTree ? [] : [tree]), ...foldersOfFiles(place, content)]
  if (further.length > 0) await include?.(further)
  const single = fileAt(place.lock)
  const locks = declaration.split === undefined ? undefined : await wholeLock(entries)
  const kept = await treeLists({...place, tree}, tree === usualTree ? files : undefined, checkout)
  return {
    declaration,
    lock: locks === undefined ? single : {...single, bytes: locks.bytes},
    existing: existingFiles(settings, single, declaration, locks),
    tree,
    lists: new Map([...kept].filter(([path]) => isListPath(path))),
    ...present({settings: kept.get(TREE_SETTINGS)}),
  }
}

/** A commit has a link as a path, which is not followed: what it leads to would be missing without a word. */
async function expectNoLinks(
  {name, bytes}: {readonly name: string; readonly bytes?: Uint8Array | undefined},
  folder: string,
  checkout: Pick<Checkout, 'committedLinks'>,
): Promise<void> {
  if (bytes === undefined || !isSplitDeclaration({name, bytes})) return
  const links = await checkout.committedLinks([`${folder}/`])
  const link = links.find(path => path === folder || isEntryFile(path.slice(folder.length + 1)))
  if (link !== undefined) throw linkedEntries(link, 'in the commit, from which no link is followed')
}

/** Returns its lists and its settings; without lists, the tree is new. */
async function treeLists(
  home: Home,
  files: ReadonlyMap<string, Uint8Array> | undefined,
  checkout: Checkout,
): Promise<ReadonlyMap<string, string>> {
  const {tree} = home
  const lists = listsIn(tree, files ?? (await checkout.committedFiles(listPlaces(tree))))
  if (![...lists.keys()].some(isListPath)) expectNoHomeInTree(home, await checkout.pathsBelow(tree))
  return lists
}

async function expectOutsideTrees(
  place: HomePlace,
  {root, files}: {readonly root: string; readonly files: ReadonlyMap<string, Uint8Array>},
  ports: HomePorts,
): Promise<void> {
  for (const outer of outerHomes(place)) {
    const bytes = files.get(outer.declaration)
    if (bytes === undefined) continue
    const declaration = await wholeDeclaration(
      {name: `${root}/${outer.declaration}`, bytes},
      WITHOUT_ENTRIES,
      () => committedBases(outer, root, ports),
    )
    expectOutsideTree(place, {...outer, tree: treeIn(outer, contentOf(declaration)?.tree.output)})
  }
}

/** The folder of a tree does not depend on the entries. */
const WITHOUT_ENTRIES: EntryFolder = {
  list: () => Promise.resolve([]),
  read: name => Promise.resolve({name, bytes: new Uint8Array()}),
}

/** The bases of declarations are read from the same commit. A link is not a file there. */
function committedBases({folder}: HomePlace, root: string, {checkout, include}: HomePorts): BaseFiles {
  return {
    folder,
    read: async path => {
      const home = path.split('/').slice(0, -1).join('/')
      const entriesFolder = pathInHome({folder: home}, ENTRIES_FOLDER)
      if (home !== '') await include?.([home])
      const files = await checkout.committedFiles([path, `${entriesFolder}/`])
      const bytes = files.get(path)
      if (bytes === undefined) return undefined
      await expectNoLinks({name: `${root}/${path}`, bytes}, entriesFolder, checkout)
      return await wholeBase({name: `${root}/${path}`, bytes}, committedEntries(entriesFolder, root, files))
    },
  }
}

/** Where a tree has the lists of its managed files, and its settings. */
function listPlaces(tree: string): readonly string[] {
  return [`${tree}/${OWNED_FILES}`, `${tree}/${TREE_SETTINGS}`, `${tree}/${INSTALL_LISTS}/`]
}

function listsIn(tree: string, files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [path, bytes] of files) {
    const inTree = path.startsWith(`${tree}/`) ? path.slice(tree.length + 1) : ''
    if (isBookkeepingPath(inTree)) texts.set(inTree, Buffer.from(bytes).toString())
  }
  return texts
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

/** Returns the files of the folder of entries, among those that a commit has. */
export function committedEntries(
  folder: string,
  root: string,
  files: ReadonlyMap<string, Uint8Array>,
): EntryFolder {
  const paths = [...files.keys()].filter(path => path.startsWith(`${folder}/`))
  return {
    list: () => Promise.resolve(paths.map(path => path.slice(folder.length + 1))),
    read: name => {
      const path = `${folder}/${name}`
      return Promise.resolve({name: `${root}/${path}`, bytes: files.get(path) ?? new Uint8Array()})
    },
  }
}

function contentOf({name, bytes}: HomeFiles['declaration']): Declaration | undefined {
  return bytes === undefined ? undefined : readDeclaration(name, bytes)
}

/** The folders of the files that a declaration names: its policy, and CRDs that are assumed to exist. */
function foldersOfFiles(
  place: HomePlace,
  {policy, basePolicy, assume = []}: Partial<Declaration> = {},
): readonly string[] {
  const policies = [policy, basePolicy].filter(path => path !== undefined)
  const paths = [...policies, ...assume.filter(isLocalPath)]
  return paths.flatMap(path => folderInRepository(place, path) ?? [])
}

/** Names the command that makes a lock what its declaration requests. */
export const LOCK_REMEDY = 'kubectl crossplane package lock'

/** Returns the lock of a home; undefined for a home without one. */
export function heldLock({lock: {name, bytes}}: HomeFiles): HeldLock | undefined {
  if (bytes === undefined) return undefined
  return {name, lock: readLock(name, bytes), upgraded: [], otherwise: 'take', remedy: LOCK_REMEDY}
}

/** Returns the error for a home without a declaration. */
export function noDeclaration(name: string): CrossplaneError {
  return new CrossplaneError('not-found', `cannot change packages: ${name} is not in the commit`, {
    suggestions: ['Pass --path with the folder of the declaration, or install a package with --git first.'],
  })
}
