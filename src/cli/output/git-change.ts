import {CrossplaneError} from '../../errors.js'
import {
  carryOutGitChange,
  expectCommittable,
  type GitChange,
  type GitPorts,
  prepareGitChange,
} from '../../pipeline/git/git-change.js'
import type {GitQuery} from '../../pipeline/git/git-request.js'
import {homeIn} from '../../plan/folder/home.js'
import {formatPlan} from '../../plan/plan-document.js'
import type {changeFlags} from '../flags/change.js'
import type {FlagValues} from '../flags/flag-values.js'
import {commitStyle, type GitFlags} from '../options/git-query.js'
import {imageOutputs, openCheckout, outputFolder} from '../wire.js'
import {type PlaceFlags, requestPorts} from '../ports/package-ports.js'
import {confirm} from './confirm.js'
import {painter} from './paint.js'
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
  const {git = '', path = '', 'dry-run': dryRun} = flags
  if (dryRun === 'server') throw serverDryRun()
  const style = commitStyle(flags)
  const shown = progress(argv)
  const outputs = await imageOutputs()
  const ports: GitPorts = {
    checkout: await openCheckout(git),
    folder: outputFolder,
    file: path => outputs.file(path),
    requests: requestPorts(flags, shown),
  }
  const change = await prepareGitChange(query, homeIn(path), ports).finally(shown.end)
  showWarnings(change.set, argv)
  showNotes(change.notes, argv)
  if (dryRun === 'client') return await preview(change, flags, argv)
  if (change.isEmpty) return await report(undefined, change, flags)
  if (!isQuietRun(argv)) process.stderr.write(`${change.message}\n`)
  expectCommittable(change)
  if (!flags.yes && !(await confirm('Commit this change?'))) throw declined()
  await report(await carryOutGitChange(change, style, ports), change, flags)
}

async function preview(
  {plan, before, message}: GitChange,
  {git = '', output}: CommittingFlags,
  argv: readonly string[],
): Promise<void> {
  const text = () => `${formatPlanText(plan, before, git, painter(argv, 'stdout'))}\n${message}`
  await show(output === 'json' ? formatPlan(plan) : text())
  expectCommittable({plan})
}

async function report(
  commit: string | undefined,
  {state: {branch = ''}, plan}: GitChange,
  {git = '', output}: CommittingFlags,
): Promise<void> {
  if (output === 'json') {
    const {operations} = plan
    const paths = operations.flatMap(({path}) => path ?? [])
    return await show(
      formatJson({kind: 'GitChange', branch, ...(commit === undefined ? {} : {commit}), paths}),
    )
  }
  const text = commit === undefined ? 'nothing to change' : `committed ${commit.slice(0, 12)} to ${branch}`
  process.stderr.write(`${git}: ${text}\n`)
}

function serverDryRun(): CrossplaneError {
  return new CrossplaneError('usage', '--dry-run=server and --git are mutually exclusive', {
    suggestions: ['Pass --dry-run=client.'],
  })
}

function declined(): CrossplaneError {
  return new CrossplaneError('declined', 'the plan was not confirmed, and nothing was changed')
}
