import {relative, resolve, sep} from 'node:path'
import type {Command} from '@oclif/core'
import {plainCheckout} from '../../commit/plain-checkout.js'
import {LOCK_FILE} from '../../declaration/entries/home-texts.js'
import type {Lock} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import {committedSource} from '../../pipeline/home/locked-history.js'
import {
  carryOutGitChange,
  expectCommittable,
  expectNothingNew,
  type GitChange,
  prepareGitChange,
} from '../../pipeline/git/git-change.js'
import type {GitQuery} from '../../pipeline/git/git-request.js'
import {promoteBranch} from '../../pipeline/git/promote-branch.js'
import {homeIn, type HomePlace, pathInHome, treeIn} from '../../plan/folder/home.js'
import {present} from '../../present.js'
import {quoted} from '../../text.js'
import {withoutCredentials} from '../../without-credentials.js'
import {expectConfirmed, showPlan} from '../git/git-plan.js'
import {toGit} from '../git/git-change.js'
import {commitStyle} from '../git/git-query.js'
import {requestPorts} from '../packages/package-ports.js'
import {formatDocument, isDocument, show, showNotes, showWarnings} from '../shell/document/show.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {progress} from '../shell/progress/progress.js'
import {plainText} from '../shell/text/plain-text.js'
import {repositoryRoot} from '../files/repository-root.js'
import {showUpdates, withUpdates} from '../update/update-home.js'
import {plainChange} from '../update/update-query.js'
import {imageOutputs, workingTreeFolder} from '../wire.js'
import type {promoteFlags} from './promote-flags.js'

/** The flags of `package promote`. */
export type PromoteFlags = FlagValues<typeof promoteFlags>

/** Two homes: folders, of the repository of `--git` if it is passed. */
export interface HomePair {
  readonly from: string
  readonly to: string
  /** The lock of FROM that was judged; by default, FROM is read. */
  readonly lock?: Lock
}

type Invocation = Pick<Command, 'argv' | 'config'>

/**
 * Promotes the locked versions of one home to another: in a request or a commit of a repository, or in the files of the other home.
 * Returns whether a branch could not be made. Throws the errors of `package lock`, and `git-refused` for what must not change.
 */
export async function promoteHome(
  {from, to, lock}: HomePair,
  flags: PromoteFlags,
  command: Invocation,
): Promise<boolean> {
  const {git} = flags
  if (git === undefined) {
    await inFiles({from, to, ...present({lock})}, flags, command)
    return false
  }
  const [source, target] = [homeOf(from), homeOf(to)]
  expectDifferent(source.folder, target.folder, to)
  const query = promoteQuery(
    lock === undefined ? {from: source} : {source: {name: source.lock, lock}},
    flags,
    from,
  )
  if (flags.pr !== undefined) return await inBranch(query, target, {...flags, git}, command)
  await toGit(query, {...commitFlags(flags), path: target.folder}, command)
  return false
}

function homeOf(path: string): HomePlace {
  try {
    return homeIn(path)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    throw new CrossplaneError('usage', `invalid home ${quoted(path)}: not a folder of the repository`, {
      suggestions: error.suggestions,
    })
  }
}

function expectDifferent(one: string, other: string, shown: string): void {
  if (one !== other) return
  throw new CrossplaneError('usage', `cannot promote ${quoted(shown)} to itself`, {
    suggestions: ['Pass the folders of two homes: FROM and TO.'],
  })
}

type Promotion = Extract<GitQuery['request'], {readonly kind: 'promote'}>

function promoteQuery(
  source: Pick<Promotion, 'from' | 'source'>,
  flags: PromoteFlags,
  from: string,
): GitQuery & {readonly request: Promotion} {
  return {
    request: {kind: 'promote', only: flags.only ?? [], ...source},
    ...plainChange(flags),
    assumeNoInstances: flags['assume-no-instances'],
    acceptsImpact: flags['accept-impact'],
    subject: subjectOf(flags.message ?? `Promote packages from ${from}`),
  }
}

function subjectOf(message: string): string {
  if (!/^\s*$|\p{Cc}/u.test(message)) return message.trim()
  throw new CrossplaneError('usage', `invalid --message ${quoted(message)}: not a line of text`)
}

/** What a commit of another command has besides. */
function commitFlags(flags: PromoteFlags) {
  return {
    ...flags,
    ...{'change-settings': false, 'allow-pruning': false},
  }
}

async function inBranch(
  query: GitQuery & {readonly request: Promotion},
  home: HomePlace,
  flags: PromoteFlags & {readonly git: string},
  {argv}: Invocation,
): Promise<boolean> {
  const {git, branch, remote, push, pr} = flags
  const {request, acceptsImpact, ...change} = query
  if (acceptsImpact === true) throw acceptedInBranch()
  const shown = progress(argv)
  shown.report({kind: 'step', name: `Opening ${withoutCredentials(git)}`})
  const isDryRun = flags['dry-run'] === 'client'
  const place = {git, push, tree: treeIn(home), branch, remote}
  return await withUpdates(place, {flags, shown}, async ports => {
    const promotion = {request, change, style: commitStyle(flags), isDryRun}
    const report = await promoteBranch(
      {...promotion, opensMergeRequests: pr === 'gitlab'},
      home,
      ports,
    ).finally(shown.end)
    await showUpdates(report, {flags, argv, ...present({named: ports.repository.shown})})
    return report.updates.some(({error}) => error !== undefined)
  })
}

function acceptedInBranch(): CrossplaneError {
  return new CrossplaneError('usage', '--accept-impact and --pr are mutually exclusive', {
    suggestions: ['Leave out --accept-impact: effects are accepted in a commit to the branch.'],
  })
}

/** Writes the files of a home, as `package lock` and `package render` would. */
async function inFiles(
  {from, to, lock: judged}: HomePair,
  flags: PromoteFlags,
  {argv}: Invocation,
): Promise<void> {
  const shown = progress(argv)
  const [source, target] = [await openHome(from), await openHome(to)]
  expectDifferent(resolve(from), resolve(to), to)
  const name = pathInHome({folder: from}, LOCK_FILE)
  const lock = judged ?? (await committedSource(source.place, source.checkout, name)).lock
  const query = promoteQuery({source: {lock, name}}, flags, from)
  const outputs = await imageOutputs()
  const change = await prepareGitChange(query, target.place, {
    checkout: target.checkout,
    folder: workingTreeFolder,
    file: path => outputs.file(path),
    requests: requestPorts({...flags, 'default-source': undefined}, shown),
  }).finally(shown.end)
  showWarnings({warnings: change.set.warnings}, argv)
  showNotes(change.notes, argv)
  await writeChange(change, to, {flags, argv})
}

async function openHome(folder: string) {
  const root = repositoryRoot(resolve(folder))
  const path = relative(root, resolve(folder)).split(sep).join('/')
  const whole = await workingTreeFolder(root)
  return {place: homeOf(path), checkout: plainCheckout(whole)}
}

async function writeChange(
  change: GitChange,
  to: string,
  {flags, argv}: {readonly flags: PromoteFlags; readonly argv: readonly string[]},
): Promise<void> {
  const {output} = flags
  if (flags['dry-run'] === 'client') {
    await showPlan({...change, message: undefined}, {name: to}, {flags, argv})
    return expectCommittable(change, 'write')
  }
  expectCommittable(change, 'write')
  if (!change.isEmpty) {
    if (!isQuietRun(argv)) process.stderr.write(`${change.message}\n`)
    if (flags.yes) expectNothingNew(change)
    else await expectConfirmed('Write these files?', {flags})
    await carryOutGitChange(change, {signoff: false})
  }
  const paths = change.plan.operations.flatMap(({path}) => path ?? [])
  if (isDocument(output)) return await show(formatDocument({kind: 'Promotion', paths}, output))
  process.stderr.write(`${plainText(to)}: ${change.isEmpty ? 'nothing to change' : 'written'}\n`)
}
