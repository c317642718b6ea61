import {readdir, readFile, rm} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import type {Checkout} from '../../commit/checkout.js'
import {CrossplaneError} from '../../errors.js'
import {formatHolder, thisProcess} from '../lock-holder.js'
import {hasBranch} from './branch-exists.js'
import {openCheckout} from './checkout.js'
import {gitFailed} from './git-failure.js'
import {type GitProgram, gitIn} from './git-program.js'
import {isOfGoneProcess, workFolder} from './work-folder.js'

/** Begins the reason for which git must not prune a worktree; the process that uses it follows. */
const REASON = 'used by kubectl-crossplane: '

/**
 * Checks out another branch in a temporary worktree; creates the branch from HEAD if it does not exist, and deletes it
 * again if nothing was committed to it. Worktrees of processes that were killed are removed first: they would keep the
 * branch. Throws `git-refused`.
 */
export async function linkedWorktree(
  root: string,
  branch: string,
): Promise<{readonly checkout: Checkout; readonly close: () => Promise<void>}> {
  const git = await gitIn(root)
  let base: string | undefined
  const worktree = await temporaryWorktree({root}, git, async add => {
    const exists = await hasBranch(branch, git)
    await add(exists ? [] : ['-b', branch], exists ? [branch] : [])
    if (!exists) base = (await git.run(['rev-parse', 'HEAD'])).trim()
  }).catch((error: unknown) => {
    const {message, cause} = gitFailed(`check out ${branch}`, error)
    throw new CrossplaneError('git-refused', message, {
      cause,
      suggestions: ['Pass --branch with a branch that is not checked out elsewhere.'],
    })
  })
  const close = async () => {
    await worktree.close()
    if (base === undefined) return
    // Fails if the branch has another commit now.
    await git.run(['update-ref', '-d', `refs/heads/${branch}`, base]).catch(() => undefined)
  }
  return {...worktree, close}
}

/**
 * Opens a commit in a temporary worktree without a branch, whose files are only written when it is reset. Throws `git-refused`.
 */
export async function detachedWorktree(
  root: string,
  commit: string,
): Promise<{readonly checkout: Checkout; readonly close: () => Promise<void>}> {
  const git = await gitIn(root)
  const add = async (worktree: AddWorktree) => await worktree(['--detach', '--no-checkout'], [commit])
  return await temporaryWorktree({root, isDetached: true}, git, add).catch((error: unknown) => {
    const {message, cause} = gitFailed(`check out ${commit}`, error)
    throw new CrossplaneError('git-refused', message, {cause})
  })
}

/** Adds a worktree with these options of `git worktree add`, and the branch or commit after its path. */
type AddWorktree = (options: readonly string[], name: readonly string[]) => Promise<void>

async function temporaryWorktree(
  temporary: {readonly root: string; readonly isDetached?: boolean},
  git: GitProgram,
  add: (worktree: AddWorktree) => Promise<void>,
): Promise<{readonly checkout: Checkout; readonly close: () => Promise<void>}> {
  const folder = await workFolder()
  const at = join(folder.path, 'worktree')
  const close = async () => {
    // Twice, because it is locked.
    await git.run(['worktree', 'remove', '--force', '--force', at]).catch(() => undefined)
    await folder.remove()
  }
  try {
    await removeAbandoned(temporary.root, git)
    const reason = `${REASON}${formatHolder(await thisProcess()).trim()}`
    await add(async (options, name) => {
      await git.run([
        ...['worktree', 'add', '--quiet', '--lock', `--reason=${reason}`],
        ...[...options, at, ...name],
      ])
    })
    folder.alsoRemove(
      (await (await gitIn(at)).run(['rev-parse', '--absolute-git-dir'])).replace(/\r?\n$/, ''),
    )
    return {checkout: await openCheckout(at, {}, temporary), close}
  } catch (error) {
    await close()
    throw error
  }
}

/** Removes what the repository knows of worktrees; their folders are temporary. Worktrees of the user are never touched. */
async function removeAbandoned(root: string, git: GitProgram): Promise<void> {
  const common = (await git.run(['rev-parse', '--git-common-dir'])).replace(/\r?\n$/, '')
  const parent = resolve(root, common, 'worktrees')
  for (const name of await readdir(parent).catch(() => [])) {
    const lock = await readFile(join(parent, name, 'locked'), 'utf8').catch(() => '')
    if (!lock.startsWith(REASON) || !(await isOfGoneProcess(lock.slice(REASON.length)))) continue
    await rm(join(parent, name), {recursive: true, force: true})
  }
}
