import type {Checkout} from './checkout.js'

/** The repository and branch of a commit. */
export interface RepositoryPlace {
  /** A folder, or a URL. */
  readonly git: string
  readonly branch?: string
  /** The name of the remote repository; only of a folder. */
  readonly remote?: string
  readonly push: boolean
  /** The folder of the rendered tree unless the declaration has another one, relative to the root. */
  readonly tree: string
  /** Whether its commits are only read, the earlier ones too: the branch has to exist. */
  readonly isRead?: boolean
  /** Whether the branch gets what others pushed, unless it has commits of its own. */
  readonly follows?: boolean
  /** Whether a clone has the earlier commits too. */
  readonly hasHistory?: boolean
}

/** A repository that is open for one commit. */
export interface Repository {
  /** For messages: a folder, or a URL without credentials. */
  readonly name: string
  readonly checkout: Checkout
  /** The remote branch to push to; absent if the commit stays in the repository. */
  readonly remote?: RemoteBranch
  /** Makes a further folder part of a temporary clone, if it is one. */
  readonly include?: (folders: readonly string[]) => Promise<void>
  /** Names the repository in a text instead of a temporary working tree; absent if there is none. */
  readonly shown?: (text: string) => string
  /** Removes what was created for the commit, such as a temporary clone. */
  close(): Promise<void>
}

/** Port: the remote branch of a working tree. Throws `git-failed`. */
export interface RemoteBranch {
  /** The URL without credentials. */
  readonly url: string
  readonly branch: string
  /** The name that the branch has in the remote repository. */
  readonly target: string
  /** The command that adds the commits of the remote branch to the branch; absent for a temporary clone. */
  readonly rebase?: string
  /**
   * Lists the commits that the remote branch lacks, as of the last fetch, newest first. With paths, later commits than the
   * newest that changes one of these are left out.
   */
  unpushed(paths?: readonly string[]): Promise<readonly UnpushedCommit[]>
  /** The content of a file in the remote branch, as of the last fetch; undefined if it has none. */
  committed(path: string): Promise<Uint8Array | undefined>
  /** Pushes a commit, never forced. */
  push(commit: string): Promise<PushResult>
  /**
   * Fetches the remote branch, and makes the branch and the working tree the same; changes of other files stay. The
   * branch must be the current one.
   */
  follow(): Promise<void>
}

/** A commit that only this repository has. */
export interface UnpushedCommit {
  readonly id: string
  readonly subject: string
}

/** What became of a push: `behind` if the remote branch has other commits. */
export interface PushResult {
  readonly kind: 'pushed' | 'behind'
  /** What the server printed. */
  readonly messages: readonly string[]
}
