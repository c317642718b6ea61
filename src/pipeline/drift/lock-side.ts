import type {Lock} from '../../declaration/lock.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import {XPKG_FOLDER, type XpkgFolderName} from '../../plan/folder/xpkg-folder-name.js'
import type {SetObject} from '../../render/install-set.js'
import {expectRendering} from './check-folder.js'
import {renderSets} from '../render/render-sets.js'
import {treeOptions} from '../render/tree-options.js'
import {declarationOf, outputFiles} from '../render/write-output.js'
import {readExistingLock, type RequestPorts} from '../request/read-request.js'
import type {LockedSide} from './drift-query.js'
import {type TreeFiles, treeFiles} from './tree-files.js'

/** What a lock renders. */
export interface RenderedLock {
  readonly lock: Lock
  /** As the files of a tree, with paths from the root of the repository. */
  readonly files: TreeFiles
  /** The objects of the set, by their keys. */
  readonly byKey: ReadonlyMap<string, SetObject>
}

/**
 * Renders a declaration with its lock: with the layout of the declaration for a tree, else without one. Throws the errors
 * of rendering, `lock-outdated`, and `unsupported` for a lock of another rendering.
 */
export async function renderedLock(
  {declaration, lock, settings}: LockedSide,
  tree: {readonly folder: string; readonly xpkgFolder: XpkgFolderName} | undefined,
  ports: RequestPorts,
): Promise<RenderedLock> {
  const heldLock = await readExistingLock(lock, ports.inputs)
  expectRendering(heldLock)
  const query = {
    kind: 'declaration',
    file: declaration,
    settings,
    lock: {...lock, otherwise: 'reject'},
  } as const
  const choices = {flags: {}, defaults: {}, tree: {}}
  const sets = await renderSets({kind: 'resolution', query}, {choices, settings: {}}, ports)
  const plain = {layout: {name: 'plain'}, externalCrds: false} as const
  const options = tree === undefined ? plain : treeOptions({}, declarationOf(sets))
  const {folder = '', xpkgFolder = XPKG_FOLDER} = tree ?? {}
  const files = await outputFiles(sets, {...options, path: folder, xpkgFolder})
  const prefix = tree === undefined ? '' : `${folder}/`
  return {
    lock: heldLock.lock,
    files: treeFiles(new Map(files.map(({path, content}) => [`${prefix}${path}`, content]))),
    byKey: new Map((sets.stacks?.objects ?? []).map(object => [objectKey(nameOf(object.object)), object])),
  }
}
