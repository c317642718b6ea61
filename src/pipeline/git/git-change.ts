import type {Checkout, CommitStyle, NewCommit} from '../../commit/checkout.js'
import {commitFiles, type CommitPlan, type CommitPorts} from '../../commit/commit-files.js'
import type {OutputFolder} from '../../commit/output-folder.js'
import {previewFolder} from '../../commit/write-folder.js'
import {NO_GATES} from '../../plan/folder/plan-folder.js'
import type {Lock} from '../../declaration/lock.js'
import {type Diagnostic, distinctDiagnostics} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {WritableFile} from '../../fetch/output-files.js'
import {folderSummary, type FolderSummary} from '../../inspect/folder-summary.js'
import type {Home, HomePlace} from '../../plan/folder/home.js'
import {joinOwnedFiles, parseLists} from '../../plan/folder/owned-files.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {newHomeWarnings} from '../../plan/git/new-home.js'
import {
  droppedNotes,
  healthCheckNotes,
  resolverCommitNotes,
  resolverCommitRejections,
} from '../../plan/git/judge-xpkgs.js'
import type {Plan} from '../../plan/plan.js'
import {rejectionPlaces} from '../../plan/rejection.js'
import type {TreeReview} from '../../package/rendered-sets.js'
import {present} from '../../present.js'
import type {InstallSet} from '../../render/install-set.js'
import type {RequestPorts} from '../request/read-request.js'
import {expectKnownOwners, expectKnownSigners} from '../resolution/expect-known-owners.js'
import type {LockImpact} from '../impact/impact-gate.js'
import type {SettingChange} from '../render/setting-change.js'
import {judgedSettings} from './judged-settings.js'
import {committedHome, type HomePorts} from '../home/committed-home.js'
import {desiredHashes, editedFiles, joinedPlan, joinedTexts, judgedCheckout} from './changed-paths.js'
import {declarationsIn, formattedHome} from './formatted-home.js'
import type {GitQuery} from './git-request.js'
import {expectPlanAllowed} from '../../inspect/policy/plan-policies.js'
import type {judgedFilePlan} from '../../inspect/policy/planned-files.js'
import type {TreeCluster} from './judge-in-cluster.js'
import {judgeCommit} from './judge-commit.js'
import {messageOf} from './change-message.js'
import {homeRejections} from './judge-impact.js'
import {committedSource, formerPackage} from '../home/locked-history.js'
import {headTexts} from './judge-instances.js'
import type {NewTree} from './judged-commit.js'
import type {KeptSources} from './keep-versions.js'
import {planHome, type PlannedHome} from './plan-home.js'
import {newDeclaration} from './requested-lock.js'
import {type HomeFiles} from '../home/committed-home.js'
import {expectCommittedHome, untrackedEntries} from './untracked-home.js'

/** The ports of a change in a repository. */
export interface GitPorts extends HomePorts {
  readonly folder: (path: string) => Promise<OutputFolder>
  readonly file: (path: string) => WritableFile
  readonly requests: RequestPorts
  /** A cluster to which controllers apply the tree; absent if none is read. */
  readonly cluster?: TreeCluster
}

/** A change of a home, decided for one commit. */
export interface GitChange {
  /** As it is to be applied to other commits. */
  readonly request: GitQuery['request']
  readonly state: CheckoutState
  /** Every operation on a file; paths are relative to the working tree. */
  readonly plan: Plan
  /** The current contents of the files that change. */
  readonly before: ReadonlyMap<string, string>
  readonly summary: FolderSummary
  readonly firstOwners: PlannedHome['firstOwners']
  readonly ownerChanges: PlannedHome['ownerChanges']
  readonly signers: PlannedHome['signers']
  readonly message: string
  /** What it does to the objects that the declaration names, if it names any. */
  readonly impact?: LockImpact
  /** Whether HEAD and the working tree have all files already. */
  readonly isEmpty: boolean
  readonly set: Pick<InstallSet, 'warnings'>
  readonly notes: readonly Diagnostic[]
  readonly commit: Omit<CommitPlan, 'style'>
  readonly ports: CommitPorts
  readonly oldLock?: Lock
  readonly newLock: Lock
}

/** Decides what a request changes in a working tree, as of its HEAD. Throws as `planHome` does. */
export async function prepareGitChange(
  query: GitQuery,
  place: HomePlace,
  ports: GitPorts,
): Promise<GitChange> {
  const {checkout} = ports
  const state = await checkout.state()
  const at = (path: string) => `${state.root}/${path}`
  const base = await committedHome(place, state, ports)
  const home = {...place, tree: base.tree}
  const [tree, whole] = [await ports.folder(at(home.tree)), await ports.folder(state.root)]
  const {planned, untracked, edits} = await plannedFiles(query, home, {base, whole}, ports)
  const preview = await previewFolder(planned.files, tree, {...NO_GATES, path: home.tree})
  const settings = await judgedSettings(query, base, {files: planned.files, ...preview}, checkout)
  const plan = joinedPlan(preview.plan, edits, home)
  const before = joinedTexts(preview.before, edits, home)
  const {lists} = base
  const inHead = joinOwnedFiles(parseLists(lists, tree.name).values())
  const desired = desiredHashes(planned, home, [...lists.keys(), ...preview.lists], inHead, preview.owned)
  const newTree = {...planned, path: home.tree, texts: preview.before, owned: inHead}
  const [{isChanged, rejections}, {dangers, warnings, summary}] = await Promise.all([
    judgedCheckout(state, desired, whole, checkout),
    judgedContent(query, planned, {plan, before, newTree, settings}, ports),
  ])
  const {oldLock, newLock, set, notes} = planned
  const message = messageOf(query, planned, {summary, warnings, settings, place})
  const hasCluster = ports.cluster !== undefined
  const later = clusterNotes(settings, planned, preview, {tree: userPath(home.tree, state), hasCluster})
  return {
    request: planned.request,
    state,
    plan: {
      ...plan,
      rejections: [...planned.rejections, ...untracked, ...rejections, ...plan.rejections, ...dangers],
    },
    before,
    summary,
    firstOwners: planned.firstOwners,
    ownerChanges: planned.ownerChanges,
    signers: planned.signers,
    ...{message, ...present({impact: planned.impact})},
    isEmpty: plan.operations.length === 0 && !isChanged,
    ...saidOnce(
      [...set.warnings, ...warnings, ...(await homeWarnings(base, place, checkout))],
      [...(set.notes ?? []), ...notes, ...later],
    ),
    commit: {
      tree: planned.files,
      files: edits.map(({path, plan: edit}) => ({file: ports.file(at(path)), plan: edit})),
      declarations: declarationsIn(planned, home),
      writtenFiles: desired,
      own: planned.own,
      message,
      tip: tipIn(state),
    },
    ports: {tree, whole, checkout},
    oldLock,
    newLock,
  }
}

/** The path of a file for the commands of a user: in the working tree that a temporary one may stand for; of a clone, as the commit has it. */
function userPath(path: string, {root, temporary}: CheckoutState): string {
  const at = temporary === undefined ? root : temporary.root
  return at === undefined ? path : `${at}/${path}`
}

/** The lock and the rendered tree follow from one resolution each, with mostly the same warnings and notes. */
function saidOnce(
  warnings: readonly Diagnostic[],
  notes: readonly Diagnostic[],
): Pick<GitChange, 'set' | 'notes'> {
  const said = new Set(warnings.map(({message}) => message))
  return {set: {warnings}, notes: distinctDiagnostics(notes).filter(({message}) => !said.has(message))}
}

function tipIn({branch, head}: CheckoutState): GitChange['commit']['tip'] {
  return {...present({branch, head})}
}

/** Says what a commit leaves to a cluster. */
function clusterNotes(
  settings: SettingChange,
  {xpkgs, oldLock, newLock}: Pick<PlannedHome, 'xpkgs' | 'oldLock' | 'newLock'>,
  preview: Parameters<typeof healthCheckNotes>[0],
  {tree, hasCluster}: {readonly tree: string; readonly hasCluster: boolean},
): readonly Diagnostic[] {
  return [
    ...healthCheckNotes(preview, tree),
    ...resolverCommitNotes(settings, xpkgs?.set ?? {changes: []}, {hasCluster}),
    ...droppedNotes(settings, oldLock, newLock),
  ]
}

/** A home that exists was in its place before: its users know what applies it. */
async function homeWarnings(
  {declaration}: Pick<HomeFiles, 'declaration'>,
  place: HomePlace,
  checkout: Checkout,
): Promise<readonly Diagnostic[]> {
  return declaration.bytes === undefined ? newHomeWarnings(place, await checkout.pathsBelow('')) : []
}

/** Finds the versions that a rollback or a promotion takes: the same ones if it is planned again for a later commit. */
async function decidedQuery(query: GitQuery, place: HomePlace, checkout: Checkout): Promise<GitQuery> {
  const {request} = query
  if (request.kind === 'promote') return {...query, request: await decidedPromotion(request, checkout)}
  if (request.kind !== 'rollback' || request.former !== undefined) return query
  return {...query, request: {...request, former: await formerPackage(request, place, checkout)}}
}

/** Reads the lock that a promotion takes versions of. Throws `not-found`. */
async function decidedPromotion(
  request: Extract<GitQuery['request'], {readonly kind: 'promote'}>,
  checkout: Checkout,
): Promise<GitQuery['request']> {
  const {from, source} = request
  if (source !== undefined || from === undefined) return request
  return {...request, source: await committedSource(from, checkout)}
}

/** Plans the files of a home. Throws as `planHome` and `expectCommittedHome` do. */
async function plannedFiles(
  query: GitQuery,
  home: Home,
  {base, whole}: {readonly base: HomeFiles; readonly whole: OutputFolder},
  ports: GitPorts,
) {
  const {checkout} = ports
  await expectCommittedHome(home, base, {whole, checkout}, newDeclaration(query, base))
  const decided = await decidedQuery(query, home, checkout)
  const requested = await planHome(decided, base, ports.requests, keptSources(query, base, ports))
  const planned = await formattedHome(requested, base, home, whole)
  return {
    planned,
    untracked: [
      ...(await homeRejections(planned.impact, query, home)),
      ...(await untrackedEntries(home, base, planned, whole)),
    ],
    edits: await editedFiles(planned, home, whole),
  }
}

/** Judges what a change is for packages and their custom resources. Throws `policy-refused`. */
async function judgedContent(
  query: GitQuery,
  planned: PlannedHome,
  {
    plan,
    before,
    newTree,
    settings,
  }: Pick<GitChange, 'plan' | 'before'> & {readonly newTree: NewTree; readonly settings: SettingChange},
  ports: GitPorts,
) {
  const committed = await headTexts(newTree, ports.checkout)
  const {xpkgs, unreadable} = await changedXpkgs(planned, new Map([...newTree.texts, ...committed]))
  const change = {plan, before: committed, unreadable}
  await expectPlanJudged({...planned, ...present({xpkgs})}, change)
  const commit = {tree: newTree, before: committed, ...present({xpkgs})}
  const judged = [
    ...resolverCommitRejections(settings, xpkgs?.set ?? {changes: []}),
    ...(await judgeCommit(query, commit, ports.cluster)),
  ]
  const [dangers, warnings] = bySeverity(judged)
  return {dangers, warnings, summary: folderSummary({...planned, operations: plan.operations, before})}
}

/**
 * Returns how the packages for a current Crossplane change: from those of the lock, and from those that the tree requests and the lock does
 * not have, such as of a tree that was rendered without a lock; and the files that could request others and are not readable.
 */
async function changedXpkgs(
  {xpkgs, oldLock, treeReview}: Pick<PlannedHome, 'xpkgs' | 'oldLock' | 'treeReview'>,
  before: ReadonlyMap<string, string>,
): Promise<Pick<PlannedHome, 'xpkgs'> & Required<Pick<TreeReview, 'unreadable'>>> {
  const locked = new Set((oldLock?.xpkgs ?? []).map(({repository}) => repository))
  const review = await treeReview?.(before, locked)
  const {xpkgs: ofTree, unreadable = []} = review ?? {}
  if (ofTree === undefined || ofTree.set.changes.length === 0) return {...present({xpkgs}), unreadable}
  const changes = [...(xpkgs?.set.changes ?? []), ...ofTree.set.changes]
  return {xpkgs: {...ofTree, set: {...ofTree.set, changes}}, unreadable}
}

/** Throws `policy-refused` for what the policy of the team rejects of a plan. */
async function expectPlanJudged(
  {planPolicies, files, xpkgs}: PlannedHome,
  {
    unreadable,
    ...planned
  }: Pick<Parameters<typeof judgedFilePlan>[0], 'plan' | 'before'> & Required<Pick<TreeReview, 'unreadable'>>,
): Promise<void> {
  if (planPolicies === undefined) return
  // Loaded here: few policies have anything about plans.
  const {judgedFilePlan} = await import('../../inspect/policy/planned-files.js')
  const {judgedXpkgCrds} = await import('../../inspect/policy/planned-xpkg-crds.js')
  const judged = judgedFilePlan({...planned, files, target: 'git'})
  const crds = [...judged.crds, ...judgedXpkgCrds(xpkgs?.set.changes ?? []), ...unreadable]
  await expectPlanAllowed(planPolicies, {...judged, crds})
}

function keptSources(
  {migratesVersions}: GitQuery,
  base: HomeFiles,
  {checkout, cluster}: GitPorts,
): KeptSources {
  const head = async () => await committedTexts(base, checkout)
  const before = async () => [...(await head()).values()]
  return {...(migratesVersions ? {before} : {}), head, cluster}
}

/** The texts of the managed files of a tree in HEAD, by path. */
async function committedTexts(
  {tree, lists}: HomeFiles,
  checkout: Checkout,
): Promise<ReadonlyMap<string, string>> {
  const owned = joinOwnedFiles(parseLists(lists, tree).values())
  const files = await checkout.committedFiles([...owned.keys()].map(path => `${tree}/${path}`))
  return new Map(
    [...files].map(([path, bytes]) => [path.slice(tree.length + 1), Buffer.from(bytes).toString()] as const),
  )
}

/** Throws `git-refused` with all reasons for which a change must not be made. */
export function expectCommittable(
  {plan: {rejections}}: Pick<GitChange, 'plan'>,
  action: 'commit' | 'write' = 'commit',
): void {
  if (rejections.length === 0) return
  throw new CrossplaneError('git-refused', `cannot ${action}: ${rejectionPlaces(rejections)}`, {
    diagnostics: rejections.map(({suggestions: _atTheEnd, ...diagnostic}) => diagnostic),
    suggestions: [...new Set(rejections.flatMap(({suggestions}) => suggestions ?? []))],
  })
}

/** Throws `git-refused` for owners of groups and signers that only a prompt confirms, as `carryOut` does in a cluster. */
export function expectNothingNew({firstOwners, signers}: Pick<GitChange, 'firstOwners' | 'signers'>): void {
  const confirmation = {
    code: 'git-refused',
    action: 'commit',
    review: 'Run the command in a terminal without --yes, and review its plan.',
  } as const
  expectKnownOwners(firstOwners, confirmation)
  expectKnownSigners(signers, confirmation)
}

/** Writes and commits a change; returns the commit, or undefined if HEAD has all files already. */
export async function carryOutGitChange(
  change: GitChange,
  style: CommitStyle,
): Promise<NewCommit | undefined> {
  expectCommittable(change)
  return await commitFiles({...change.commit, style}, change.ports)
}

function bySeverity(
  diagnostics: readonly Diagnostic[],
): readonly [readonly Diagnostic[], readonly Diagnostic[]] {
  const isError = ({severity}: Diagnostic) => severity === 'error'
  return [diagnostics.filter(isError), diagnostics.filter(diagnostic => !isError(diagnostic))]
}
