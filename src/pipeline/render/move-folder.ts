import {readLists, textsOf} from '../../commit/folder-target.js'
import type {OutputFolder} from '../../commit/output-folder.js'
import {type FolderPreview, type FolderWrite, previewFolder, writeFolder} from '../../commit/write-folder.js'
import {CrossplaneError} from '../../errors.js'
import {type MovedTree, moveFiles} from '../../plan/folder/move-files.js'
import {joinOwnedFiles, OWNED_FILES, parseLists, TREE_SETTINGS} from '../../plan/folder/owned-files.js'
import {rejected} from '../../plan/rejection.js'
import type {OutputPlace} from './write-output.js'

/** The move of a folder's files, and what it changes; undefined if nothing has to move. */
export interface FolderMove {
  readonly moved: MovedTree
  readonly preview: FolderPreview
}

/**
 * Plans the move of the files of an output folder of an earlier release to the folders of new ones. Throws `not-found` for a folder
 * that this program has not written, and `output-refused` for files that must not move.
 */
export async function planFolderMove({folder, path}: OutputPlace): Promise<FolderMove | undefined> {
  const lists = parseLists(await readLists(folder), folder.name)
  if (lists.size === 0) throw withoutList(folder)
  const paths = [...joinOwnedFiles(lists.values()).keys(), TREE_SETTINGS]
  const texts = await textsOf(paths, await folder.look(paths), folder)
  const names = async (name: string) => await folder.names(name)
  const moved = await moveFiles({
    ...{name: folder.name, place: folder.path, path: await path()},
    ...{lists, texts, names},
  })
  if (moved === undefined) return undefined
  if (moved.rejections.length > 0) throw rejected(folder.name, moved.rejections)
  return {moved, preview: await previewFolder(moved.files, folder)}
}

/** Moves the files, which are still as they were planned, or leaves the folder as it is. Throws as `writeFolder` does. */
export async function moveFolder({moved: {files}}: FolderMove, folder: OutputFolder): Promise<FolderWrite> {
  return await writeFolder(files, folder)
}

function withoutList({name}: OutputFolder): CrossplaneError {
  return new CrossplaneError('not-found', `cannot move the files of ${name}: it has no ${OWNED_FILES}`, {
    suggestions: ['Pass --declaration FILE with the declaration of a tree, or --git DIR.'],
  })
}
