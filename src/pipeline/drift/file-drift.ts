import type {Checkout, CommitFacts} from '../../commit/checkout.js'
import {revertOf} from '../../health/sides/remedies.js'
import {present} from '../../present.js'
import type {TreeFiles} from './tree-files.js'

/** A file of a tree without an object, or one that cannot be read, and is not as the lock renders it. */
export interface FileDrift {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly change: 'missing' | 'edited' | 'extra' | 'unreadable'
  readonly reason: string
  /** The last commit that changed it. */
  readonly commit?: CommitFacts
  /** The command that undoes that commit, if there are earlier ones. */
  readonly remedy?: string
}

/** Compares the files without objects. Without a lock, only those are reported that cannot be read. */
export function driftOfOtherFiles(lock: TreeFiles | undefined, tree: TreeFiles): readonly FileDrift[] {
  const unreadable = [...tree.unreadable].map(([path, reason]) => ({
    path,
    change: 'unreadable' as const,
    reason,
  }))
  if (lock === undefined) return unreadable
  const rendered = [...lock.others].flatMap(([path, content]): FileDrift[] => {
    const committed = tree.others.get(path)
    if (committed === content || tree.unreadable.has(path)) return []
    return committed === undefined
      ? [{path, change: 'missing', reason: 'the lock renders it, but the commit lacks it'}]
      : [{path, change: 'edited', reason: 'the lock renders other content'}]
  })
  const extra = [...tree.others.keys()]
    .filter(path => !lock.others.has(path))
    .map((path): FileDrift => ({path, change: 'extra', reason: 'the lock does not render it'}))
  return [...unreadable, ...rendered, ...extra]
}

/** Adds the last commits of files, and how to undo them in a repository of the user. */
export async function withLastCommits(
  files: readonly FileDrift[],
  checkout: Pick<Checkout, 'commitsOf'>,
  repository: string | undefined,
): Promise<readonly FileDrift[]> {
  const dated: FileDrift[] = []
  for (const file of files) {
    const [commit, before] = await checkout.commitsOf([file.path], 2)
    const canRevert = commit !== undefined && before !== undefined && repository !== undefined
    const remedy = canRevert ? revertOf(commit, repository) : undefined
    dated.push({...file, ...present({commit, remedy})})
  }
  return dated
}
