import type {CommitObject} from '../plan/git/update-seal.js'
import type {Checkout, CommitStyle} from './checkout.js'
import type {Repository, RepositoryPlace} from './repository.js'

/** The repository and the branch that updates are for. */
export type UpdatePlace = Pick<RepositoryPlace, 'git' | 'branch' | 'remote' | 'push' | 'tree'>

/** Port: makes the branches of updates, and never changes another one. Throws `git-failed`. */
export interface UpdateRepository extends Pick<Repository, 'name' | 'include' | 'shown' | 'close'> {
  /** A temporary working tree without a branch. */
  readonly checkout: Checkout
  /** The branch that the updates are for. */
  readonly target: string
  /** Its commit. */
  readonly base: string
  /** Makes the working tree as the base has it. */
  reset(): Promise<void>
  /** Makes a commit object without hooks, which no branch has yet. It is signed if the object was, or if the style is to sign it. */
  commit(object: CommitObject, style: Pick<CommitStyle, 'sign' | 'signingKey'>): Promise<string>
  /** Lists the branches whose names have this start, with their commits. */
  branches(prefix: string): Promise<ReadonlyMap<string, string>>
  /** Returns a commit as `git cat-file commit` prints it. */
  read(commit: string): Promise<string>
  /** Reports whether the base contains a commit, or has or had a file as the commit has it: a squashed merge leaves no other sign. */
  isMerged(commit: string, file: string): Promise<boolean>
  /** Returns when versions were first seen, from a reference beside the branches, with its commit. */
  seen(): Promise<{readonly text: string; readonly commit?: string}>
  /** Replaces it, if the reference still has this commit. */
  putSeen(text: string, from: string | undefined): Promise<BranchResult>
  /** Moves a branch from a commit, or creates it if there is none, to another one. */
  put(move: BranchMove): Promise<BranchResult>
  /** Deletes a branch that has this commit. */
  remove(move: Omit<BranchMove, 'to'>): Promise<BranchResult>
}

/** A move of a branch, which is only made if the branch is as it was read. */
export interface BranchMove {
  readonly branch: string
  /** Absent if the branch must not exist. */
  readonly from?: string
  readonly to: string
  /** What the server is to do besides, as `git push --push-option` has it. */
  readonly options?: readonly string[]
}

/** What became of a branch: `moved` if it is not as it was read, `checked-out` if a working tree has it. */
export interface BranchResult {
  readonly kind: 'done' | 'moved' | 'checked-out'
  /** What the server printed. */
  readonly messages: readonly string[]
}
