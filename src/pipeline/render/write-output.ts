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
import type {FolderRules} from '../../plan/folder/plan-folder.js'
import {readFolderPlan} from '../../plan/folder/saved-folder-plan.js'
import {layOut} from '../../plan/layout/lay-out.js'
import type {TreeOptions} from '../../plan/layout/layout.js'
import type {InstallSet} from '../../render/install-set.js'
import {writeYaml} from '../../yaml/write-yaml.js'

/** A plan as it was saved in a file. */
export interface SavedPlan {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The layout of a tree, and what the user vouches for. */
export interface OutputTree extends TreeOptions {
  /** Whether CRDs can change although their instances would prevent that or get lost. */
  readonly assumeNoInstances: boolean
}

/**
 * Writes a set as files, one for each object, and leaves unmanaged files as they are. Throws `output-refused` if a
 * controller that applies the tree would break instances of a CRD.
 */
export async function writeOutput(
  set: InstallSet,
  folder: OutputFolder,
  tree: OutputTree,
): Promise<FolderWrite> {
  return await writeFolder(outputFiles(set, tree), folder, rulesOf(tree))
}

/** Returns the plan that `writeOutput` would execute. */
export async function previewOutput(
  set: InstallSet,
  folder: OutputFolder,
  tree: OutputTree,
): Promise<FolderPreview> {
  return await previewFolder(outputFiles(set, tree), folder, rulesOf(tree))
}

/** Executes a saved plan, after checking it as untrusted input. */
export async function writeSavedPlan(saved: SavedPlan, folder: OutputFolder): Promise<FolderWrite> {
  return await executePlan(readFolderPlan(saved.bytes, saved.name), folder)
}

/** Returns the plan that `writeSavedPlan` would execute. */
export async function previewSavedPlan(saved: SavedPlan, folder: OutputFolder): Promise<FolderPreview> {
  return await previewPlan(readFolderPlan(saved.bytes, saved.name), folder)
}

/** Returns the files of a tree. */
export function outputFiles(set: InstallSet, tree: TreeOptions): readonly OutputFile[] {
  return layOut(set, tree, object => writeYaml([object]))
}

/** A user who applies a folder sees the answer of the API server; a controller applies it later. */
function rulesOf({layout, assumeNoInstances}: OutputTree): FolderRules {
  return {gatesCrds: layout.name !== 'plain' && !assumeNoInstances}
}
