/** A request to merge a branch, as a host of repositories has it. */
export interface MergeRequest {
  readonly branch: string
  readonly target: string
  /** The commit of the branch. */
  readonly commit: string
  readonly title: string
  /** Markdown. */
  readonly body: string
}

/** What became of a request. */
export interface ForgeResult {
  /** `closed`: a user closed it for this commit, and it was left; `unchanged`: it was as it would be made. */
  readonly status: 'opened' | 'edited' | 'unchanged' | 'closed'
  readonly url: string
}

/** Port: a host that has requests. */
export interface Forge {
  /** Opens the request of a branch, or edits the one that is open. Throws `access-denied`, `not-found`, `git-failed` and as `Http` does. */
  ensure(request: MergeRequest): Promise<ForgeResult>
}
