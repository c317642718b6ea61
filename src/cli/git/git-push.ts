import type {Repository, UnpushedCommit} from '../../commit/repository.js'
import type {GitChange} from '../../pipeline/git/git-change.js'
import {earlierNotes, pushEarlier, type UnpushedCommits} from '../../pipeline/git/push-earlier.js'
import {expectConfirmed, type GitRun, showPlan} from './git-plan.js'
import {reportGitChange} from './git-report.js'
import {showNotes} from '../shell/document/show.js'

/** Reports whether an earlier run ended before its push, which this run completes. */
export function isToComplete({ofHome}: UnpushedCommits, flags: GitRun['flags']): boolean {
  return ofHome.length > 0 && flags['dry-run'] !== 'client'
}

/** Pushes commits of earlier runs, newest first, or says in a dry run that it would. */
export async function pushOnly(
  commits: readonly UnpushedCommit[],
  repository: Repository,
  {flags, argv}: GitRun,
): Promise<void> {
  const {remote} = repository
  const [newest, ...earlier] = commits
  if (remote === undefined || newest === undefined) return
  showNotes(earlierNotes(commits), argv)
  if (flags['dry-run'] === 'client') return await showPlan(NO_CHANGE, repository, {flags, argv})
  await expectConfirmed('Push these commits?', {flags})
  const messages = await pushEarlier(commits, remote)
  await reportGitChange({commit: newest.id, messages, earlier}, repository, {flags, argv})
}

/** A push alone changes no file. */
const NO_CHANGE: Pick<GitChange, 'plan' | 'before'> = {
  plan: {operations: [], unchanged: 0, rejections: []},
  before: new Map(),
}

/** Says that an uninstall is not complete; a dry run has only a plan. */
export function showNextStep(left: string | undefined, {name}: Repository, flags: GitRun['flags']): void {
  if (left === undefined || flags['dry-run'] === 'client') return
  const next = `${left} is still installed: run the command again after that was deployed`
  process.stderr.write(`${name}: ${next}\n`)
}
