import type {OutputFolder} from '../../commit/output-folder.js'
import {
  executePlan,
  type FolderPreview,
  type FolderWrite,
  previewFolder,
  previewPlan,
  writeFolder,
} from '../../commit/write-folder.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {filesOfInstalls} from '../../plan/folder/files-of-installs.js'
import type {FolderRules} from '../../plan/folder/plan-folder.js'
import {readFolderPlan} from '../../plan/folder/saved-folder-plan.js'
import {layOut} from '../../plan/layout/lay-out.js'
import type {TreeOptions} from '../../plan/layout/layout.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {layOutXpkgs} from '../../plan/layout/xpkg/lay-out-xpkgs.js'
import type {DeclaredXpkgSet} from './rendered-sets.js'
import type {NotedSet} from './render.js'
import {type GivenTree, treeOptions} from './tree-options.js'

/** A plan as it was saved in a file. */
export interface SavedPlan {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The settings of an output folder on a command line. */
export interface GivenOutput extends GivenTree {
  /** Whether CRDs can change although their instances would prevent that or get lost. */
  readonly assumeNoInstances: boolean
}

/** An output folder. */
export interface OutputPlace {
  readonly folder: OutputFolder
  /** Finds it in its repository; empty for the root, and outside of a repository. */
  readonly path: () => Promise<string>
}

/**
 * Writes a set as files, one for each object, and leaves unmanaged files as they are. Throws `output-refused` if a
 * controller that applies the tree would break instances of a CRD.
 */
export async function writeOutput(
  set: WrittenSet,
  place: OutputPlace,
  output: GivenOutput,
): Promise<FolderWrite> {
  const {files, rules} = await treeOf(set, place, output)
  return await writeFolder(files, place.folder, rules)
}

/** Returns the plan that `writeOutput` would execute. */
export async function previewOutput(
  set: WrittenSet,
  place: OutputPlace,
  output: GivenOutput,
): Promise<FolderPreview> {
  const {files, rules} = await treeOf(set, place, output)
  return await previewFolder(files, place.folder, rules)
}

/** Executes a saved plan, after checking it as untrusted input. */
export async function writeSavedPlan(saved: SavedPlan, folder: OutputFolder): Promise<FolderWrite> {
  return await executePlan(readFolderPlan(saved.bytes, saved.name), folder)
}

/** Returns the plan that `writeSavedPlan` would execute. */
export async function previewSavedPlan(saved: SavedPlan, folder: OutputFolder): Promise<FolderPreview> {
  return await previewPlan(readFolderPlan(saved.bytes, saved.name), folder)
}

/** A set to write: that of packages, or of a package for a current Crossplane. */
export type WrittenSet = NotedSet | DeclaredXpkgSet

/** Returns the files of a tree; those of a declaration in several files have a list for each install. */
export function outputFiles(set: NotedSet, tree: TreeOptions): readonly OutputFile[] {
  const files = layOut(set, tree, object => writeYaml([object]))
  return set.declaration?.isSplit === true ? filesOfInstalls(files, set) : files
}

/** A user who applies a folder sees the answer of the API server; a controller applies it later. */
async function treeOf(set: WrittenSet, {path}: OutputPlace, output: GivenOutput) {
  const isXpkg = !('installs' in set)
  const options = treeOptions(output, set.declaration)
  const isPlain = options.layout.name === 'plain'
  const rules: FolderRules = {gatesCrds: !isPlain && !output.assumeNoInstances}
  // Only files that a layout adds contain paths.
  const tree = {...options, path: isPlain ? '' : await path()}
  const files = isXpkg ? layOutXpkgs(set, tree, object => writeYaml([object])) : outputFiles(set, tree)
  return {files, rules}
}
