import {CrossplaneError} from '../../errors.js'
import {readTreeSettings, xpkgFolderOf} from '../../plan/folder/tree-settings.js'
import type {XpkgFolderName} from '../../plan/folder/xpkg-folder-name.js'
import type {OwnedFiles} from '../../plan/folder/folder-snapshot.js'
import {joinOwnedFiles, parseLists} from '../../plan/folder/owned-files.js'
import {sha256Of} from '../../plan/sha256.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {asInput} from './check-folder.js'
import {committedHome, type HomePorts} from '../home/committed-home.js'
import {type TreeFiles, treeFiles} from './tree-files.js'

/** The tree of a home, as a commit has it. */
export interface CommittedTree {
  /** The folder, relative to the root of the repository. */
  readonly folder: string
  /** The absolute path of the root of the repository. */
  readonly root: string
  readonly commit?: string
  readonly files: TreeFiles
  /** The folder of its requests for a current Crossplane. */
  readonly xpkgFolder: XpkgFolderName
  /** The files that are not as they were rendered, or were not rendered, by path. */
  readonly edited: ReadonlySet<string>
}

/** Reads the tree of a home as HEAD has it. Throws `not-found` without one, and the errors of git. */
export async function committedTree(place: HomePlace, ports: HomePorts): Promise<CommittedTree> {
  const state = await ports.checkout.state()
  const {tree: folder, lists, settings} = await committedHome(place, state, ports)
  if (settings !== undefined) expectSettings(settings, folder)
  const files = await ports.checkout.committedBelow(folder)
  if (files.size === 0) throw withoutTree(folder)
  const {root, head} = state
  const owned = joinOwnedFiles(parseLists(lists, folder).values())
  const edited = editedFiles(files, owned, folder)
  const xpkgFolder = xpkgFolderOf(owned.keys(), settings, folder)
  return {folder, root, ...present({commit: head}), files: treeFiles(files), xpkgFolder, edited}
}

/** Throws `input-invalid` for settings that this program did not write. */
function expectSettings(text: string, folder: string): void {
  try {
    readTreeSettings(text, folder)
  } catch (error) {
    throw asInput(error)
  }
}

/** Compares files with their lists of hashes. */
function editedFiles(
  files: ReadonlyMap<string, Uint8Array>,
  owned: OwnedFiles,
  folder: string,
): ReadonlySet<string> {
  const isRendered = (path: string, content: Uint8Array) =>
    owned.get(path.slice(folder.length + 1))?.includes(sha256Of(content)) === true
  return new Set([...files].flatMap(([path, content]) => (isRendered(path, content) ? [] : [path])))
}

function withoutTree(folder: string): CrossplaneError {
  const message = `cannot compare the folder ${quoted(folder)}: the commit has no files in it`
  return new CrossplaneError('not-found', message, {
    suggestions: ['Pass --path with the folder of the declaration in the repository.'],
  })
}
