import type {BranchTip} from '../../commit/checkout.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {present} from '../../present.js'
import {shellWord} from '../../text.js'
import {type GitProgram, WITHOUT_LOCKS} from './git-program.js'
import {literalPathspec} from './pathspecs.js'

/** Returns the current branch and its commit. */
export async function tipOf(git: GitProgram): Promise<BranchTip> {
  try {
    const output = await git.run(['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'])
    const [head = '', ref = ''] = output.split(/\r?\n/)
    return {...branchIn(ref), head}
  } catch (error) {
    if (await hasCommit(git)) throw error
    return branchIn(await git.find(['symbolic-ref', '--quiet', 'HEAD']))
  }
}

/** A branch, and the remote branch that it follows. */
export interface FollowingBranch extends BranchTip {
  readonly upstream?: CheckoutState['upstream']
}

/**
 * Reads the current branch, its commit and its remote branch in one run. A remote branch that was never fetched, or is
 * deleted, compares with nothing.
 */
export async function followingBranch(git: GitProgram): Promise<FollowingBranch> {
  const args = [
    '-c',
    'core.fsmonitor=false',
    'status',
    '--porcelain=v2',
    '--branch',
    '--ahead-behind',
    '--untracked-files=no',
    '--ignore-submodules=all',
    '-z',
    '--',
    // No file: only the branch is read.
    literalPathspec('.git'),
  ]
  const output = await git.run(args, {variables: WITHOUT_LOCKS})
  const headers = new Map(
    output.split('\0').flatMap(line => {
      const [, key, value] = /^# branch\.(\w+) ([^]*)$/.exec(line) ?? []
      return key === undefined || value === undefined ? [] : [[key, value] as const]
    }),
  )
  const [oid, branch, name] = [headers.get('oid'), headers.get('head'), headers.get('upstream')]
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('ab') ?? '') ?? []
  return {
    ...present({
      branch: branch === '(detached)' ? undefined : branch,
      head: oid === '(initial)' ? undefined : oid,
      upstream:
        name === undefined || ahead === undefined
          ? undefined
          : {name, ahead: Number(ahead), behind: Number(behind)},
    }),
  }
}

/** Returns the current branch; undefined for a detached HEAD. */
export async function branchOf(git: GitProgram): Promise<string | undefined> {
  return branchIn(await git.find(['symbolic-ref', '--quiet', 'HEAD'])).branch
}

/** Returns the branches of the repository and of its remotes: its own first. */
export async function branchesWithCommits(root: string, git: GitProgram): Promise<CheckoutState['others']> {
  const args = ['for-each-ref', '--format=%(refname)%00%(symref)', 'refs/heads', 'refs/remotes']
  const all = (await git.run(args)).split(/\r?\n/).flatMap(line => {
    const [ref = '', target] = line.split('\0')
    const [, kind, name] = /^refs\/(heads(?=\/)|remotes(?=\/[^/]+\/))\/(.+)/.exec(ref) ?? []
    return name === undefined || target !== '' ? [] : [{name, isRemote: kind === 'remotes'}]
  })
  const [first] = all
  if (first === undefined) return undefined
  const [at, name] = [root, first.name].map(shellWord)
  // The name without that of the remote can be one of several remotes.
  const next = first.isRemote ? `git -C ${at} switch --track ${name}` : `git -C ${at} switch ${name}`
  return {names: all.map(branch => branch.name), next}
}

function branchIn(ref: string): Pick<BranchTip, 'branch'> {
  const [, branch] = /^refs\/heads\/(.+)/.exec(ref) ?? []
  return branch === undefined ? {} : {branch}
}

/** Runs `git ls-tree` of HEAD or another commit; empty before the first one. */
export async function listHead(
  options: readonly string[],
  paths: readonly string[],
  git: GitProgram,
  commit = 'HEAD',
): Promise<string> {
  try {
    return await git.run(['ls-tree', ...options, '-z', '--full-tree', commit, '--', ...paths])
  } catch (error) {
    if (await hasCommit(git)) throw error
    return ''
  }
}

/** Reports whether HEAD names a commit, as it does after the first one. */
export async function hasCommit(git: GitProgram): Promise<boolean> {
  return (await git.find(['rev-parse', '--verify', '--quiet', 'HEAD'])) !== ''
}
