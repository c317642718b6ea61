import type {CommitStyle, NewCommit} from '../../commit/checkout.js'
import {movedBranch} from '../../commit/commit-files.js'
import type {PushResult, RemoteBranch} from '../../commit/repository.js'
import type {Lock, LockedXpkg} from '../../declaration/lock.js'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import {listSome} from '../../text.js'
import {undoCommit, withKept} from '../../commit/restore-files.js'
import {carryOutGitChange, type GitChange} from './git-change.js'

/** A change, and how to decide it again for another commit. */
export interface GitAttempt {
  readonly change: GitChange
  readonly again: () => Promise<GitChange>
  readonly style: CommitStyle
}

/** What was committed; no commit if HEAD has all files already. */
export interface GitOutcome {
  readonly change: GitChange
  readonly commit?: string
  /** What the server printed about the push. */
  readonly messages: readonly string[]
}

const MAX_ATTEMPTS = 5

/**
 * Commits a change and pushes it. If the remote branch has other commits, the commit is undone, and the request is applied
 * to these, at most five times. Throws `lock-outdated` if they select another version of a package, and `git-failed`;
 * then the repository is as before, but files that were edited meanwhile.
 */
export async function commitAndPush(
  {change: first, again, style}: GitAttempt,
  remote: RemoteBranch | undefined,
): Promise<GitOutcome> {
  let change = first
  for (let attempt = 1; ; attempt += 1) {
    if (remote !== undefined && remote.branch !== change.state.branch)
      throw movedBranch({branch: remote.branch})
    const commit = await carryOutGitChange(change, style)
    if (commit === undefined || remote === undefined) return {change, commit: commit?.id, messages: []}
    const {kind, messages} = await pushOrUndo(commit, change, remote)
    if (kind === 'pushed') return {change, commit: commit.id, messages}
    if (attempt === MAX_ATTEMPTS) throw neverPushed(remote)
    await remote.follow()
    const next = await again()
    expectAgreement(change, next.oldLock)
    change = next
  }
}

async function pushOrUndo(
  commit: NewCommit,
  {commit: {writtenFiles, own}, ports}: GitChange,
  remote: RemoteBranch,
): Promise<PushResult> {
  const undo = async () => await undoCommit(commit, writtenFiles, ports, {own})
  try {
    const result = await remote.push(commit.id)
    if (result.kind === 'pushed') return result
  } catch (error) {
    throw withKept(error, await undo().catch(() => stillCommitted(error, commit)))
  }
  await undo()
  return {kind: 'behind', messages: []}
}

/** The first failure is the one to report. */
function stillCommitted(error: unknown, {id}: NewCommit): never {
  if (!(error instanceof CrossplaneError)) throw error
  throw withSuggestions(error, [], `${error.message}; commit ${id.slice(0, 12)} could not be undone`)
}

/** Two requests that select different versions of a package: neither may silently take precedence. */
function expectAgreement({oldLock, newLock}: GitChange, theirs: Lock | undefined): void {
  const [before, ours, others] = [oldLock, newLock, theirs].map(versionsIn)
  const names = [...(ours ?? [])].flatMap(([identity, version]) => {
    const other = others?.get(identity)
    const old = before?.get(identity)
    return other !== undefined && other !== version && other !== old && version !== old ? [identity] : []
  })
  if (names.length === 0) return
  const message = `cannot commit: another commit selected other versions of ${listSome(names)}`
  throw new CrossplaneError('lock-outdated', message, {
    suggestions: ['Review that commit, then run the command again.'],
  })
}

function versionsIn(lock: Lock | undefined): ReadonlyMap<string, string> {
  const versionOf = ({tag = '', digest = ''}: Partial<Pick<LockedXpkg, 'tag' | 'digest'>>) =>
    `${tag}@${digest}`
  return new Map([
    ...(lock?.packages ?? []).map(locked => [locked.identity, versionOf(locked)] as const),
    ...(lock?.xpkgs ?? []).map(locked => [locked.repository, versionOf(locked)] as const),
  ])
}

function neverPushed({url}: RemoteBranch): CrossplaneError {
  const message = `cannot push to ${url}: other commits came first ${MAX_ATTEMPTS} times`
  return new CrossplaneError('git-failed', message, {suggestions: ['Run the command again.']})
}
