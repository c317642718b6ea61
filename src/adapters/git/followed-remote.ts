import {CrossplaneError} from '../../errors.js'
import {quoted, shellWord} from '../../text.js'
import {unreachable, withoutCredentials} from './git-failure.js'
import type {GitProgram} from './git-program.js'
import {isRefName} from './ref-name.js'
import type {RemotePlace} from './remote-branch.js'

/** The remote branch that a branch is pushed to. */
type NamedRemote = Omit<RemotePlace, 'exists'>

/** Finds the remote repository of a branch: the given one, the one that the branch follows, or else `origin`. Throws `git-refused`. */
export async function remoteOf(
  branch: string,
  given: string | undefined,
  git: GitProgram,
): Promise<NamedRemote> {
  const lookUp = async (key: string) => (await git.find(['config', '--get', '--', key])).trim()
  const remote = given ?? ((await lookUp(`branch.${branch}.remote`)) || 'origin')
  const url = isRefName(remote) ? await lookUp(`remote.${remote}.url`) : ''
  if (url !== '') return {remote, branch, url}
  throw new CrossplaneError('git-refused', `cannot push to ${quoted(remote)}: remote not found`, {
    suggestions: ['Pass --remote with one of the names that git remote prints.'],
  })
}

/** The working tree of the user. */
interface UserTree {
  readonly root: string
  /** Whether it has the branch checked out. */
  readonly isCurrent: boolean
}

/**
 * Updates what the local branch is compared with; also finds missing credentials before anything is written. Returns whether
 * the remote branch exists.
 */
export async function fetchBranch(named: NamedRemote, git: GitProgram, tree: UserTree): Promise<boolean> {
  const {remote, branch, url} = named
  if (!(await isListed(named, git))) return false
  const [theirs, target] = [`refs/remotes/${remote}/${branch}`, `refs/heads/${branch}`]
  try {
    await git.run(['fetch', '--quiet', '--no-tags', '--', remote, `+${target}:${theirs}`])
  } catch (error) {
    throw unreachable(url, error)
  }
  const isAhead = async (range: string) => /^[1-9]/.test(await git.find(['rev-list', '--count', range, '--']))
  if (!(await isAhead(`HEAD..${theirs}`))) return true
  const message = `cannot push to ${withoutCredentials(url)}: ${branch} lacks commits of the remote branch`
  const next = nextStep(named, tree, await isAhead(`${theirs}..HEAD`))
  throw new CrossplaneError('git-refused', message, {suggestions: [next]})
}

function nextStep({remote, branch}: NamedRemote, {root, isCurrent}: UserTree, hasOwn: boolean): string {
  const [at, from, name] = [root, remote, branch].map(shellWord)
  if (isCurrent) return `git -C ${at} pull --rebase ${from} ${name}`
  if (!hasOwn) return fetched({remote, branch}, root)
  return `git -C ${at} switch ${name} && git -C ${at} pull --rebase ${from} ${name}`
}

function fetched({remote, branch}: Pick<NamedRemote, 'remote' | 'branch'>, root: string): string {
  return `git -C ${shellWord(root)} fetch ${shellWord(remote)} ${shellWord(`${branch}:${branch}`)}`
}

async function isListed({remote, branch, url}: NamedRemote, git: GitProgram): Promise<boolean> {
  try {
    const listed = await git.run(['ls-remote', '--heads', '--', remote, `refs/heads/${branch}`])
    return listed.trim() !== ''
  } catch (error) {
    throw unreachable(url, error)
  }
}

/** What a commit to another branch knows of remote repositories. */
interface RemoteQuery {
  /** The name of the remote repository. */
  readonly remote?: string
  readonly push: boolean
}

/**
 * Throws `git-refused` if only a remote repository has a branch, as of the last fetch if nothing is pushed: a new branch of
 * the same name would lack its commits.
 */
export async function expectNoRemoteBranch(
  branch: string,
  {remote, push}: RemoteQuery,
  {root, git}: {readonly root: string; readonly git: GitProgram},
): Promise<void> {
  if ((await git.find(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])) !== '') return
  if (push) {
    const named = await remoteOf(branch, remote, git)
    if (await isListed(named, git))
      throw remoteOnly(branch, `${named.remote}/${branch}`, fetched(named, root))
    return
  }
  const args = ['for-each-ref', '--format=%(refname:short)', '--count=1', `refs/remotes/*/${branch}`]
  const known = (await git.run(args)).trim()
  if (known === '') return
  throw remoteOnly(branch, known, `git -C ${shellWord(root)} branch ${shellWord(branch)} ${shellWord(known)}`)
}

function remoteOnly(branch: string, remote: string, next: string): CrossplaneError {
  return new CrossplaneError('git-refused', `cannot commit to ${branch}: only ${remote} exists`, {
    suggestions: [next],
  })
}
