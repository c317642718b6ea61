import {lstat} from 'node:fs/promises'
import type {Repository, RepositoryPlace} from '../../commit/repository.js'
import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {openCheckout} from './checkout.js'
import {unreachable, withoutCredentials} from './git-failure.js'
import {type GitProgram, gitIn} from './git-program.js'
import {linkedWorktree} from './linked-worktree.js'
import {remoteBranch, type RemotePlace} from './remote-branch.js'
import {temporaryClone} from './temporary-clone.js'

/**
 * Opens the working tree of a folder, or a temporary clone of a URL. Throws `git-refused` for what git must not or cannot
 * open.
 */
export async function openRepository(place: RepositoryPlace): Promise<Repository> {
  expectBranchName(place.branch)
  const isFolder = (await lstat(place.git).catch(() => undefined)) !== undefined
  return isFolder ? await openFolder(place) : await openUrl(place)
}

/** The names that git accepts, without those that could be read as an option or a revision. */
function expectBranchName(branch: string | undefined): void {
  if (branch === undefined || isRefName(branch)) return
  throw new CrossplaneError('usage', `invalid --branch ${quoted(branch)}: not the name of a branch`)
}

function isRefName(name: string): boolean {
  return (
    name !== '' &&
    name !== '@' &&
    !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.lock(?:\/|$)|(?:^|\/)\.|[/.]$|^[-/]/u.test(name)
  )
}

async function openFolder({git: folder, branch, remote, push}: RepositoryPlace): Promise<Repository> {
  const checkout = await openCheckout(folder)
  const {root, branch: current} = await checkout.state()
  const linked = branch === undefined || branch === current ? undefined : await linkedWorktree(root, branch)
  const [work, name] = linked === undefined ? [checkout, current] : [linked.checkout, branch]
  const close = linked?.close ?? (() => Promise.resolve())
  if (!push || name === undefined) return {name: folder, checkout: work, close}
  try {
    const {root: at} = await work.state()
    const git = await gitIn(at)
    const followed = await remoteOf(name, remote, git)
    const exists = await fetchBranch(followed, git)
    return {name: folder, checkout: work, close, remote: remoteBranch({...followed, exists}, git)}
  } catch (error) {
    await close()
    throw error
  }
}

type NamedRemote = Omit<RemotePlace, 'exists'>

async function remoteOf(branch: string, given: string | undefined, git: GitProgram): Promise<NamedRemote> {
  const lookUp = async (key: string) => (await git.find(['config', '--get', '--', key])).trim()
  const remote = given ?? ((await lookUp(`branch.${branch}.remote`)) || 'origin')
  const url = isRefName(remote) ? await lookUp(`remote.${remote}.url`) : ''
  if (url !== '') return {remote, branch, url}
  throw new CrossplaneError('git-refused', `cannot push to ${quoted(remote)}: remote not found`, {
    suggestions: ['Pass --remote with one of the names that git remote prints.'],
  })
}

/**
 * Updates what the local branch is compared with; also finds missing credentials before anything is written. Returns whether
 * the remote branch exists.
 */
async function fetchBranch({remote, branch, url}: NamedRemote, git: GitProgram): Promise<boolean> {
  try {
    const listed = await git.run(['ls-remote', '--heads', '--', remote, `refs/heads/${branch}`])
    if (listed.trim() === '') return false
    const target = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`
    await git.run(['fetch', '--quiet', '--no-tags', '--', remote, target])
  } catch (error) {
    throw unreachable(url, error)
  }
  const missing = await git.find(['rev-list', '--count', `HEAD..refs/remotes/${remote}/${branch}`, '--'])
  if (!/^[1-9]/.test(missing)) return true
  const message = `cannot push to ${withoutCredentials(url)}: ${branch} lacks commits of the remote branch`
  throw new CrossplaneError('git-refused', message, {suggestions: [`git pull --rebase ${remote} ${branch}`]})
}

/** Transports that run no program which the URL names. */
const URL_FORM = /^(?:https?|ssh|git|file|git\+ssh):\/\/[^\s-]|^(?:[\w.]+@)?[\w][\w.-]*:(?!:|\/\/)[^\s-]/

async function openUrl(place: RepositoryPlace): Promise<Repository> {
  const {git: url, remote} = place
  if (!URL_FORM.test(url)) throw notOpened(withoutCredentials(url))
  if (remote !== undefined) {
    throw new CrossplaneError('usage', '--remote is for --git with a folder', {
      suggestions: ['Leave out --remote.'],
    })
  }
  return await temporaryClone(place)
}

function notOpened(name: string): CrossplaneError {
  const message = `cannot open the repository ${quoted(name)}: it is neither a folder nor a URL of https, ssh, git or file`
  return new CrossplaneError('git-refused', message, {
    suggestions: [
      'Pass --git with a folder that exists, or with a URL such as https://git.example.org/team/deploy.git',
    ],
  })
}
