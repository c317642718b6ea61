import {stat} from 'node:fs/promises'
import {resolve} from 'node:path'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {present} from '../../present.js'
import {cannotOpen} from './git-failure.js'
import type {GitProgram} from './git-program.js'
import {branchesWithCommits, followingBranch} from './head.js'

/** Files in the folder of git, and the operation that each belongs to. */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
])

/** Files that git creates while it writes the index or HEAD. */
const LOCKS = ['index.lock', 'HEAD.lock']

/** The file that a clone without older commits has. */
const SHALLOW = 'shallow'

/** Reads the branch of a working tree, its commit and its remote branch. Throws `git-refused`. */
export async function checkoutState(root: string, git: GitProgram): Promise<CheckoutState> {
  try {
    const [branch, files] = await Promise.all([
      followingBranch(git),
      filesOfGit([...OPERATIONS.keys(), ...LOCKS, SHALLOW], root, git),
    ])
    const others = branch.head === undefined ? await branchesWithCommits(root, git) : undefined
    const operation = [...OPERATIONS].find(([name]) => files.has(name))?.[1]
    const lock = LOCKS.map(name => files.get(name)).find(path => path !== undefined)
    return {
      root,
      ...branch,
      ...present({operation, lock, others}),
      ...(files.has(SHALLOW) ? {isShallow: true} : {}),
    }
  } catch (error) {
    throw cannotOpen(root, error)
  }
}

/** Returns the files that exist in the folder of git, by their names. */
async function filesOfGit(
  names: readonly string[],
  root: string,
  git: GitProgram,
): Promise<ReadonlyMap<string, string>> {
  const args = names.flatMap(name => ['--git-path', name])
  const paths = (await git.run(['rev-parse', ...args])).split(/\r?\n/)
  const states = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const path = resolve(root, paths[index] ?? '')
    if ((await stat(path).catch(() => undefined)) !== undefined) states.set(name, path)
  }
  return states
}
