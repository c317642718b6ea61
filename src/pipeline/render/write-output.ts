import type {Diagnostic} from '../../diagnostic.js'
import type {OutputFolder} from '../../commit/output-folder.js'
import {
  executePlan,
  type FolderPreview,
  type FolderWrite,
  previewFolder,
  previewPlan,
  writeFolder,
} from '../../commit/write-folder.js'
import type {judgedFilePlan} from '../../inspect/policy/planned-files.js'
import {expectPlanAllowed} from '../../inspect/policy/plan-policies.js'
import {readLists} from '../../commit/folder-target.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {expectNoSite, joinOwnedFiles, parseLists, TREE_SETTINGS} from '../../plan/folder/owned-files.js'
import {readTreeSettings, xpkgFolderOf} from '../../plan/folder/tree-settings.js'
import type {FolderRules} from '../../plan/folder/plan-folder.js'
import {withLosses} from '../../plan/folder/with-losses.js'
import {readFolderPlan} from '../../plan/folder/saved-folder-plan.js'
import type {WholeTreeOptions} from '../../plan/layout/layout.js'
import {present} from '../../present.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {joinTrees} from '../../plan/layout/join-trees.js'
import {packageFormat} from '../../package/formats.js'
import {
  type NotedSet,
  planPoliciesOf,
  type RenderedSets,
  type TreeReview,
} from '../../package/rendered-sets.js'
import {formatsIn} from './render-sets.js'
import {type GivenTree, treeOptions} from './tree-options.js'
import {expectSameSettings, type SettingFlags} from './expect-same-settings.js'
import {settingChange} from './setting-change.js'
import {undeclaredLayout} from './setting-lines.js'
import {settingsFile} from './settings-file.js'

/** A plan as it was saved in a file. */
export interface SavedPlan {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The settings of an output folder on a command line. */
export interface GivenOutput extends GivenTree, SettingFlags {
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
 * Writes sets as files, one for each object, and leaves unmanaged files as they are. Throws `output-refused` if a
 * controller that applies the tree would break instances of a CRD.
 */
export async function writeOutput(
  sets: RenderedSets,
  place: OutputPlace,
  output: GivenOutput,
): Promise<{readonly change: FolderWrite; readonly notes: readonly Diagnostic[]}> {
  const {files, rules, judge} = await treeOf(sets, place, output)
  const settings = files.find(({path}) => path === TREE_SETTINGS)?.content ?? ''
  const notes = undeclaredLayout(readTreeSettings(settings, place.folder.name), declarationOf(sets))
  return {change: await writeFolder(files, place.folder, rules, judge), notes}
}

/** Returns the plan that `writeOutput` would execute. */
export async function previewOutput(
  sets: RenderedSets,
  place: OutputPlace,
  output: GivenOutput,
): Promise<FolderPreview> {
  const {files, rules, judge} = await treeOf(sets, place, output)
  const preview = await previewFolder(files, place.folder, rules)
  return {...preview, plan: await judge(preview)}
}

/** Executes a saved plan, after checking it as untrusted input. */
export async function writeSavedPlan(saved: SavedPlan, folder: OutputFolder): Promise<FolderWrite> {
  return await executePlan(readFolderPlan(saved.bytes, saved.name), folder)
}

/** Returns the plan that `writeSavedPlan` would execute. */
export async function previewSavedPlan(saved: SavedPlan, folder: OutputFolder): Promise<FolderPreview> {
  return await previewPlan(readFolderPlan(saved.bytes, saved.name), folder)
}

/** Returns the declaration that requests the packages of sets, if there is one. */
export function declarationOf({stacks, xpkgs}: RenderedSets): NotedSet['declaration'] {
  return stacks?.declaration ?? xpkgs?.declaration
}

/**
 * Returns the files of a tree, with packages of either format; those of a declaration in several files have a list for each
 * install.
 */
export async function outputFiles(
  sets: RenderedSets,
  tree: WholeTreeOptions,
): Promise<readonly OutputFile[]> {
  const trees: (readonly OutputFile[])[] = []
  for (const name of [...formatsIn(sets)].sort()) {
    const format = await packageFormat(name)
    trees.push(await format.layOut(sets, tree))
  }
  const files = joinTrees(trees, object => writeYaml([object]))
  return [...files, settingsFile(sets, tree)]
}

/** A user who applies a folder sees the answer of the API server; a controller applies it later. */
async function treeOf(sets: RenderedSets, {folder, path}: OutputPlace, output: GivenOutput) {
  const options = treeOptions(output, declarationOf(sets))
  const isPlain = options.layout.name === 'plain'
  const rules: FolderRules = {gatesCrds: !isPlain && !output.assumeNoInstances, path: folder.name}
  // Only files that a layout adds contain paths.
  const place = isPlain ? '' : await path()
  const owned = [...joinOwnedFiles(parseLists(await readLists(folder), folder.name).values()).keys()]
  expectNoSite(owned, folder.name)
  const xpkgFolder = xpkgFolderOf(owned, await folder.read(TREE_SETTINGS), folder.name, folder.path)
  const files = await outputFiles(sets, {...options, path: place, xpkgFolder})
  const judge = async (preview: FolderPreview) => {
    await expectSettings({...preview, files}, {folder, path: place}, output, declarationOf(sets))
    const {crds, losses} = await reviewOf(sets, preview.before)
    await expectFolderJudged(sets, {...preview, files}, crds)
    return withLosses(preview.plan, losses, rules)
  }
  return {files, rules, judge}
}

/** Throws `output-refused` for a change of the settings that a folder was rendered with, unless a flag allows it. */
async function expectSettings(
  {plan, before, files}: FolderPreview & {readonly files: readonly OutputFile[]},
  {folder, path}: Pick<OutputPlace, 'folder'> & {readonly path: string},
  flags: SettingFlags,
  declaration: NotedSet['declaration'],
): Promise<void> {
  const {name} = folder
  const lists = parseLists(await readLists(folder), name)
  const read = async (paths: readonly string[]) => await textsIn(folder, paths)
  const tree = {name, path, owned: [...joinOwnedFiles(lists.values()).keys()], read}
  const change = await settingChange(tree, {files, before, operations: plan.operations})
  expectSameSettings(change, flags, {
    code: 'output-refused',
    action: 'write to',
    tree: name,
    ...present({declaration}),
  })
}

async function textsIn(folder: OutputFolder, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const path of paths) {
    const text = await folder.read(path)
    if (text !== undefined) texts.set(path, text)
  }
  return texts
}

/** Reviews what new versions do that the files of a tree do not show. */
async function reviewOf(
  {treeReview}: RenderedSets,
  before: ReadonlyMap<string, string>,
): Promise<TreeReview> {
  return (await treeReview?.(before)) ?? {crds: [], losses: []}
}

/** Throws `policy-refused` for what the policy of the team rejects of a plan. */
async function expectFolderJudged(
  sets: RenderedSets,
  planned: Omit<Parameters<typeof judgedFilePlan>[0], 'target'>,
  requested: TreeReview['crds'],
): Promise<void> {
  const policies = planPoliciesOf(sets)
  if (policies === undefined) return
  // Loaded here: few policies have anything about plans.
  const {judgedFilePlan} = await import('../../inspect/policy/planned-files.js')
  const judged = judgedFilePlan({...planned, target: 'folder'})
  await expectPlanAllowed(policies, {...judged, crds: [...judged.crds, ...requested]})
}
