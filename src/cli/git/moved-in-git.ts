import type {Command} from '@oclif/core/command'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import {lockedName} from '../../declaration/lock.js'
import {withClusterMirrors} from '../../pipeline/cluster/core/cluster-mirrors.js'
import {beginInGit} from '../../pipeline/cluster/core/begin-in-git.js'
import {stillApplied, undeployed} from '../../pipeline/cluster/core/deployed-in-git.js'
import {
  expectTakenOver,
  type MovePart,
  prepareInGit,
  turned,
} from '../../pipeline/cluster/core/move-in-git.js'
import type {MovingHome} from '../../pipeline/cluster/core/moving-home.js'
import {expectNoMove, isBegunInGit} from '../../pipeline/cluster/core/unfinished-in-git.js'
import type {MoveQuery} from '../../pipeline/cluster/core/move-packages.js'
import {committedHome, heldLock} from '../../pipeline/home/committed-home.js'
import type {ClusterChange} from '../../pipeline/cluster/cluster-change.js'
import type {GitQuery} from '../../pipeline/git/git-request.js'
import {homeIn, treeIn} from '../../plan/folder/home.js'
import {listNames} from '../../text.js'
import type {OpenCluster} from '../cluster/cluster-ports.js'
import {changePorts} from '../cluster/cluster-ports.js'
import {toCluster} from '../install/cluster-change.js'
import type {moveFlags} from '../install/move-change.js'
import {showTarget} from '../install/show-cluster-change.js'
import {requestPorts} from '../packages/package-ports.js'
import type {ChangeOutput} from '../plan/change-flags.js'
import type {moveSourceFlags} from '../render/render-flags.js'
import {parseDuration} from '../shell/flags/duration.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {nearestHome} from '../sources/default-declaration.js'
import {clock, openRepository} from '../wire.js'
import {serverDryRun, toGit, toPushed} from './git-change.js'
import type {moveGitFlags} from './git-flags.js'
import {gitMoveQuery} from './git-query.js'
import {moveWay, moveWays} from './move-ways.js'

type Flags = FlagValues<typeof moveFlags & typeof moveSourceFlags & typeof moveGitFlags> & {
  readonly context?: string
  readonly output: ChangeOutput
  readonly quiet: boolean
}

interface Run {
  readonly flags: Flags
  readonly cluster: OpenCluster
  readonly command: Pick<Command, 'argv' | 'config'>
}

/** Moves packages by a commit at each end, and waits for each; a move that was interrupted goes on, or back. */
export async function toMovedInGit(
  query: MoveQuery,
  flags: Flags,
  cluster: OpenCluster,
  command: Run['command'],
): Promise<void> {
  const run = {flags, cluster, command}
  showTarget(cluster.connection, command.argv)
  const home = await homeOf(flags)
  const isBegun = await isBegunInGit(home, cluster.api)
  const next = await committed(query, {home, isBegun}, run)
  if (next !== undefined) await completed(await homeOf(flags, {follows: true}), next)
}

/** Makes the commit with which a move begins, or turns around, and returns how the run goes on; undefined if nothing is left to do. */
async function committed(
  query: MoveQuery,
  {home, isBegun}: {readonly home: MovingHome; readonly isBegun: boolean},
  run: Run,
): Promise<Run | undefined> {
  if (query.action === 'begin') {
    if (isBegun) throw unfinished(home, run.flags)
    return await began(query, home, run)
  }
  if (isBegun) return await goesOn(home, query.action === 'back', run)
  await expectNoMove(home, run.cluster.api)
  process.stderr.write('nothing to change\n')
  return undefined
}

/** What was confirmed leads to all that follows. The message of the user is that of the first commit. */
function confirmed(run: Run): Run {
  return {...run, flags: {...run.flags, yes: true, message: undefined}}
}

/** Throws `usage` for flags that a move by commits has no use for. */
export function expectMoveFlags(flags: Pick<Flags, 'context' | 'output' | 'dry-run' | 'with'>): void {
  const {context, output} = flags
  if (flags.with !== undefined)
    throw new CrossplaneError('usage', '--with and --git are mutually exclusive with package move', {
      suggestions: [
        'Flux and Argo CD apply the files of a commit in any order: pause the controller, and run the command without --git.',
      ],
    })
  if (context === undefined)
    throw new CrossplaneError('usage', '--git requires --context with package move', {
      suggestions: ['Pass --context with the cluster that applies the repository.'],
    })
  if (output !== 'text')
    throw new CrossplaneError('usage', '--output and --git are mutually exclusive with package move', {
      suggestions: ['Leave out --output.'],
    })
  // A commit that an earlier run made would be pushed by then.
  if (flags['dry-run'] === 'server') throw serverDryRun()
}

/** Shows the whole plan, and makes the first commit once it is confirmed; undefined for a dry run. */
async function began(
  query: Extract<MoveQuery, {readonly action: 'begin'}>,
  home: MovingHome,
  run: Run,
): Promise<Run | undefined> {
  const {flags, cluster} = run
  const {api, progress} = cluster
  const requests = withClusterMirrors(requestPorts(flags, progress), api)
  const {change, moves} = await beginInGit(query, home, {api, requests}).finally(progress.end)
  const isDry = flags['dry-run'] !== 'none'
  // What is confirmed is the commit, below the steps that follow it.
  await inCluster(change, {...run, flags: {...flags, 'dry-run': 'client'}})
  process.stderr.write(COMMITS)
  await commit(
    {kind: 'move', stage: 'begin', moves},
    subjectOf('Move', [{from: query.from, to: query.to}]),
    run,
  )
  return isDry ? undefined : confirmed(run)
}

const COMMITS = `A first commit requests the new package, and stops and protects the former request: the steps begin once it is deployed.
A second commit removes the former request from the tree: it is deleted once that is deployed.
Both commits follow what this cluster does: if other clusters apply the tree as well, each has to sync the first one before the second one is pushed, and needs --continue after that.
`

/** Turns the commit of a move around, if that is requested; undefined for a dry run. */
async function goesOn(home: MovingHome, isBack: boolean, run: Run): Promise<Run | undefined> {
  const moves = turned(home, isBack)
  if (isBack && home.moving.length === 0)
    throw new CrossplaneError(
      'cluster-refused',
      'the last commit of this move was made: the move can only go on',
      {
        suggestions: [
          moveWay('--continue', run.flags),
          'To move the package back, complete this move, and move it back then.',
        ],
      },
    )
  if (moves !== undefined)
    await commit({kind: 'move', stage: 'begin', moves}, subjectOf('Move back', home.moving), run)
  // The run that made the commit may have ended before its push.
  else await toPushed(committing(run.flags), run.command)
  if (run.flags['dry-run'] === 'none') return moves === undefined ? run : confirmed(run)
  if (moves === undefined)
    await inCluster(await prepare(home, home.moving.length > 0 ? 'take-over' : 'end', run), run)
  return undefined
}

/** Does what is left, from the first commit on; an error has the commands that go on, or back. */
async function completed(home: MovingHome, run: Run): Promise<void> {
  const next = home.moving.length > 0 ? await withWays(moveWays(run.flags), () => takenOver(home, run)) : run
  // Nothing goes back any more: the tree does not have the former request.
  await withWays([moveWay('--continue', run.flags)], () => ended(next))
}

async function takenOver(home: MovingHome, run: Run): Promise<Run> {
  const {api} = run.cluster
  await deployed(() => undeployed(home, api), run)
  const next = await inCluster(await prepare(home, 'take-over', run), run)
  await expectTakenOver(home, moveWays(run.flags), api)
  await homeOf(run.flags, {follows: true})
  await commit({kind: 'move', stage: 'end', moves: []}, subjectOf('Complete the move of', home.moving), next)
  return confirmed(next)
}

async function ended(run: Run): Promise<void> {
  const home = await homeOf(run.flags, {follows: true})
  const {former} = await prepare(home, 'end', run)
  await deployed(() => stillApplied(former, run.cluster.api), run)
  await inCluster(await prepare(home, 'end', run), run)
}

async function withWays<T>(ways: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    throw withSuggestions(
      error,
      ways.filter(way => !error.suggestions.includes(way)),
    )
  }
}

function subjectOf(verb: string, moving: readonly {readonly from: string; readonly to: string}[]): string {
  return `${verb} ${listNames(moving.map(({from}) => from))} to ${listNames(moving.map(({to}) => to))}`
}

async function prepare(home: MovingHome, steps: MovePart['steps'], {flags, cluster}: Run) {
  const {api, progress} = cluster
  return await prepareInGit(
    home,
    {steps, ways: steps === 'end' ? [moveWay('--continue', flags)] : moveWays(flags)},
    {api, requests: requestPorts(flags, progress)},
  ).finally(progress.end)
}

/** Applies steps once they are confirmed; the run that is returned does not ask again after that. */
async function inCluster(change: ClusterChange & {readonly goal?: string}, run: Run): Promise<Run> {
  const {flags, cluster, command} = run
  const {argv} = command
  // Each step relies on the one before.
  const all = {...flags, 'no-wait': false}
  const ports = await changePorts(cluster, all)
  const files = {origin: {command: 'package move', arguments: [], context: '', server: '', toolVersion: ''}}
  const question = `Apply this plan${change.goal === undefined ? '' : `, to ${change.goal}`}?`
  await toCluster(change, {flags: all, ports, argv, files, deletedAs: 'deleted', showsSteps: true, question})
  return change.decision.plan.operations.length === 0 ? run : {...run, flags: {...flags, yes: true}}
}

/** The cluster has judged what is committed. */
async function commit(request: GitQuery['request'], subject: string, {flags, command}: Run): Promise<void> {
  const all = committing(flags)
  await toGit({subject, ...gitMoveQuery(all), request}, all, command)
}

/** The flags of a commit that a cluster has judged. */
function committing(flags: Flags) {
  return {
    ...{...flags, context: undefined, branch: undefined, output: 'text' as const, 'show-files': false},
    ...{
      'assume-no-instances': false,
      'accept-impact': false,
      'change-settings': false,
      'allow-pruning': false,
    },
  }
}

/** Waits until a commit is deployed, with a limit. Throws `timeout` with the reason. */
async function deployed(problemOf: () => Promise<string | undefined>, {flags, cluster}: Run): Promise<void> {
  const {progress, interruption} = cluster
  const time = await clock()
  const limit = time.now() + parseDuration(flags.timeout, '--timeout')
  let problem = await problemOf()
  while (problem !== undefined) {
    if (time.now() >= limit) throw notDeployed(problem)
    progress.report({kind: 'step', name: `Waiting until the commit is deployed: ${problem}`})
    await time.sleep(INTERVAL, interruption.signal)
    problem = await problemOf()
  }
  progress.end()
}

const INTERVAL = 2000

function notDeployed(problem: string): CrossplaneError {
  return new CrossplaneError('timeout', `the commit is not deployed: ${problem}`, {
    suggestions: ['Push the commit, if it is not pushed.'],
  })
}

/** Reads what the home has at its last commit; what others have pushed since then is fetched if that is requested. */
async function homeOf(
  {git = '', path, remote, push}: Flags,
  {follows}: {readonly follows: boolean} = {follows: false},
): Promise<MovingHome> {
  const place = homeIn(path ?? nearestHome(git))
  const repository = await openRepository({
    ...{git, branch: undefined, remote, push, tree: treeIn(place), hasHistory: false, follows},
  })
  try {
    const {checkout, include} = repository
    const base = await committedHome(place, await checkout.state(), {
      checkout,
      ...(include === undefined ? {} : {include}),
    })
    const lock = heldLock(base)?.lock
    const providers = (lock?.xpkgs ?? []).filter(({kind}) => kind === 'Provider')
    const requests = providers.map(
      one => [lockedName(one), `${one.repository}${one.tag === undefined ? '' : `:${one.tag}`}`] as const,
    )
    const digests = providers.flatMap(one =>
      one.digest === undefined ? [] : [[lockedName(one), one.digest] as const],
    )
    return {moving: lock?.moving ?? [], requests: new Map(requests), digests: new Map(digests)}
  } finally {
    await repository.close()
  }
}

function unfinished({moving}: MovingHome, flags: Flags): CrossplaneError {
  if (moving.length > 0)
    return new CrossplaneError(
      'git-refused',
      `the move of ${listNames(moving.map(({from}) => from))} is not finished`,
      {suggestions: moveWays(flags)},
    )
  // The last commit was made: nothing goes back any more.
  return new CrossplaneError(
    'git-refused',
    'a move whose last commit was made is not finished in this cluster',
    {suggestions: [moveWay('--continue', flags)]},
  )
}
