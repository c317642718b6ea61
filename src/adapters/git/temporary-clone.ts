import {join} from 'node:path'
import type {Repository, RepositoryPlace} from '../../commit/repository.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {quoted, shellWord} from '../../text.js'
import {hasRemoteBranch} from './branch-exists.js'
import {openCheckout} from './checkout.js'
import {credentialConfig} from './credential-config.js'
import {withoutCredentials} from '../../without-credentials.js'
import {withoutBranch} from './git-failure.js'
import {type GitConfig, type GitProgram, gitIn} from './git-program.js'
import {hasCommit} from './head.js'
import {remoteBranch} from './remote-branch.js'
import {unreachable} from './remote-failure.js'
import {workFolder} from './work-folder.js'

/** Clones the home of a URL into a temporary folder. No file in it has the credentials of the URL. Throws `git-failed` and `git-refused`. */
export async function temporaryClone({
  git: address,
  branch,
  tree,
  isRead = false,
  hasHistory = isRead,
}: RepositoryPlace): Promise<Repository> {
  const folder = await workFolder()
  try {
    const {url, config} = credentialConfig(address)
    const root = await clone({url, branch, folder: folder.path, tree, isRead, hasHistory}, config)
    const checkout = await openCheckout(root, config, {})
    const {branch: current = ''} = await checkout.state()
    const git = await gitIn(root, config)
    const exists =
      (await git.find(['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${current}`])) !== ''
    if (!exists && (branch === undefined || !(await hasCommit(git))))
      await expectNoBranches(url, {head: current, ...present({branch})}, git)
    const remote = remoteBranch({remote: 'origin', branch: current, target: current, url, exists}, git)
    const include = async (paths: readonly string[]) => {
      await git.run(['sparse-checkout', 'add', '--', ...paths])
    }
    const name = withoutCredentials(url)
    const shown = (text: string) => text.replaceAll(root, () => name.replace(/\/+$/, ''))
    return {name, checkout, remote, include, shown, close: () => folder.remove()}
  } catch (error) {
    await folder.remove()
    throw error
  }
}

interface ClonePlace {
  readonly url: string
  readonly branch?: string
  readonly folder: string
  readonly tree: string
  readonly isRead: boolean
  readonly hasHistory: boolean
}

/** Fetches one commit, unless earlier ones are read, and of its files only those of the home. */
async function clone(place: ClonePlace, config: GitConfig): Promise<string> {
  const {url, branch, folder, isRead} = place
  const outside = await gitIn(folder, config)
  const orUnreachable = async <T>(done: Promise<T>) =>
    await done.catch(async (error: unknown) => {
      throw await unreachable({remote: url, url}, error, outside)
    })
  const exists = branch !== undefined && (await orUnreachable(hasRemoteBranch(url, branch, outside)))
  if (isRead && branch !== undefined && !exists) throw branchMissing(branch, url)
  await orUnreachable(checkOut(place, exists, outside, config))
  return join(folder, 'clone')
}

async function checkOut(
  {url, branch, folder, tree, hasHistory}: ClonePlace,
  exists: boolean,
  outside: GitProgram,
  config: GitConfig,
): Promise<void> {
  await outside.run([
    'clone',
    '--quiet',
    ...(hasHistory ? ['--single-branch'] : ['--depth=1']),
    '--filter=blob:none',
    '--no-checkout',
    '--no-tags',
    // Whatever clone.defaultRemoteName says.
    '--origin=origin',
    // Git would go on in the background, in a folder that is removed.
    '--config=maintenance.auto=false',
    ...(exists && branch !== undefined ? [`--branch=${branch}`] : []),
    '--',
    url,
    'clone',
  ])
  const git = await gitIn(join(folder, 'clone'), config)
  await git.run(['sparse-checkout', 'set', '--cone', '--', tree])
  if (await hasCommit(git)) await git.run(['checkout', '--quiet'])
  if (!exists && branch !== undefined) await git.run(['checkout', '--quiet', '-B', branch])
}

/**
 * Throws `git-refused` if the HEAD of a remote repository leads to no branch although it has some: a commit would begin another
 * history beside theirs. A repository without branches is empty, and its first commit creates the branch of HEAD.
 */
async function expectNoBranches(
  url: string,
  {head, branch}: {readonly head: string; readonly branch?: string},
  git: GitProgram,
): Promise<void> {
  if ((await git.run(['ls-remote', '--heads', '--', url])).trim() === '') return
  const name = withoutCredentials(url)
  throw new CrossplaneError('git-refused', `cannot select a branch of ${name}: ${headCause(head, branch)}`, {
    suggestions: [`Pass --branch with a branch that exists: ${listing(name)}`],
  })
}

function headCause(head: string, branch: string | undefined): string {
  if (branch !== undefined)
    return `it has no branch ${quoted(branch)}, and its HEAD names no branch to create it from`
  return head === ''
    ? 'its HEAD is a commit and not a branch'
    : `its HEAD names the branch ${quoted(head)}, which does not exist`
}

function branchMissing(branch: string, url: string): CrossplaneError {
  const name = withoutCredentials(url)
  return withoutBranch(branch, name, listing(name))
}

function listing(name: string): string {
  return `git ls-remote --heads ${shellWord(name)}`
}
