import type {Checkout, CommitFacts} from '../../commit/checkout.js'

/** The files of a lock and its declaration in a repository. */
export interface LockPlace {
  readonly checkout: Pick<Checkout, 'state' | 'changed' | 'commitsOf'>
  /** Relative to the root: the lock, then the declaration. */
  readonly paths: readonly string[]
}

/** How a lock changed last. */
export interface LockChange {
  /** The absolute path of the root of its repository. */
  readonly root: string
  readonly paths: readonly string[]
  /** Absent if the lock has changes that are not committed, or no commit. */
  readonly commit?: CommitFacts
  /** The commit before; absent if there is none. */
  readonly before?: CommitFacts
}

/** Finds the last change of a lock in its repository. Throws the errors of git. */
export async function lastLockChange({checkout, paths}: LockPlace): Promise<LockChange> {
  const {root} = await checkout.state()
  const [lock = ''] = paths
  const [commit, before] = await checkout.commitsOf([lock], 2)
  const isChanged = (await checkout.changed([lock])).length > 0
  const place = {root, paths}
  if (commit === undefined) return place
  if (isChanged) return {...place, before: commit}
  return {...place, commit, ...(before === undefined ? {} : {before})}
}
