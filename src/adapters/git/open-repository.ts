import {lstat, mkdtemp, realpath, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Repository, RepositoryPlace} from '../../commit/repository.js'
import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {openCheckout} from './checkout.js'
import {gitFailed, withoutCredentials} from './git-failure.js'
import {type GitProgram, gitIn} from './git-program.js'
import {remoteBranch} from './remote-branch.js'

/**
 * Opens the working tree of a folder, or a temporary clone of a URL. Throws `git-refused` for what git must not or cannot
 * open.
 */
export async function openRepository(place: RepositoryPlace): Promise<Repository> {
  expectBranchName(place.branch)
  const isFolder = (await lstat(place.git).catch(() => undefined)) !== undefined
  return isFolder ? await openFolder(place) : await cloneOf(place)
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
    await fetchBranch(followed, git)
    return {name: folder, checkout: work, close, remote: remoteBranch(followed, git)}
  } catch (error) {
    await close()
    throw error
  }
}

interface RemotePlace {
  readonly remote: string
  readonly branch: string
  readonly url: string
}

async function remoteOf(branch: string, given: string | undefined, git: GitProgram): Promise<RemotePlace> {
  const lookUp = async (key: string) => (await git.find(['config', '--get', '--', key])).trim()
  const remote = given ?? ((await lookUp(`branch.${branch}.remote`)) || 'origin')
  const url = isRefName(remote) ? await lookUp(`remote.${remote}.url`) : ''
  if (url !== '') return {remote, branch, url}
  throw new CrossplaneError('git-refused', `cannot push to ${quoted(remote)}: remote not found`, {
    suggestions: ['Pass --remote with one of the names that git remote prints.'],
  })
}

/** Updates what the local branch is compared with; also finds missing credentials before anything is written. */
async function fetchBranch({remote, branch, url}: RemotePlace, git: GitProgram): Promise<void> {
  try {
    const listed = await git.run(['ls-remote', '--heads', '--', remote, `refs/heads/${branch}`])
    if (listed.trim() === '') return
    const target = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`
    await git.run(['fetch', '--quiet', '--no-tags', '--', remote, target])
  } catch (error) {
    throw unreachable(url, error)
  }
  const missing = await git.find(['rev-list', '--count', `HEAD..refs/remotes/${remote}/${branch}`, '--'])
  if (!/^[1-9]/.test(missing)) return
  const message = `cannot push to ${withoutCredentials(url)}: ${branch} lacks commits of the remote branch`
  throw new CrossplaneError('git-refused', message, {suggestions: [`git pull --rebase ${remote} ${branch}`]})
}

/** A working tree of another branch, which is created from HEAD if it does not exist. */
async function linkedWorktree(root: string, branch: string) {
  const git = await gitIn(root)
  const folder = await temporaryFolder()
  const at = join(folder, 'worktree')
  const exists = (await git.find(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])) !== ''
  const close = async () => {
    await git.run(['worktree', 'remove', '--force', at]).catch(() => undefined)
    await rm(folder, {recursive: true, force: true})
    await git.run(['worktree', 'prune']).catch(() => undefined)
  }
  try {
    await git.run(['worktree', 'prune'])
    await git.run([
      'worktree',
      'add',
      '--quiet',
      ...(exists ? [] : ['-b', branch]),
      at,
      ...(exists ? [branch] : []),
    ])
    return {checkout: await openCheckout(at), close}
  } catch (error) {
    await close()
    const {message, cause} = gitFailed(`check out ${branch}`, error)
    throw new CrossplaneError('git-refused', message, {
      cause,
      suggestions: ['Pass --branch with a branch that is not checked out elsewhere.'],
    })
  }
}

async function temporaryFolder(): Promise<string> {
  return await mkdtemp(join(await realpath(tmpdir()), 'kubectl-crossplane-git-'))
}

/** Transports that run no program which the URL names. */
const URL_FORM = /^(?:https?|ssh|git|file|git\+ssh):\/\/[^\s-]|^(?:[\w.]+@)?[\w][\w.-]*:(?!:|\/\/)[^\s-]/

async function cloneOf({git: url, branch, tree, remote}: RepositoryPlace): Promise<Repository> {
  const name = withoutCredentials(url)
  if (!URL_FORM.test(url)) throw notOpened(name)
  if (remote !== undefined) {
    throw new CrossplaneError('usage', '--remote is for --git with a folder', {
      suggestions: ['Leave out --remote.'],
    })
  }
  const folder = await temporaryFolder()
  const close = () => rm(folder, {recursive: true, force: true})
  try {
    const root = join(folder, 'clone')
    await clone(url, branch, folder, tree)
    const checkout = await openCheckout(root)
    const {branch: current = ''} = await checkout.state()
    const git = await gitIn(root)
    return {name, checkout, remote: remoteBranch({remote: 'origin', branch: current, url}, git), close}
  } catch (error) {
    await close()
    throw error
  }
}

/** Fetches one commit, and of its files only those of the home. */
async function clone(url: string, branch: string | undefined, folder: string, tree: string): Promise<void> {
  const outside = await gitIn(folder)
  try {
    const listed =
      branch === undefined
        ? ''
        : await outside.run(['ls-remote', '--heads', '--', url, `refs/heads/${branch}`])
    const isThere = listed.trim() !== ''
    await outside.run([
      'clone',
      '--quiet',
      '--depth=1',
      '--filter=blob:none',
      '--no-checkout',
      '--no-tags',
      ...(isThere && branch !== undefined ? [`--branch=${branch}`] : []),
      '--',
      url,
      'clone',
    ])
    const git = await gitIn(join(folder, 'clone'))
    await git.run(['sparse-checkout', 'set', '--cone', '--', tree])
    if ((await git.find(['rev-parse', '--verify', '--quiet', 'HEAD'])) !== '')
      await git.run(['checkout', '--quiet'])
    if (!isThere && branch !== undefined) await git.run(['checkout', '--quiet', '-B', branch])
  } catch (error) {
    throw unreachable(url, error)
  }
}

function notOpened(name: string): CrossplaneError {
  const message = `cannot open the repository ${quoted(name)}: it is neither a folder nor a URL of https, ssh, git or file`
  return new CrossplaneError('git-refused', message, {
    suggestions: [
      'Pass --git with a folder that exists, or with a URL such as https://git.example.org/team/deploy.git',
    ],
  })
}

/** Nothing was written: without access, the commit could not be pushed. */
function unreachable(url: string, error: unknown): CrossplaneError {
  const {message, cause} = gitFailed(`read ${withoutCredentials(url)}`, error)
  return new CrossplaneError('git-refused', message, {
    cause,
    suggestions: ['Check the URL, and the credentials that git uses: git help credentials'],
  })
}
