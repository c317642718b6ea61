import type {ArgoCdSettings, FluxSettings} from '../../declaration/layout-settings.js'
import type {SetObject} from '../../render/install-set.js'
import type {XpkgFolderName} from '../folder/xpkg-folder-name.js'

/** The tool that a tree is for, with its settings. */
export type Layout =
  | {readonly name: 'plain'}
  | {readonly name: 'flux'; readonly settings: FluxSettings}
  | {readonly name: 'argocd'; readonly settings: ArgoCdSettings}

/** The place of a tree, and how its objects are laid out. */
export interface TreeOptions {
  readonly layout: Layout
  /** Relative to the root of the repository, with `/` between segments; empty for the root itself. */
  readonly path: string
  /** Whether another declaration owns the CRDs of the cluster: they are not in the tree, and not claimed. */
  readonly externalCrds: boolean
}

/** How a tree of packages of any format is laid out. */
export interface WholeTreeOptions extends TreeOptions {
  /** The folder of requests for a current Crossplane, where a layout has one for all of them. */
  readonly xpkgFolder: XpkgFolderName
}

/** A file that a layout adds to those of objects. */
export interface AddedFile {
  /** Relative to the tree. */
  readonly path: string
  readonly content: string
}

/** How a layout has a controller apply a tree. */
export interface ControllerFiles {
  /** The annotations by which the controller decides how to apply an object. */
  readonly annotationsOf: (object: SetObject) => Readonly<Record<string, string>>
  readonly added: readonly AddedFile[]
}
