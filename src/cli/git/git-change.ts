import type {Command} from '@oclif/core/command'
import {changedTexts, type Diagnostic} from '../../diagnostic.js'
import {CrossplaneError, withTexts} from '../../errors.js'
import {withoutCredentials} from '../../without-credentials.js'
import {commitAndPush} from '../../pipeline/git/commit-and-push.js'
import {
  expectCommittable,
  expectNothingNew,
  type GitChange,
  type GitPorts,
  prepareGitChange,
} from '../../pipeline/git/git-change.js'
import type {CommitStyle} from '../../commit/checkout.js'
import type {Repository} from '../../commit/repository.js'
import {type GitQuery, movesFiles} from '../../pipeline/git/git-request.js'
import {prepareMove} from '../../pipeline/git/move-files.js'
import {earlierNotes, stillInstalled, unpushedCommits} from '../../pipeline/git/push-earlier.js'
import type {TreeCluster} from '../../pipeline/git/judge-in-cluster.js'
import {homeIn, type HomePlace, treeIn} from '../../plan/folder/home.js'
import type {ChangeOutput, changeFlags} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {commitStyle, type GitFlags} from './git-query.js'
import {withLocalPackage} from './declared-entry.js'
import {nearestHome} from '../sources/default-declaration.js'
import {imageOutputs, openRepository, workingTreeFolder} from '../wire.js'
import type {ClusterFlags} from '../cluster/cluster-connection.js'
import {type PlaceFlags, requestPorts} from '../packages/package-ports.js'
import {expectConfirmed, preview} from './git-plan.js'
import {moveWays} from './move-ways.js'
import {isToComplete, pushOnly, showNextStep} from './git-push.js'
import {reportGitChange} from './git-report.js'
import {progress} from '../shell/progress/progress.js'
import type {Progress} from '../shell/progress/step-event.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {showNotes, showWarnings} from '../shell/document/show.js'

/** The flags of a command that commits its change. */
type CommittingFlags = GitFlags &
  Pick<ClusterFlags, 'context'> &
  Pick<FlagValues<typeof changeFlags>, 'yes' | 'dry-run' | 'show-objects' | 'show-files'> &
  PlaceFlags & {readonly ref?: string; readonly 'as-package'?: string} & Parameters<
    typeof requestPorts
  >[0] & {readonly output: ChangeOutput}

/** Commits a change to the repository of `--git`, or shows the plan and the message of the commit. */
export async function toGit(
  query: GitQuery,
  flags: CommittingFlags,
  {argv, config}: Pick<Command, 'argv' | 'config'>,
): Promise<void> {
  if (flags['dry-run'] === 'server') throw serverDryRun()
  const {git = '', branch, remote, push} = flags
  const path = flags.path ?? nearestHome(git)
  const style = commitStyle(flags)
  const home = homeIn(path)
  const shown = progress(argv)
  const cluster = await clusterOf(flags, config.version, shown)
  shown.report({kind: 'step', name: `Opening ${withoutCredentials(git)}`})
  const hasHistory = query.request.kind === 'rollback'
  const place = {git, branch, remote, push, tree: treeIn(home), hasHistory}
  const repository = await openRepository(place).finally(shown.end)
  try {
    await commitTo(repository, {query, home, style, cluster}, {flags, argv, shown})
  } catch (error) {
    throw error instanceof CrossplaneError ? withTexts(error, shownIn(repository)) : error
  } finally {
    shown.end()
    await repository.close()
  }
}

/** Pushes what earlier runs committed for a home, if anything. */
export async function toPushed(flags: CommittingFlags, {argv}: Pick<Command, 'argv'>): Promise<void> {
  const {git = '', branch, remote, push} = flags
  const home = homeIn(flags.path ?? nearestHome(git))
  const repository = await openRepository({git, branch, remote, push, tree: treeIn(home), hasHistory: false})
  try {
    const {checkout, include} = repository
    const {ofHome} = await unpushedCommits(home, repository.remote, {checkout, include})
    if (isToComplete({all: ofHome, ofHome}, flags)) await pushOnly(ofHome, repository, {flags, argv})
  } catch (error) {
    throw error instanceof CrossplaneError ? withTexts(error, shownIn(repository)) : error
  } finally {
    await repository.close()
  }
}

function shownIn({shown = text => text}: Repository): (text: string) => string {
  return shown
}

interface CommitRequest {
  readonly query: GitQuery
  readonly home: HomePlace
  readonly style: CommitStyle
  readonly cluster?: TreeCluster
}

/** Without --context, no cluster is read, whatever the kubeconfig has. */
async function clusterOf(
  {context}: Pick<ClusterFlags, 'context'>,
  version: string,
  shown: Progress,
): Promise<TreeCluster | undefined> {
  if (context === undefined) return undefined
  const {openCluster} = await import('../cluster/cluster-ports.js')
  return {api: (await openCluster({context}, version, shown)).api, context}
}

interface Run {
  readonly flags: CommittingFlags
  readonly argv: readonly string[]
  readonly shown: Progress
}

async function commitTo(
  repository: Repository,
  {query, home, style, cluster}: CommitRequest,
  {flags, argv, shown}: Run,
): Promise<void> {
  const outputs = await imageOutputs()
  const {checkout, remote, include} = repository
  const ports: GitPorts = {
    checkout,
    include,
    folder: workingTreeFolder,
    file: path => outputs.file(path),
    // The declaration has the registry: the variable of the flag has no effect.
    requests: withLocalPackage(requestPorts({...flags, 'default-source': undefined}, shown), flags),
    cluster,
  }
  const unpushed = await unpushedCommits(home, remote, ports)
  // The next step of an uninstall is for the time after this one was deployed.
  if (query.request.kind === 'uninstall' && unpushed.ofHome.length > 0) {
    const left = await stillInstalled(query.request.name, home, remote, ports)
    await pushOnly(unpushed.ofHome, repository, {flags, argv})
    return showNextStep(left, repository, flags)
  }
  const prepare = movesFiles(query) ? prepareMove : prepareGitChange
  const ways = moveWays(flags)
  const decide = async (request: GitQuery['request']) =>
    await prepare({...query, request, moveWays: ways}, home, ports).finally(shown.end)
  const change = await decide(query.request)
  const named = (diagnostic: Diagnostic) => changedTexts(diagnostic, shownIn(repository))
  showWarnings({warnings: change.set.warnings.map(named)}, argv)
  showNotes(change.notes.map(named), argv)
  if (change.isEmpty && isToComplete(unpushed, flags))
    return await pushOnly(unpushed.ofHome, repository, {flags, argv})
  showNotes(earlierNotes(change.isEmpty ? unpushed.ofHome : unpushed.all), argv)
  if (flags['dry-run'] === 'client') return await preview(change, repository, {flags, argv})
  if (change.isEmpty) return await reportGitChange({change}, repository, {flags, argv})
  if (!isQuietRun(argv)) process.stderr.write(`${change.message}\n`)
  const again = async () => {
    const next = await decide(change.request)
    // What was confirmed by a prompt is not what is committed now.
    await confirmed(next, flags)
    return next
  }
  await confirmed(change, flags)
  shown.report({kind: 'step', name: commitStep(repository)})
  const outcome = await commitAndPush({change, again, style}, remote).finally(shown.end)
  await reportGitChange({...outcome, earlier: unpushed.all}, repository, {flags, argv})
}

function commitStep({name, remote}: Repository): string {
  return remote === undefined ? `Committing to ${name}` : `Pushing to ${remote.target}`
}

async function confirmed(change: GitChange, flags: CommittingFlags): Promise<void> {
  expectCommittable(change)
  if (flags.yes) return expectNothingNew(change)
  const {request} = change
  const isMove = request.kind === 'move' && request.stage === 'begin'
  const question = isMove
    ? 'Commit this change, to a tree that only this cluster applies?'
    : 'Commit this change?'
  await expectConfirmed(question, {flags})
}

/** Returns the error for a dry run on the server, which makes no commit. */
export function serverDryRun(): CrossplaneError {
  return new CrossplaneError('usage', '--dry-run=server and --git are mutually exclusive', {
    suggestions: ['Pass --dry-run=client.'],
  })
}
