import {CrossplaneError, withSuggestions} from '../errors.js'
import type {OutputFile} from '../plan/folder/file-tree.js'
import type {FolderRules} from '../plan/folder/plan-folder.js'
import type {Plan} from '../plan/plan.js'
import type {WritableFile} from '../fetch/output-files.js'
import {listSome} from '../text.js'
import type {Checkout, CheckoutWriter, CommitStyle} from './checkout.js'
import {fileTarget} from './file-target.js'
import type {OutputFolder} from './output-folder.js'
import {writeFolder} from './write-folder.js'

/** The content of a commit. */
export interface CommitPlan {
  /** The files of the tree. */
  readonly tree: readonly OutputFile[]
  readonly rules: FolderRules
  /** The plans of files outside of the tree. */
  readonly files: readonly {readonly file: WritableFile; readonly plan: Plan}[]
  /** All paths that the commit can change, relative to the working tree. */
  readonly paths: readonly string[]
  readonly message: string
  readonly style: CommitStyle
  /** The commit that it follows; absent for the first one. */
  readonly head?: string
}

/**
 * Writes files and commits them; returns the ID of the commit, or undefined if HEAD has these files already. After a
 * failing hook or signature, and if a hook changed the files, all paths are as in HEAD again. Throws `git-failed`, and as
 * `writeFolder` does.
 */
export async function commitFiles(
  plan: CommitPlan,
  folder: OutputFolder,
  checkout: Checkout,
): Promise<string | undefined> {
  await writeFolder(plan.tree, folder, plan.rules)
  for (const {file, plan: operations} of plan.files) await fileTarget(file).apply(operations)
  const {paths} = plan
  const staged = await checkout.stage(paths)
  if (isSame(staged, await checkout.blobs(paths))) return undefined
  const commit = await restoringOnFailure(paths, checkout, () =>
    checkout.commit(paths, plan.message, plan.style),
  )
  const modified = await modifiedByHook(paths, staged, checkout)
  if (modified.length === 0) return commit
  await checkout.undo(commit, plan.head)
  await checkout.restore(paths)
  throw modifiedFiles(modified)
}

async function restoringOnFailure<T>(
  paths: readonly string[],
  checkout: CheckoutWriter,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    try {
      await checkout.restore(paths)
    } catch {
      // The first failure is the one to report; the same command completes what is left.
      if (error instanceof CrossplaneError) {
        throw withSuggestions(error, ['Run the command again: it commits the files that it has written.'])
      }
    }
    throw error
  }
}

/** Returns the paths whose committed or current content is not the one that was staged. */
async function modifiedByHook(
  paths: readonly string[],
  staged: ReadonlyMap<string, string>,
  checkout: Checkout,
): Promise<readonly string[]> {
  const committed = await checkout.blobs(paths)
  const changed = new Set((await checkout.changed(paths)).map(({path}) => path))
  return paths.filter(path => committed.get(path) !== staged.get(path) || changed.has(path))
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, blob]) => other.get(path) === blob)
}

function modifiedFiles(paths: readonly string[]): CrossplaneError {
  const message = `cannot commit: a hook modified ${listSome(paths, 3)}`
  return new CrossplaneError('git-failed', message, {
    suggestions: ['Exclude the rendered tree from the hook: its files must stay as they were rendered.'],
  })
}
