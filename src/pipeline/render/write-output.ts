import type {OutputFolder} from '../../commit/output-folder.js'
import {
  executePlan,
  type FolderPreview,
  type FolderWrite,
  previewFolder,
  previewPlan,
  writeFolder,
} from '../../commit/write-folder.js'
import {filesOf, type OutputFile} from '../../plan/folder/file-tree.js'
import {readFolderPlan} from '../../plan/folder/saved-folder-plan.js'
import type {InstallSet} from '../../render/install-set.js'
import {writeYaml} from '../../yaml/write-yaml.js'

/** A plan as it was saved in a file. */
export interface SavedPlan {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Writes a set as files, one for each object, and leaves unmanaged files as they are. */
export async function writeOutput(set: InstallSet, folder: OutputFolder): Promise<FolderWrite> {
  return await writeFolder(outputFiles(set), folder)
}

/** Returns the plan that `writeOutput` would execute. */
export async function previewOutput(set: InstallSet, folder: OutputFolder): Promise<FolderPreview> {
  return await previewFolder(outputFiles(set), folder)
}

/** Executes a saved plan, after checking it as untrusted input. */
export async function writeSavedPlan(saved: SavedPlan, folder: OutputFolder): Promise<FolderWrite> {
  return await executePlan(readFolderPlan(saved.bytes, saved.name), folder)
}

/** Returns the plan that `writeSavedPlan` would execute. */
export async function previewSavedPlan(saved: SavedPlan, folder: OutputFolder): Promise<FolderPreview> {
  return await previewPlan(readFolderPlan(saved.bytes, saved.name), folder)
}

/** Returns the files of a set, one for each object. */
export function outputFiles(set: InstallSet): readonly OutputFile[] {
  return filesOf(set, object => writeYaml([object]))
}
