import {CrossplaneError} from '../../errors.js'
import {quoted, shellWord} from '../../text.js'
import {withoutCredentials} from '../../without-credentials.js'
import {hasBranch, hasRemoteBranch} from './branch-exists.js'
import type {GitProgram} from './git-program.js'
import {isRefName} from './ref-name.js'
import {fetchArguments, type RemotePlace, trackingRef} from './remote-branch.js'
import {unreachable} from './remote-failure.js'

/** The remote branch that a branch is pushed to. */
type NamedRemote = Omit<RemotePlace, 'exists' | 'rebase'>

/** The working tree of the user, to which a relative URL is relative. */
interface UserTree {
  readonly root: string
  readonly git: GitProgram
}

/**
 * Finds the remote branch of a branch, in the given repository, the one that the branch follows, or else `origin`. Throws
 * `not-found` for a remote, and `git-refused`.
 */
export async function remoteOf(
  branch: string,
  requested: string | undefined,
  {root, git}: UserTree,
): Promise<NamedRemote> {
  const lookUp = async (key: string) => (await git.find(['config', '--get', '--', key])).trim()
  const followed = await lookUp(`branch.${branch}.remote`)
  // A branch that follows a local one has the remote `.`.
  const remote = requested ?? (followed === '' || followed === '.' ? 'origin' : followed)
  const url = isRefName(remote) ? await lookUp(`remote.${remote}.url`) : ''
  if (url === '') {
    throw new CrossplaneError('not-found', `cannot push to ${quoted(remote)}: remote not found`, {
      suggestions: [`Pass --remote with one of the names that this prints: git -C ${shellWord(root)} remote`],
    })
  }
  const merge = remote === followed ? await lookUp(`branch.${branch}.merge`) : ''
  const upstream = merge.replace(/^refs\/heads\//, '')
  if (upstream === branch || !isRefName(upstream)) return {remote, branch, target: branch, url}
  const target = targetOf({branch, upstream}, await lookUp('push.default'), root)
  return {remote, branch, target, url}
}

/** Selects the name as git does: a branch that was created from `origin/main` must not be pushed to that unasked. */
function targetOf(
  {branch, upstream}: {readonly branch: string; readonly upstream: string},
  mode: string,
  root: string,
): string {
  if (mode === 'upstream' || mode === 'tracking') return upstream
  if (mode === 'current' || mode === 'matching') return branch
  const message = `cannot push ${branch}: ${branch} follows ${upstream}, which has another name`
  const at = shellWord(root)
  throw new CrossplaneError('git-refused', message, {
    suggestions: [
      `Push to ${upstream}: git -C ${at} config push.default upstream`,
      `Push to ${branch}: git -C ${at} config push.default current`,
    ],
  })
}

/**
 * Updates what the local branch is compared with; also finds missing credentials before anything is written. Returns whether
 * the remote branch exists. Throws `git-refused` for a branch that lacks commits, unless it is to follow the remote one, and has none of its own.
 */
export async function fetchBranch(
  named: NamedRemote,
  tree: UserTree & {readonly isCurrent: boolean; readonly follows: boolean | undefined},
): Promise<boolean> {
  const {git} = tree
  const {branch, url} = named
  if (!(await isListed(named, git))) return false
  const [theirs, ours] = [trackingRef(named), `refs/heads/${branch}`]
  try {
    await git.run(fetchArguments(named))
  } catch (error) {
    throw await unreachable(named, error, git)
  }
  const isAhead = async (range: string) => /^[1-9]/.test(await git.find(['rev-list', '--count', range, '--']))
  if (!(await isAhead(`${ours}..${theirs}`))) return true
  const isBehind = !(await isAhead(`${theirs}..${ours}`))
  if (tree.follows && isBehind) return true
  const message = `cannot push to ${withoutCredentials(url)}: ${branch} lacks commits of the remote branch`
  const next = !tree.isCurrent && isBehind ? fetched(named, tree.root) : rebaseCommand(named, tree)
  throw new CrossplaneError('git-refused', message, {suggestions: [next]})
}

/** The command that adds the commits of a remote branch to a branch, which it checks out first if it is not current. */
export function rebaseCommand(
  {remote, branch, target}: NamedRemote,
  {root, isCurrent}: {readonly root: string; readonly isCurrent: boolean},
): string {
  const [at, from, name, theirs] = [root, remote, branch, target].map(shellWord)
  if (isCurrent) return `git -C ${at} pull --rebase ${from} ${theirs}`
  return `git -C ${at} switch ${name} && git -C ${at} pull --rebase ${from} ${theirs}`
}

function fetched({remote, branch, target}: NamedRemote, root: string): string {
  return `git -C ${shellWord(root)} fetch ${shellWord(remote)} ${shellWord(`${target}:${branch}`)}`
}

async function isListed(named: NamedRemote, git: GitProgram): Promise<boolean> {
  const {remote, target} = named
  try {
    return await hasRemoteBranch(remote, target, git)
  } catch (error) {
    throw await unreachable(named, error, git)
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
  {root, git}: UserTree,
): Promise<void> {
  if (await hasBranch(branch, git)) return
  if (push) {
    const named = await remoteOf(branch, remote, {root, git})
    if (await isListed(named, git))
      throw remoteOnly(branch, `${named.remote}/${named.target}`, fetched(named, root))
    return
  }
  const args = ['for-each-ref', '--format=%(refname:short)', '--count=1', `refs/remotes/*/${branch}`]
  const upstream = (await git.run(args)).trim()
  if (upstream === '') return
  throw remoteOnly(
    branch,
    upstream,
    `git -C ${shellWord(root)} branch ${shellWord(branch)} ${shellWord(upstream)}`,
  )
}

function remoteOnly(branch: string, remote: string, next: string): CrossplaneError {
  return new CrossplaneError('git-refused', `cannot commit to ${branch}: only ${remote} exists`, {
    suggestions: [next],
  })
}
