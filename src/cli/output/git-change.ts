import {CrossplaneError} from '../../errors.js'
import {commitAndPush, type GitOutcome} from '../../pipeline/git/commit-and-push.js'
import {
  expectCommittable,
  type GitChange,
  type GitPorts,
  prepareGitChange,
} from '../../pipeline/git/git-change.js'
import type {CommitStyle} from '../../commit/checkout.js'
import type {Repository} from '../../commit/repository.js'
import {compareUrl} from '../../pipeline/git/compare-url.js'
import type {GitQuery} from '../../pipeline/git/git-request.js'
import {type Home, homeIn} from '../../plan/folder/home.js'
import {formatPlan} from '../../plan/plan-document.js'
import type {changeFlags} from '../flags/change.js'
import type {FlagValues} from '../flags/flag-values.js'
import {commitStyle, type GitFlags} from '../options/git-query.js'
import {imageOutputs, openRepository, outputFolder} from '../wire.js'
import {type PlaceFlags, requestPorts} from '../ports/package-ports.js'
import {confirm} from './confirm.js'
import {painter} from './paint.js'
import {plainText} from './plain-text.js'
import {progress} from './progress.js'
import {isQuietRun} from './quiet-run.js'
import {formatJson, show, showNotes, showWarnings} from './show.js'
import {formatPlanText} from './show-plan.js'

/** The flags of a command that commits its change. */
type CommittingFlags = GitFlags &
  Pick<FlagValues<typeof changeFlags>, 'yes' | 'dry-run'> &
  PlaceFlags &
  Parameters<typeof requestPorts>[0] & {readonly output: 'text' | 'json'}

/** Commits a change to the repository of `--git`, or shows the plan and the message of the commit. */
export async function toGit(query: GitQuery, flags: CommittingFlags, argv: readonly string[]): Promise<void> {
  if (flags['dry-run'] === 'server') throw serverDryRun()
  const {git = '', branch, remote, push, path = ''} = flags
  const style = commitStyle(flags)
  const home = homeIn(path)
  const repository = await openRepository({git, branch, remote, push, tree: home.tree})
  try {
    await commitTo(repository, {query, home, style}, {flags, argv})
  } finally {
    await repository.close()
  }
}

interface Requested {
  readonly query: GitQuery
  readonly home: Home
  readonly style: CommitStyle
}

interface Run {
  readonly flags: CommittingFlags
  readonly argv: readonly string[]
}

async function commitTo(
  repository: Repository,
  {query, home, style}: Requested,
  {flags, argv}: Run,
): Promise<void> {
  const shown = progress(argv)
  const outputs = await imageOutputs()
  const {checkout, remote} = repository
  const ports: GitPorts = {
    checkout,
    folder: outputFolder,
    file: path => outputs.file(path),
    // The declaration has the registry: the variable of the flag has no effect.
    requests: requestPorts({...flags, 'default-source': undefined}, shown),
  }
  const decide = async (request: GitQuery['request']) =>
    await prepareGitChange({...query, request}, home, ports).finally(shown.end)
  const change = await decide(query.request)
  showWarnings(change.set, argv)
  showNotes(change.notes, argv)
  if (flags['dry-run'] === 'client') return await preview(change, repository, {flags, argv})
  if (change.isEmpty) return await report({change, messages: []}, repository, {flags, argv})
  if (!isQuietRun(argv)) process.stderr.write(`${change.message}\n`)
  const again = async () => {
    const next = await decide(change.request)
    // What was confirmed by a prompt is not what is committed now.
    if (!flags.yes) await confirmed(next, {flags, argv})
    return next
  }
  await confirmed(change, {flags, argv})
  await report(await commitAndPush({change, again, style}, remote), repository, {flags, argv})
}

async function confirmed(change: GitChange, {flags}: Run): Promise<void> {
  expectCommittable(change)
  if (!flags.yes && !(await confirm('Commit this change?'))) throw declined()
}

async function preview(
  {plan, before, message}: GitChange,
  {name}: Repository,
  {flags: {output}, argv}: Run,
): Promise<void> {
  const text = () => `${formatPlanText(plan, before, name, painter(argv, 'stdout'))}\n${message}`
  await show(output === 'json' ? formatPlan(plan) : text())
  expectCommittable({plan})
}

async function report(
  {commit, change: {state, plan}, messages}: GitOutcome,
  {name, remote}: Repository,
  {flags: {output}, argv}: Run,
): Promise<void> {
  const {branch = ''} = state
  if (output === 'json') {
    const paths = plan.operations.flatMap(({path}) => path ?? [])
    return await show(
      formatJson({kind: 'GitChange', branch, ...(commit === undefined ? {} : {commit}), paths}),
    )
  }
  const done = remote === undefined ? 'committed' : 'pushed'
  const text = commit === undefined ? 'nothing to change' : `${done} ${commit.slice(0, 12)} to ${branch}`
  const compare = commit === undefined || remote === undefined ? undefined : compareUrl(remote.url, branch)
  const shown = isQuietRun(argv) ? [] : [...messages, ...(compare === undefined ? [] : [compare])]
  process.stderr.write([...shown.map(each => plainText(each)), `${name}: ${text}`, ''].join('\n'))
}

function serverDryRun(): CrossplaneError {
  return new CrossplaneError('usage', '--dry-run=server and --git are mutually exclusive', {
    suggestions: ['Pass --dry-run=client.'],
  })
}

function declined(): CrossplaneError {
  return new CrossplaneError('declined', 'the plan was not confirmed, and nothing was changed')
}
