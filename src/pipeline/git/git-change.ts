import type {Checkout, CommitStyle, NewCommit} from '../../commit/checkout.js'
import {commitFiles, type CommitPlan, type CommitPorts} from '../../commit/commit-files.js'
import type {OutputFolder} from '../../commit/output-folder.js'
import {previewFolder} from '../../commit/write-folder.js'
import {LOCK_ENDING} from '../../declaration/entries/entry-files.js'
import {keptVersions} from '../../declaration/kept-versions.js'
import type {Lock} from '../../declaration/lock.js'
import {type Diagnostic, distinctDiagnostics} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {WritableFile} from '../../fetch/output-files.js'
import {commitMessage, commitSubject, shortSubject} from '../../inspect/commit-message.js'
import {folderSummary, type FolderSummary} from '../../inspect/folder-summary.js'
import {DECLARATION_TARGET, LOCK_TARGET, planFile, planFileRemoval} from '../../plan/file/plan-file.js'
import {replacementSteps} from '../../plan/folder/crd-file-changes.js'
import type {FolderEntries, OwnedFiles} from '../../plan/folder/folder-snapshot.js'
import {type Home, type HomePlace, pathInHome} from '../../plan/folder/home.js'
import {joinOwnedFiles, parseLists} from '../../plan/folder/owned-files.js'
import {ownedFilesTexts} from '../../plan/folder/plan-folder.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {judgeCheckout} from '../../plan/git/judge-checkout.js'
import {resolverCommitNotes, resolverCommitRejections} from '../../plan/git/judge-xpkgs.js'
import {versionSteps} from '../../plan/git/version-steps.js'
import type {Plan} from '../../plan/plan.js'
import {contentHash, type Sha256, sha256Of} from '../../plan/sha256.js'
import {present} from '../../present.js'
import type {InstallSet} from '../../render/install-set.js'
import {listSome} from '../../text.js'
import type {RequestPorts} from '../request/read-request.js'
import {expectKnownOwners, expectKnownSigners} from '../expect-known-owners.js'
import {type SettingChange, settingNotes, settingSubject} from '../render/tree-settings.js'
import {judgedSettings} from './judged-settings.js'
import {committedHome, type HomePorts} from './committed-home.js'
import {declarationsIn, formattedHome} from './formatted-home.js'
import type {GitQuery} from './git-request.js'
import type {judgedFilePlan} from '../../inspect/policy/planned-files.js'
import type {TreeCluster} from './judge-in-cluster.js'
import {judgeCommit} from './judge-commit.js'
import {formerPackage} from './locked-history.js'
import {headTexts} from './judge-instances.js'
import type {NewTree} from './judged-commit.js'
import type {KeptSources} from './keep-versions.js'
import {type HomeFiles, newDeclaration, planHome, type PlannedHome} from './plan-home.js'
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
  const {branch, head} = state
  const at = (path: string) => `${state.root}/${path}`
  const base = await committedHome(place, state, ports)
  const home = {...place, tree: base.tree}
  const [tree, whole] = [await ports.folder(at(home.tree)), await ports.folder(state.root)]
  const {planned, untracked, edits} = await plannedFiles(query, home, {base, whole}, ports)
  const preview = await previewFolder(planned.files, tree)
  const settings = await judgedSettings(query, base, {files: planned.files, ...preview}, checkout)
  const plan = joinedPlan(preview.plan, edits, home)
  const before = joinedTexts(preview.before, edits, home)
  const {lists} = base
  const inHead = joinOwnedFiles(parseLists(lists, tree.name).values())
  const desired = desiredHashes(planned, home, [...lists.keys(), ...preview.lists], inHead, preview.owned)
  const newTree = {...planned, path: home.tree, texts: preview.before, owned: inHead}
  const [{changed, rejections}, {dangers, warnings, summary}] = await Promise.all([
    judgedCheckout(state, desired, whole, checkout),
    judgedContent(query, planned, {plan, before, newTree, settings}, ports),
  ])
  const {oldLock, newLock, set, notes} = planned
  const message = messageOf(query, planned, {summary, warnings, settings})
  const hasCluster = ports.cluster !== undefined
  const steps = resolverCommitNotes(settings, planned.xpkgs?.set ?? {changes: []}, {hasCluster})
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
    message,
    isEmpty: plan.operations.length === 0 && changed.length === 0,
    set: {warnings: [...set.warnings, ...warnings]},
    // The lock and the rendered tree follow from one resolution each, with mostly the same notes.
    notes: distinctDiagnostics([...(set.notes ?? []), ...notes, ...steps]),
    commit: {
      tree: planned.files,
      files: edits.map(({path, plan: edit}) => ({file: ports.file(at(path)), plan: edit})),
      declarations: declarationsIn(planned, home),
      writtenFiles: desired,
      own: planned.own,
      message,
      tip: {...present({branch, head})},
    },
    ports: {tree, whole, checkout},
    oldLock,
    newLock,
  }
}

/** Finds the version that a rollback returns to: the same one if it is planned again for a later commit. */
async function decidedQuery(query: GitQuery, place: HomePlace, checkout: Checkout): Promise<GitQuery> {
  const {request} = query
  if (request.kind !== 'rollback' || request.former !== undefined) return query
  return {...query, request: {...request, former: await formerPackage(request, place, checkout)}}
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
    untracked: await untrackedEntries(home, base, planned, whole),
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
  await expectPlanJudged(planned, {plan, before: committed})
  const commit = {tree: newTree, before: committed, ...present({xpkgs: planned.xpkgs})}
  const judged = [
    ...resolverCommitRejections(settings, planned.xpkgs?.set ?? {changes: []}),
    ...(await judgeCommit(query, commit, ports.cluster)),
  ]
  const [dangers, warnings] = bySeverity(judged)
  return {dangers, warnings, summary: folderSummary({...planned, operations: plan.operations, before})}
}

/** Throws `policy-refused` for what the policy of the team rejects of a plan. */
async function expectPlanJudged(
  {judgePlan, files, xpkgs}: PlannedHome,
  planned: Pick<Parameters<typeof judgedFilePlan>[0], 'plan' | 'before'>,
): Promise<void> {
  if (judgePlan === undefined) return
  // Loaded here: few policies have anything about plans.
  const {judgedFilePlan} = await import('../../inspect/policy/planned-files.js')
  const {judgedXpkgCrds} = await import('../../inspect/policy/planned-xpkg-crds.js')
  const judged = judgedFilePlan({...planned, files, target: 'git'})
  await judgePlan({...judged, crds: [...judged.crds, ...judgedXpkgCrds(xpkgs?.set.changes ?? [])]})
}

function messageOf(
  query: GitQuery,
  {step, resumed, oldLock, newLock}: PlannedHome,
  {
    summary,
    warnings,
    settings,
  }: Pick<GitChange, 'summary'> & {
    readonly warnings: readonly Diagnostic[]
    readonly settings: SettingChange
  },
): string {
  return commitMessage({
    subject:
      query.subject ??
      settingSubject(settings) ??
      shortSubject(subjectOf(step, resumed) ?? commitSubject(oldLock, newLock, summary.installs)),
    settings: settingNotes(settings),
    markedInstalls: [...(step === undefined ? [] : [step.key]), ...resumed],
    assumesNoInstances: query.assumeNoInstances,
    keepsInstances: query.keepsInstances,
    steps: replacementSteps(warnings),
    versionSteps: versionSteps(keptVersions(oldLock ?? {packages: []}), keptVersions(newLock)),
    summary,
    oldLock,
    newLock,
  })
}

function subjectOf(step: PlannedHome['step'], [resumed]: PlannedHome['resumed']): string | undefined {
  return step?.subject ?? (resumed === undefined ? undefined : `Cancel the uninstall of ${resumed}`)
}

function keptSources(
  {migratesVersions}: GitQuery,
  base: HomeFiles,
  {checkout, cluster}: GitPorts,
): KeptSources {
  return {...(migratesVersions ? {before: () => committedTexts(base, checkout)} : {}), cluster}
}

/** The texts of the managed files of a tree in HEAD. */
async function committedTexts({tree, lists}: HomeFiles, checkout: Checkout): Promise<readonly string[]> {
  const owned = joinOwnedFiles(parseLists(lists, tree).values())
  const files = await checkout.committedFiles([...owned.keys()].map(path => `${tree}/${path}`))
  return [...files.values()].map(bytes => Buffer.from(bytes).toString())
}

/** What differs from HEAD among the files that a change writes, and why they must not be committed. */
async function judgedCheckout(
  state: CheckoutState,
  desired: DesiredHashes,
  whole: OutputFolder,
  checkout: Checkout,
) {
  const paths = [...desired.keys()]
  const [changed, blocked] = await Promise.all([checkout.changed(paths), checkout.blocked(paths)])
  const entries = await whole.look(changed.map(({path}) => path))
  const asPlanned = pathsAsPlanned(desired, entries)
  return {changed, rejections: judgeCheckout({state, changed, blocked, asPlanned})}
}

/** Throws `git-refused` with all reasons for which a change must not be made. */
export function expectCommittable({plan: {rejections}}: Pick<GitChange, 'plan'>): void {
  if (rejections.length === 0) return
  const places = [...new Set(rejections.map(({file, message}) => file ?? message))]
  throw new CrossplaneError('git-refused', `cannot commit: ${listSome(places, 3)}`, {
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

/** An edit of the declaration or the lock. */
interface FileEdit {
  readonly path: string
  readonly before?: string
  readonly plan: Plan
}

async function editedFiles(
  {texts}: PlannedHome,
  home: Home,
  whole: OutputFolder,
): Promise<readonly FileEdit[]> {
  const edits: FileEdit[] = []
  for (const [relative, content] of texts) {
    const path = pathInHome(home, relative)
    const before = await whole.read(path)
    const bytes = before === undefined ? undefined : Buffer.from(before)
    const file = {target: targetOf(path), name: path.split('/').at(-1) ?? path}
    const plan =
      content === undefined ? planFileRemoval(file, {bytes}) : planFile({...file, content}, {bytes})
    edits.push({path, before, plan})
  }
  return edits
}

function targetOf(path: string): string {
  return path.endsWith(LOCK_ENDING) ? LOCK_TARGET : DECLARATION_TARGET
}

/** The rejection of an interrupted write does not apply: the write is completed first. */
function joinedPlan(tree: Plan, edits: readonly FileEdit[], {tree: folder}: Home): Plan {
  const inTree = (path: string) => `${folder}/${path}`
  return {
    operations: [
      ...edits.flatMap(({path, plan}) => plan.operations.map(operation => ({...operation, path}))),
      ...tree.operations.map(operation => ({...operation, path: inTree(operation.path ?? '')})),
    ],
    unchanged: tree.unchanged + edits.filter(({plan}) => plan.operations.length === 0).length,
    rejections: tree.rejections
      .filter(({rule}) => rule !== 'write-pending')
      .map(diagnostic => ({
        ...diagnostic,
        ...(diagnostic.file === undefined ? {} : {file: inTree(diagnostic.file)}),
      })),
  }
}

function joinedTexts(
  tree: ReadonlyMap<string, string>,
  edits: readonly FileEdit[],
  {tree: folder}: Home,
): ReadonlyMap<string, string> {
  return new Map([
    ...edits.flatMap(({path, before}) => (before === undefined ? [] : [[path, before] as const])),
    ...[...tree].map(([path, text]) => [`${folder}/${path}`, text] as const),
  ])
}

/** The hash that each path gets; undefined for a file that is deleted. */
type DesiredHashes = ReadonlyMap<string, Sha256 | undefined>

/** Managed files that HEAD or the working tree lists, and that the tree no longer has, are deleted. */
function desiredHashes(
  {texts, files}: PlannedHome,
  home: Home,
  lists: readonly string[],
  ...listed: readonly OwnedFiles[]
): DesiredHashes {
  const managed = [...lists, ...listed.flatMap(owned => [...owned.keys()])]
  return new Map<string, Sha256 | undefined>([
    ...managed.map(path => [`${home.tree}/${path}`, undefined] as const),
    ...files.map(file => [`${home.tree}/${file.path}`, contentHash(file)] as const),
    ...[...ownedFilesTexts(files)].map(([path, text]) => [`${home.tree}/${path}`, sha256Of(text)] as const),
    ...[...texts].map(
      ([path, text]) => [pathInHome(home, path), text === undefined ? undefined : sha256Of(text)] as const,
    ),
  ])
}

function pathsAsPlanned(desired: DesiredHashes, entries: FolderEntries): ReadonlySet<string> {
  const hashAt = (path: string) => {
    const entry = entries.get(path)
    return entry?.kind === 'file' ? entry.sha256 : entry?.kind
  }
  return new Set([...desired].flatMap(([path, sha256]) => (hashAt(path) === sha256 ? [path] : [])))
}
