import {isSameDeclaration} from '../declaration/same-declaration.js'
import {CrossplaneError, withSuggestions} from '../errors.js'
import type {WritableFile} from '../fetch/output-files.js'
import type {OutputFile} from '../plan/folder/file-tree.js'
import type {FolderEntries, FolderEntry} from '../plan/folder/folder-snapshot.js'
import type {Plan} from '../plan/plan.js'
import {sha256Of} from '../plan/sha256.js'
import {listSome} from '../text.js'
import type {BranchTip, Checkout, CommitStyle, MadeCommit, NewCommit, StagedFiles} from './checkout.js'
import {expectAsPlanned, fileTarget} from './file-target.js'
import type {OutputFolder} from './output-folder.js'
import {restoreFiles, undoCommit, withKept, type WrittenFiles, type WrittenTree} from './restore-files.js'
import {writeFolder} from './write-folder.js'

/** The content of a commit. */
export interface CommitPlan {
  /** The files of the tree. */
  readonly tree: readonly OutputFile[]
  /** The plans of files outside of the tree. */
  readonly files: readonly {readonly file: WritableFile; readonly plan: Plan}[]
  /** The texts of the declaration, by path, which a hook can format: only their bytes differ then. */
  readonly declarations: ReadonlyMap<string, string>
  /** All paths that the commit can change. */
  readonly writtenFiles: WrittenFiles
  /** The files among them that the user wrote before, in the form in which they are committed: they stay as they are. */
  readonly own: ReadonlySet<string>
  readonly message: string
  readonly style: CommitStyle
  /** The branch, and the commit that this one follows. */
  readonly tip: BranchTip
}

/** The working tree of a commit, and the rendered tree in it. */
export interface CommitPorts extends WrittenTree {
  readonly tree: OutputFolder
}

/**
 * Writes files and commits them; returns the commit, or undefined if HEAD has these files already. After a failing hook or
 * signature, and if a hook changed the files or added others, all paths are as in HEAD again, but the user's own files and
 * those that were edited meanwhile. Throws `git-refused` if the branch is not the planned one anymore, `git-failed`, and as `writeFolder` does.
 */
export async function commitFiles(plan: CommitPlan, ports: CommitPorts): Promise<NewCommit | undefined> {
  const {writtenFiles, files, own} = plan
  const {checkout} = ports
  if (!isSameTip(plan.tip, await checkout.tip())) throw movedBranch(plan.tip)
  // A parallel run may have changed them: then nothing is written.
  for (const {file, plan: operations} of files) await expectAsPlanned(operations, file)
  await writeFolder(plan.tree, ports.tree)
  let left: FolderEntries | undefined
  const restore = async () => await restoreFiles(writtenFiles, ports, {own, left})
  const commit = await restoringOnFailure(restore, async () => {
    for (const {file, plan: operations} of files) await fileTarget(file).apply(operations)
    const staged = await checkout.stage(writtenFiles)
    const {blobs, isAlone} = staged
    if (blobs.size === 0) return undefined
    const content = {paths: [...blobs.keys()], isAlone, message: plan.message, after: plan.tip.head}
    const made = await checkout.commit(content, plan.style).catch(async (error: unknown) => {
      left = await renderedNow(writtenFiles, ports)
      throw withNextStep(error, [
        ...(formattedByHook(left, writtenFiles) ? [EXCLUDE] : []),
        ...(await formattedDeclarations(plan.declarations, ports)).map(commitsAgain),
      ])
    })
    return {made, isAlone, problem: await problemOf(made, staged, {plan, checkout})}
  })
  if (commit?.problem === undefined) return commit?.made
  const {error, committedByHook = [], addedByHook = []} = commit.problem
  const byHook = await leftByHook(committedByHook, ports)
  const kept = await undoCommit(commit.made, writtenFiles, ports, {own, left: byHook})
  // What others had staged was not part of the commit.
  if (commit.isAlone) await checkout.restore(addedByHook, new Set(addedByHook))
  throw withKept(error, kept)
}

function isSameTip(one: BranchTip, other: BranchTip): boolean {
  return one.branch === other.branch && one.head === other.head
}

/**
 * Returns the rendered files and locks as they are now: hooks that format files change them and fail, and no user edits
 * them.
 */
async function renderedNow(writtenFiles: WrittenFiles, {whole, tree}: CommitPorts): Promise<FolderEntries> {
  const prefix = `${tree.name.slice(whole.name.length + 1)}/`
  const isRendered = (path: string) => path.startsWith(prefix) || path.endsWith('.lock')
  return await whole.look([...writtenFiles.keys()].filter(isRendered))
}

function formattedByHook(left: FolderEntries, writtenFiles: WrittenFiles): boolean {
  return [...left].some(([path, entry]) => entry.kind === 'file' && entry.sha256 !== writtenFiles.get(path))
}

/** Returns the files of the declaration that a hook formatted and did not commit. */
async function formattedDeclarations(
  declarations: CommitPlan['declarations'],
  {whole}: Pick<CommitPorts, 'whole'>,
): Promise<readonly string[]> {
  const formatted: string[] = []
  for (const [path, text] of declarations) {
    const current = await whole.read(path)
    if (current !== undefined && current !== text && isSameDeclaration(current, text)) formatted.push(path)
  }
  return formatted
}

function commitsAgain(path: string): string {
  return `Run the command again: it commits ${path} as it is now.`
}

function withNextStep(error: unknown, suggestions: readonly string[]): unknown {
  return error instanceof CrossplaneError && suggestions.length > 0
    ? withSuggestions(error, suggestions)
    : error
}

const EXCLUDE =
  'Exclude the rendered tree and locks from hooks that format files: they must stay as they were rendered.'

async function restoringOnFailure<T>(
  restore: () => Promise<readonly string[]>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw withKept(error, await restore().catch(() => notRestored(error)))
  }
}

/** The first failure is the one to report; the same command completes what is left. */
function notRestored(error: unknown): never {
  if (!(error instanceof CrossplaneError)) throw error
  throw withSuggestions(error, ['Run the command again: it commits the files that it has written.'])
}

/** The reason for which a commit that was made must be undone. */
interface Problem {
  readonly error: CrossplaneError
  /** The paths that a hook changed in the commit. */
  readonly committedByHook?: readonly string[]
  /** The paths of others that a hook added to the commit: they stay in the working tree. */
  readonly addedByHook?: readonly string[]
}

async function problemOf(
  {branch, parent, blobs: committed}: MadeCommit,
  {blobs: staged, stamps}: StagedFiles,
  {
    plan: {tip, writtenFiles, declarations},
    checkout,
  }: {readonly plan: CommitPlan; readonly checkout: Checkout},
): Promise<Problem | undefined> {
  if (!isSameTip(tip, {branch, head: parent})) return {error: movedBranch(tip)}
  const paths = [...writtenFiles.keys()]
  const others = [...committed.keys()].filter(path => !writtenFiles.has(path))
  if (others.length > 0) return {error: addedFiles(others), addedByHook: others}
  const differing = paths.filter(
    path => committed.get(path) !== staged.get(path) || committed.has(path) !== staged.has(path),
  )
  const byHook = await withoutFormatted(differing, declarations, checkout)
  // A change that is not in the commit can be the user's: it is kept.
  if (byHook.length > 0)
    return {
      error: modifiedFiles(byHook, 'a hook'),
      committedByHook: byHook,
    }
  const left = (await checkout.changedSince(stamps)).map(({path}) => path)
  return left.length > 0 ? {error: modifiedFiles(left, 'a hook or another program')} : undefined
}

/** Leaves out the files of the declaration that a hook only formatted in the commit. */
async function withoutFormatted(
  paths: readonly string[],
  declarations: CommitPlan['declarations'],
  checkout: Pick<Checkout, 'committedFiles'>,
): Promise<readonly string[]> {
  const committed = await checkout.committedFiles(paths.filter(path => declarations.has(path)))
  const isFormatted = (path: string) => {
    const [text, bytes] = [declarations.get(path), committed.get(path)]
    return text !== undefined && bytes !== undefined && isSameDeclaration(text, Buffer.from(bytes).toString())
  }
  return paths.filter(path => !isFormatted(path))
}

/** Returns the files that are as a hook committed them. */
async function leftByHook(paths: readonly string[], {checkout, whole}: WrittenTree): Promise<FolderEntries> {
  const left = new Map<string, FolderEntry>()
  for (const [path, entry] of await whole.look(paths)) {
    const committed = await checkout.committed(path)
    if (entry.kind === 'file' && committed !== undefined && entry.sha256 === sha256Of(committed))
      left.set(path, entry)
  }
  return left
}

/** The error for a branch that was moved, or switched, since the plan was made. */
export function movedBranch({branch = 'HEAD'}: BranchTip): CrossplaneError {
  const message = `cannot commit to ${branch}: the current branch has changed since the plan was made`
  return new CrossplaneError('git-refused', message, {
    suggestions: ['Run the command again: it starts from the current commit.'],
  })
}

function addedFiles(paths: readonly string[]): CrossplaneError {
  const message = `cannot commit: a hook added ${listSome(paths, 3)} to the commit`
  return new CrossplaneError('git-failed', message, {
    suggestions: ['Change the hook: a commit of packages must contain no other files.'],
  })
}

function modifiedFiles(paths: readonly string[], by: string): CrossplaneError {
  const message = `cannot commit: ${by} modified ${listSome(paths, 3)}`
  return new CrossplaneError('git-failed', message, {
    suggestions: ['Exclude the rendered tree from the hook: its files must stay as they were rendered.'],
  })
}
