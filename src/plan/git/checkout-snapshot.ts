/** The state of a working tree, as git reports it. */
export interface CheckoutState {
  /** The absolute path of the working tree, with `/` between segments. */
  readonly root: string
  /** The origin of a temporary working tree: that of the user, or else a URL. */
  readonly temporary?: {
    readonly root?: string
    /** Whether commits to no branch are meant: another step gives them one. */
    readonly isDetached?: boolean
  }
  /** Absent for a detached HEAD. */
  readonly branch?: string
  /** The ID of the commit; absent before the first one. */
  readonly head?: string
  /** Branches that have commits, such as `main` and `origin/main`, and the command that switches to one; only where this one has none. */
  readonly others?: {readonly names: readonly string[]; readonly next: string}
  /** An operation that was begun and not completed, such as `merge`. */
  readonly operation?: string
  /** The lock of a git that runs, or that was killed: the absolute path of its file. */
  readonly lock?: string
  /** Whether the clone lacks older commits. */
  readonly isShallow?: boolean
  /** The remote branch of this one; absent if git knows none. */
  readonly upstream?: Upstream
}

/** A remote branch, and how the local one differs from what was last fetched of it, in commits. */
interface Upstream {
  /** Such as `origin/main`. */
  readonly name: string
  readonly ahead: number
  readonly behind: number
}

/** A path whose index or working tree differs from HEAD. */
export interface ChangedPath {
  /** Relative to the working tree, with `/` between segments. */
  readonly path: string
  /** Whether the index differs from HEAD. */
  readonly isStaged: boolean
  /** Whether the working tree differs from the index; true for an untracked file. */
  readonly isModified: boolean
}

/** A path that cannot be committed, and the reason. */
export interface BlockedPath {
  readonly path: string
  readonly by: 'submodule' | 'sparse-checkout' | 'skip-worktree' | 'assume-unchanged' | 'link' | 'ignored'
  /** Further paths for the same reason, which the same next step concerns. */
  readonly others?: readonly string[]
  /** Whether `core.ignoreStat` marks files as `assume-unchanged`. */
  readonly isSetting?: boolean
  /** Whether the working tree has another content of one of the paths than the index, which git does not show. */
  readonly isModified?: boolean
}
