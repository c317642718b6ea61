import type {Checkout, CommitFacts} from '../../commit/checkout.js'
import {present} from '../../present.js'

/** The files of a lock and its declaration in a repository. */
export interface LockPlace {
  readonly checkout: Pick<Checkout, 'state' | 'changed' | 'commitsOf' | 'mainlineOf' | 'commitNamed'>
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
  /** The commit that has both files as the branch had them before; absent if there is none. */
  readonly before?: CommitFacts
}

/** Finds the last change of a lock in its repository. Throws the errors of git. */
export async function lastLockChange({checkout, paths}: LockPlace): Promise<LockChange> {
  const {root} = await checkout.state()
  const [lock = ''] = paths
  const [commit] = await checkout.commitsOf([lock], 1)
  const place = {root, paths}
  if (commit === undefined) return place
  if ((await checkout.changed([lock])).length > 0) {
    const [before] = await checkout.mainlineOf(paths, 1)
    return {...place, ...present({before})}
  }
  return {...place, commit, ...present({before: await beforeLast(lock, checkout)})}
}

/** A commit of a merged branch lacks what the others changed meanwhile, so that the branch never had its lock. */
async function beforeLast(lock: string, checkout: LockPlace['checkout']): Promise<CommitFacts | undefined> {
  const [last, earlier] = await checkout.mainlineOf([lock], 2)
  if (last === undefined || earlier === undefined) return undefined
  return await checkout.commitNamed(`${last.id}^`)
}
