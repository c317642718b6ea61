import type {BranchTip} from '../../commit/checkout.js'
import type {GitProgram} from './git-program.js'

/** Returns the current branch and its commit. */
export async function tipOf(git: GitProgram): Promise<BranchTip> {
  try {
    const output = await git.run(['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'])
    const [head = '', ref = ''] = output.split(/\r?\n/)
    return {...branchIn(ref), head}
  } catch {
    // Before the first commit; the next command reports any other failure.
    return branchIn(await git.find(['symbolic-ref', '--quiet', 'HEAD']))
  }
}

/** Returns the current branch; undefined for a detached HEAD. */
export async function branchOf(git: GitProgram): Promise<string | undefined> {
  return branchIn(await git.find(['symbolic-ref', '--quiet', 'HEAD'])).branch
}

function branchIn(ref: string): Pick<BranchTip, 'branch'> {
  const [, branch] = /^refs\/heads\/(.+)/.exec(ref) ?? []
  return branch === undefined ? {} : {branch}
}

/** Runs `git ls-tree` of HEAD; empty before the first commit. */
export async function listHead(
  options: readonly string[],
  paths: readonly string[],
  git: GitProgram,
): Promise<string> {
  try {
    return await git.run(['ls-tree', ...options, '-z', '--full-tree', 'HEAD', '--', ...paths])
  } catch (error) {
    if ((await git.find(['rev-parse', '--verify', '--quiet', 'HEAD'])) === '') return ''
    throw error
  }
}
