import {existsSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import type {Repository, RepositoryPlace} from '../../commit/repository.js'
import {CrossplaneError} from '../../errors.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {quoted, shellWord} from '../../text.js'
import {hasBranch} from './branch-exists.js'
import {openCheckout} from './checkout.js'
import {credentialConfig, expectUsablePassword} from './credential-config.js'
import {expectNoRemoteBranch, fetchBranch, rebaseCommand, remoteOf} from './followed-remote.js'
import {withoutCredentials} from '../../without-credentials.js'
import {withoutBranch} from './git-failure.js'
import {type GitProgram, gitIn} from './git-program.js'
import {linkedWorktree} from './linked-worktree.js'
import {isRefName} from './ref-name.js'
import {remoteBranch} from './remote-branch.js'
import {temporaryClone} from './temporary-clone.js'

/**
 * Opens the working tree of a folder, or a temporary clone of a URL. Throws `git-failed`, and `git-refused` for what git must not
 * open.
 */
export async function openRepository(place: RepositoryPlace): Promise<Repository> {
  expectBranchName(place.branch)
  const gitStats = await stat(place.git).catch(() => undefined)
  return gitStats?.isDirectory() === true ? await openFolder(place) : await openUrl(place)
}

/** Throws `usage` for a name that git does not accept, and for those that could be read as an option or a revision. */
export function expectBranchName(branch: string | undefined): void {
  if (branch === undefined) return
  const isRef = /^(?:HEAD$|refs\/)/.test(branch)
  if (!isRef && isRefName(branch)) return
  const reason =
    branch === 'HEAD' ? 'the current branch is used without --branch' : 'not the name of a branch'
  throw new CrossplaneError('usage', `invalid --branch ${quoted(branch)}: ${reason}`, {
    suggestions: isRef ? ['Pass --branch with the name that git branch prints, without refs/heads/.'] : [],
  })
}

async function openFolder(place: RepositoryPlace): Promise<Repository> {
  const {git: folder, branch, remote, push, isRead, follows} = place
  const checkout = await openCheckout(folder)
  if (branch === undefined && !push) return {name: folder, checkout, close: () => Promise.resolve()}
  const state = await checkout.state()
  const {root, branch: current} = state
  if (branch === undefined || branch === current) {
    const close = () => Promise.resolve()
    const pushed =
      push && current !== undefined ? await pushedTo(current, remote, {root, at: root, follows}) : {}
    return {name: folder, checkout, close, ...pushed}
  }
  const git = await gitIn(root)
  if (isRead === true) {
    await expectReadable(branch, folder, git)
  } else {
    await expectNoRemoteBranch(branch, {remote, push}, {root, git})
    await expectBranch(branch, state, git)
  }
  const {checkout: work, close} = await linkedWorktree(root, branch)
  try {
    const {root: at} = await work.state()
    const shown = (text: string) => text.replaceAll(`${at}/`, () => `${branch}:`).replaceAll(at, () => root)
    return {
      name: folder,
      checkout: work,
      shown,
      close,
      ...(push ? await pushedTo(branch, remote, {root, at, follows: false}) : {}),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Throws `git-refused` for a branch that does not exist, and cannot be created without a commit. */
async function expectBranch(
  branch: string,
  {branch: current, head, others}: CheckoutState,
  git: GitProgram,
): Promise<void> {
  if (head !== undefined || (await hasBranch(branch, git))) return
  const message = `cannot create ${branch}: ${current ?? 'HEAD'} has no commit`
  throw new CrossplaneError('git-refused', message, {
    suggestions: [others?.next ?? 'Make the first commit, or leave out --branch.'],
  })
}

async function expectReadable(branch: string, folder: string, git: GitProgram): Promise<void> {
  if (!(await hasBranch(branch, git)))
    throw withoutBranch(branch, folder, `git -C ${shellWord(folder)} branch`)
}

/** A working tree, and that of the user, if it is a temporary one. */
interface WorkPlace {
  readonly at: string
  readonly root: string
  /** Whether the branch gets what others pushed. */
  readonly follows: boolean | undefined
}

async function pushedTo(
  branch: string,
  requested: string | undefined,
  {root, at, follows}: WorkPlace,
): Promise<Pick<Repository, 'remote'>> {
  const tree = {root, git: await gitIn(root), isCurrent: at === root, follows}
  const named = await remoteOf(branch, requested, tree)
  const exists = await fetchBranch(named, tree)
  const place = {...named, exists, rebase: rebaseCommand(named, tree)}
  const opened = remoteBranch(place, await gitIn(at), tree.git)
  if (follows === true && exists) await opened.follow()
  return {remote: opened}
}

/** Transports that run no program which the URL names. */
const URL_FORM = /^(?:https?|ssh|git|file|git\+ssh):\/\/(?!-|[^\s/]*@-)\S/

/** `[USER@]HOST:PATH`; neither begins with a dash, which ssh would read as an option. */
const SSH_FORM = /^(?:[^\s/:@-][^\s/:@]*@)?(?:\w[\w.-]*|\[[\w.:%-]+\]):(?!:|\/\/)[^\s-]/

async function openUrl(place: RepositoryPlace): Promise<Repository> {
  const {git: url, remote} = place
  expectUsablePassword(url)
  if (!URL_FORM.test(url) && !SSH_FORM.test(url))
    throw notOpened(withoutCredentials(credentialConfig(url).url))
  if (remote !== undefined) {
    throw new CrossplaneError('usage', '--remote is for --git with a folder', {
      suggestions: ['Leave out --remote.'],
    })
  }
  return await temporaryClone(place)
}

function notOpened(name: string): CrossplaneError {
  const isMissing = /^[^:-][^:]*$/.test(name) && !existsSync(name)
  const cause = isMissing
    ? 'no such file or directory'
    : 'it is neither a folder nor a URL of https, ssh, git or file'
  const message = `cannot open the repository ${quoted(name)}: ${cause}`
  return new CrossplaneError(isMissing ? 'not-found' : 'git-refused', message, {
    suggestions: [
      'Pass --git with a folder that exists, or with a URL such as https://git.example.org/team/deploy.git',
    ],
  })
}
