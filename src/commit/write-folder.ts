import type {OutputFile} from '../plan/folder/file-tree.js'
import type {OwnedFiles} from '../plan/folder/folder-snapshot.js'
import {type FolderRules, NO_GATES, planFolder, withRisks} from '../plan/folder/plan-folder.js'
import {judgeSavedPlan, listsAfter} from '../plan/folder/judge-saved-plan.js'
import {BOOKKEEPING, joinOwnedFiles, parseLists} from '../plan/folder/owned-files.js'
import type {Plan} from '../plan/plan.js'
import {expectExecutable} from '../plan/rejection.js'
import {fileChanges, judgeChanges, pathsOfChanges} from './file-changes.js'
import {
  type FolderChange,
  type FolderTarget,
  folderTarget,
  observeFolder,
  readLists,
  textsOf,
} from './folder-target.js'
import type {OutputFolder} from './output-folder.js'
import {pendingWrite, type Recovery, recoverFolder} from './recover-folder.js'

/** The result of a write, and of recovering an earlier write that was interrupted. */
export interface FolderWrite extends FolderChange {
  readonly recovered?: Recovery
}

/** The lock of a folder that is written to. */
export const LOCK = `${BOOKKEEPING}/lock`

/**
 * Writes exactly these managed files to a folder, beside unmanaged ones, or leaves the folder unchanged. Throws
 * `output-refused` for files that must not be changed and while another process writes, `output-failed` for system
 * errors; an interrupted write is completed or rolled back by the next call.
 * @param judge - returns the plan with its review, and throws if it must not be executed.
 */
export async function writeFolder(
  files: readonly OutputFile[],
  folder: OutputFolder,
  rules: FolderRules = NO_GATES,
  judge: (preview: FolderPreview) => Promise<Plan> = ({plan}) => Promise.resolve(plan),
): Promise<FolderWrite> {
  return await locked(folder, async target => {
    const snapshot = await target.observe(files)
    const plan = await judge({plan: planFolder(files, snapshot, rules), before: snapshot.texts})
    expectExecutable(plan, folder.name)
    return await target.apply(plan)
  })
}

/**
 * Executes exactly this plan. Throws `output-refused` if a precondition no longer holds, and as `writeFolder` does;
 * then nothing was changed.
 */
export async function executePlan(plan: Plan, folder: OutputFolder): Promise<FolderWrite> {
  expectExecutable(plan, folder.name)
  return await locked(folder, async target => {
    const {plan: judged} = await previewPlan(plan, folder)
    expectExecutable(judged, folder.name)
    return await target.apply(judged)
  })
}

/** A plan, and the current contents of the files that it replaces or deletes. */
export interface FolderPreview {
  readonly plan: Plan
  readonly before: ReadonlyMap<string, string>
}

/** A preview of a write, and the files that the folder lists as managed. */
export interface WritePreview extends FolderPreview {
  readonly owned: OwnedFiles
  /** The paths of the lists in which they are. */
  readonly lists: readonly string[]
}

/** Returns the plan that `writeFolder` would execute now. Changes nothing; an interrupted write is a rejection. */
export async function previewFolder(
  files: readonly OutputFile[],
  folder: OutputFolder,
  rules: FolderRules = NO_GATES,
): Promise<WritePreview> {
  const isPending = (await pendingWrite(folder)) === 'to-complete'
  const snapshot = await observeFolder(files, folder)
  const plan = planFolder(files, snapshot, rules)
  const rejections = isPending ? [PENDING, ...plan.rejections] : plan.rejections
  return {
    plan: {...plan, rejections},
    before: snapshot.texts,
    owned: snapshot.owned,
    lists: snapshot.lists ?? [],
  }
}

/**
 * Returns the plan that `executePlan` would apply now: with the risks that it has in this folder, and a rejection for each
 * change that must not be made, because a precondition does not hold or the file is not managed.
 */
export async function previewPlan(plan: Plan, folder: OutputFolder): Promise<FolderPreview> {
  const changes = fileChanges(plan)
  const texts = await readLists(folder)
  const listed = parseLists(texts, folder.name)
  const owned = joinOwnedFiles(listed.values())
  const lists = [...owned.keys(), ...joinOwnedFiles(listsAfter(plan.operations, listed).values()).keys()]
  const entries = await folder.look([...new Set([...pathsOfChanges(changes), ...lists])])
  const replaced = changes.flatMap(({path, before}) => (before === undefined ? [] : [path]))
  const before = await textsOf(replaced, entries, folder)
  const outdated = judgeChanges(changes, entries).rejections
  const stopped = new Set(outdated.map(({file}) => file))
  const others = judgeSavedPlan(plan.operations, {entries, owned, texts: before, listed})
  const rejections = [...outdated, ...others.filter(({file}) => !stopped.has(file))]
  return {plan: {...withRisks(plan, before, {folder: folder.name}), rejections}, before}
}

const PENDING = {
  severity: 'error',
  rule: 'write-pending',
  message: 'a write to the folder is in progress, or was interrupted',
  suggestions: ['Run the command without --dry-run: it completes the interrupted write first.'],
} as const

async function locked(
  folder: OutputFolder,
  work: (target: FolderTarget) => Promise<FolderChange>,
): Promise<FolderWrite> {
  return await folder.exclusively(LOCK, async changes => {
    const recovered = await recoverFolder(folder, changes)
    const change = await work(folderTarget(folder, changes))
    return {...change, ...(recovered && {recovered})}
  })
}
