import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import type {OutputFile} from '../../folder/file-tree.js'

/** A folder of objects, relative to the tree. */
export interface XpkgFolder {
  readonly path: string
  readonly members: readonly XpkgSetObject[]
}

/** How a layout has a controller apply the folders. */
export interface XpkgControllerFiles {
  readonly annotationsOf: (object: XpkgSetObject) => Readonly<Record<string, string>>
  readonly added: readonly OutputFile[]
}
