import {ownersInDocument} from '../shell/document/owners-in-document.js'
import type {Repository, UnpushedCommit} from '../../commit/repository.js'
import {compareUrl} from '../../pipeline/git/compare-url.js'
import type {GitChange} from '../../pipeline/git/git-change.js'
import type {GitOutcome} from '../../pipeline/git/commit-and-push.js'
import {present} from '../../present.js'
import {count} from '../../text.js'
import type {ChangeOutput} from '../plan/change-flags.js'
import {plainText} from '../shell/text/plain-text.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {formatDocument, isDocument, show} from '../shell/document/show.js'

/** What was done: no commit if there was nothing to do, no change if a commit was only pushed. */
interface Reported extends Partial<GitOutcome> {
  /** Commits that were pushed, too. */
  readonly earlier?: readonly UnpushedCommit[]
}

interface Run {
  readonly flags: {readonly output: ChangeOutput}
  readonly argv: readonly string[]
}

/** Prints the commit that was made or pushed: as JSON on stdout, or for users on stderr. */
export async function reportGitChange(
  reported: Reported,
  repository: Repository,
  {flags: {output}, argv}: Run,
): Promise<void> {
  const branch = reported.change?.state.branch ?? repository.remote?.branch ?? ''
  if (isDocument(output)) return await show(formatDocument(documentOf(reported, branch), output))
  const lines = isQuietRun(argv) ? [] : serverLines(reported, repository)
  const text = `${repository.name}: ${summaryOf(reported, repository, branch)}`
  process.stderr.write([...lines.map(line => plainText(line)), text, ''].join('\n'))
}

function documentOf({change, commit, earlier = []}: Reported, branch: string) {
  return {
    kind: 'GitChange',
    branch,
    ...present({commit}),
    ...(earlier.length === 0 ? {} : {earlierCommits: earlier.map(({id}) => id)}),
    paths: (change?.plan.operations ?? []).flatMap(({path}) => path ?? []),
    ...(change === undefined ? {} : changedOwners(change)),
  }
}

function changedOwners({summary, ownerChanges}: GitChange) {
  return ownersInDocument(summary.owners, ownerChanges, summary.signers ?? [])
}

function serverLines({commit, messages = []}: Reported, {remote}: Repository) {
  const page =
    commit === undefined || remote === undefined ? undefined : compareUrl(remote.url, remote.target)
  return [...messages, ...(page === undefined ? [] : [page])]
}

function summaryOf({commit, earlier = []}: Reported, {remote}: Repository, branch: string): string {
  if (commit === undefined) return 'nothing to change'
  const more = earlier.length === 0 ? '' : ` and ${count(earlier.length, 'earlier commit')}`
  return `${remote === undefined ? 'committed' : 'pushed'} ${commit.slice(0, 12)}${more} to ${remote?.target ?? branch}`
}
