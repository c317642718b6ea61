import type {BlockedPath, ChangedPath, CheckoutState} from '../plan/git/checkout-snapshot.js'

/** Port: reads a working tree. Paths are relative to its root, with `/` between segments. */
interface CheckoutReader {
  /** Throws `git-refused` for a folder in which git does not work, such as one of another user. */
  state(): Promise<CheckoutState>
  /** Lists the changed paths among files and below folders. */
  changed(paths: readonly string[]): Promise<readonly ChangedPath[]>
  /** Lists the changed paths among files that had these stamps when they were staged. */
  changedSince(stamps: FileStamps): Promise<readonly ChangedPath[]>
  /** Lists the paths that cannot be committed, or their parents. */
  blocked(paths: readonly string[]): Promise<readonly BlockedPath[]>
  /** Returns the content that a checkout of HEAD has; undefined if it has no such file. */
  committed(path: string): Promise<Uint8Array | undefined>
  /**
   * Returns the contents of those of these files that HEAD or another commit has, and of the files in these folders, whose paths
   * end with a slash, as a checkout has them.
   */
  committedFiles(paths: readonly string[], commit?: string): Promise<ReadonlyMap<string, Uint8Array>>
  /** Lists those of these files that are links in HEAD, as well as links in these folders or in place of one, whose paths end with a slash. */
  committedLinks(paths: readonly string[]): Promise<readonly string[]>
  /** Returns the contents of all files that HEAD has below a folder; an empty one is the root. */
  committedBelow(folder: string): Promise<ReadonlyMap<string, Uint8Array>>
  /** Lists all files that HEAD or another commit has below a folder; an empty one is the root. */
  pathsBelow(folder: string, commit?: string): Promise<readonly string[]>
  /** Returns the newest commits that changed one of these files or folders, newest first. */
  commitsOf(paths: readonly string[], max: number): Promise<readonly CommitFacts[]>
  /** Returns such commits of the branch itself: a merge in place of the commits that it merged. */
  mainlineOf(paths: readonly string[], max: number): Promise<readonly CommitFacts[]>
  /** Returns the commit that a branch, a tag, a hash or another revision of git names; undefined if it names none. */
  commitNamed(revision: string): Promise<CommitFacts | undefined>
  /** Returns the best common ancestor of HEAD and a commit; undefined if the repository has none. */
  mergeBase(commit: string): Promise<string | undefined>
  /** Returns the content of a file in a commit; undefined if it has no such file. */
  contentIn(commit: string, path: string): Promise<Uint8Array | undefined>
}

/** A commit that exists. Author and subject are untrusted text. */
export interface CommitFacts {
  readonly id: string
  /** When it was committed, in RFC 3339. */
  readonly time: string
  readonly author: string
  readonly subject: string
  /** Of the commits that changed files: whether it merges branches, and changed what they had in each of them. */
  readonly isMerge?: true
}

/** The commit at the end of a branch. */
export interface BranchTip {
  /** Absent for a detached HEAD. */
  readonly branch?: string
  /** The ID of the commit; absent before the first one. */
  readonly head?: string
}

/** The blobs of changed files, by path; undefined for a deleted file. */
export type ChangedBlobs = ReadonlyMap<string, string | undefined>

/** Files that were staged. */
export interface StagedFiles {
  /** Those that differ from HEAD. */
  readonly blobs: ChangedBlobs
  /** Whether nothing else is staged. */
  readonly isAlone: boolean
  /** The files as they were staged. */
  readonly stamps: FileStamps
}

/** What tells for each path that its file was not written again; undefined for a file that does not exist. */
export type FileStamps = ReadonlyMap<string, string | undefined>

/** What is committed. */
export interface CommitContent {
  /** Staged files. */
  readonly paths: readonly string[]
  /** Whether nothing else is staged. */
  readonly isAlone: boolean
  readonly message: string
  /** The commit that it follows; absent for the first one. */
  readonly after?: string
}

/** A commit that was just made. */
export interface NewCommit {
  readonly id: string
  /** Absent for a detached HEAD. */
  readonly branch?: string
  /** The commit that it follows; absent for the first one. */
  readonly parent?: string
}

/** A commit that was just made, with the files that it changes. */
export interface MadeCommit extends NewCommit {
  readonly blobs: ChangedBlobs
}

/** Port: commits to the branch of a working tree. Throws `git-failed`. */
interface CheckoutWriter {
  /** Returns the branch as it is now. */
  tip(): Promise<BranchTip>
  /** Stages files of the working tree, undefined for a deleted one. */
  stage(files: ReadonlyMap<string, string | undefined>): Promise<StagedFiles>
  /** Commits files with the user's hooks, which can add others, and with their signature. */
  commit(content: CommitContent, style: CommitStyle): Promise<MadeCommit>
  /** Moves the branch from a commit, which must be its tip, back to the parent; index and working tree stay. */
  undo(commit: NewCommit): Promise<void>
  /** Makes the index of all of these paths as in HEAD, and the working tree of those that are not in `kept`. */
  restore(paths: readonly string[], kept: ReadonlySet<string>): Promise<void>
}

/** A working tree to commit to. */
export type Checkout = CheckoutReader & CheckoutWriter

/** How a commit is made; git's configuration decides what is absent. */
export interface CommitStyle {
  readonly authorName?: string
  readonly authorEmail?: string
  readonly signoff: boolean
  /** The format of a signature that is requested. */
  readonly sign?: 'openpgp' | 'ssh' | undefined
  readonly signingKey?: string
  /** Whether it is made without hooks and a signature, because it is only looked at. */
  readonly isBare?: boolean
}
