import {homeIn, treeIn} from '../../plan/folder/home.js'
import {promotionBranch, promotionPrefix} from '../../plan/git/update-branch.js'
import {openUpdates} from '../wire.js'
import type {PromoteFlags} from './promote-home.js'

/** Returns the branches that promote packages to homes and are not merged yet, by home. Throws `git-failed` and `git-refused`. */
export async function openPromotions(
  homes: readonly string[],
  {git, branch, remote, push}: Pick<PromoteFlags, 'git' | 'branch' | 'remote' | 'push'>,
): Promise<ReadonlyMap<string, string>> {
  const [first] = homes
  if (git === undefined || first === undefined) return new Map()
  const repository = await openUpdates({git, push, tree: treeIn(homeIn(first)), branch, remote})
  try {
    const branches = await repository.branches(promotionPrefix(repository.target))
    const open: (readonly [home: string, branch: string])[] = []
    for (const home of homes) {
      const {folder, lock} = homeIn(home)
      const branch = promotionBranch(repository.target, folder)
      const commit = branches.get(branch)
      // Hosts can leave the branch of a request that was merged.
      if (commit !== undefined && !(await repository.isMerged(commit, lock))) open.push([home, branch])
    }
    return new Map(open)
  } finally {
    await repository.close()
  }
}
