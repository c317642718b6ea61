import type {BlockedPath, ChangedPath, CheckoutState} from '../plan/git/checkout-snapshot.js'

/** Port: reads a working tree. Paths are relative to its root, with `/` between segments. */
interface CheckoutReader {
  /** Throws `git-refused` for a folder in which git does not work, such as one of another user. */
  state(): Promise<CheckoutState>
  /** Lists the changed paths among files and below folders. */
  changed(paths: readonly string[]): Promise<readonly ChangedPath[]>
  /** Lists the paths that cannot be committed, or their parents. */
  blocked(paths: readonly string[]): Promise<readonly BlockedPath[]>
  /** Returns the content that a checkout of HEAD has; undefined if it has no such file. */
  committed(path: string): Promise<Uint8Array | undefined>
}

/** Port: commits to the branch of a working tree. Throws `git-failed`. */
export interface CheckoutWriter {
  /** Stages the state that these paths have in the working tree, and returns the blobs of those that exist, by path. */
  stage(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns the blobs of those of these paths that HEAD has. */
  blobs(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Commits these paths and nothing else, with the user's hooks and signature; returns the ID. */
  commit(paths: readonly string[], message: string, style: CommitStyle): Promise<string>
  /** Moves the branch from `commit` back to `before`; index and working tree stay. */
  undo(commit: string, before: string | undefined): Promise<void>
  /** Makes index and working tree of these paths as in HEAD. */
  restore(paths: readonly string[]): Promise<void>
}

/** A working tree to commit to. */
export type Checkout = CheckoutReader & CheckoutWriter

/** How a commit is made; git's configuration decides what is absent. */
export interface CommitStyle {
  readonly authorName?: string
  readonly authorEmail?: string
  readonly signoff: boolean
  /** The format of a signature that is requested. */
  readonly sign?: 'openpgp' | 'ssh'
  readonly signingKey?: string
}
