import type {Diagnostic} from '../../diagnostic.js'
import {inOrderOfFiles, singleTexts, splitTexts} from '../../declaration/entries/home-texts.js'
import type {Lock} from '../../declaration/lock.js'
import {keptVersions, withKeptVersions} from '../../declaration/kept-versions.js'
import {writeLock} from '../../declaration/write-lock.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {present} from '../../present.js'
import {heldLock, type HomeFiles, LOCK_REMEDY} from '../home/committed-home.js'
import {type FirstOwner, shownOwners} from '../../resolve/first-owners.js'
import type {OwnerChange} from '../../resolve/resolution.js'
import type {SignerChange} from '../../resolve/signer-changes.js'
import {servingVersions} from '../../render/kept-versions.js'
import {listSome, shellWord} from '../../text.js'
import {judgedLock} from '../impact/planned-impact.js'
import type {LockImpact} from '../impact/impact-gate.js'
import {keepStoredVersions, keepVersions, type KeptSources, rememberTree} from './keep-versions.js'
import type {PlanPolicies} from '../../inspect/policy/package-judge.js'
import type {NotedSet} from '../../package/rendered-sets.js'
import {planPoliciesOf, type RenderedSets} from '../../package/rendered-sets.js'
import {renderSets} from '../render/render-sets.js'
import {declarationOf, outputFiles} from '../render/write-output.js'
import {treeOptions} from '../render/tree-options.js'
import {type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import type {ChangedXpkgSet} from '../../package/xpkg/changed-set.js'
import type {GitQuery} from './git-request.js'
import {replacedNotes} from '../../plan/declaration/base-notes.js'
import {drainingDependencies, lostInstalls} from '../../plan/declaration/judge-installs.js'
import {stillRequested} from '../../plan/declaration/xpkg-removal.js'
import {joinOwnedFiles, parseLists} from '../../plan/folder/owned-files.js'
import {xpkgFolderOf} from '../../plan/folder/tree-settings.js'
import type {WholeTreeOptions} from '../../plan/layout/layout.js'
import type {RemovalStep} from '../../plan/declaration/removal-step.js'
import {resumedInstalls} from '../../plan/declaration/requested-removal.js'
import {type HomeTexts, lockWithMoving, movingOf, resolvedLock, withHome, withMoving} from './moved-home.js'
import {expectNotMoving} from '../resolution/expect-not-moving.js'
import {requestedLock} from './requested-lock.js'

/** The desired files of a home. */
export interface PlannedHome {
  /** The files of the declaration and the lock, by path relative to its folder; undefined for one that is deleted. */
  readonly texts: ReadonlyMap<string, string | undefined>
  /** The rendered tree. */
  readonly files: readonly OutputFile[]
  readonly set: NotedSet
  readonly oldLock?: Lock
  readonly newLock: Lock
  /** Owners of a first use, and those that take a group over; also those that the user assigns. */
  readonly owners: readonly FirstOwner[]
  /** The owners among them that nothing has named before. */
  readonly firstOwners: readonly FirstOwner[]
  /** The changes of owners, also those that the declaration assigns. */
  readonly ownerChanges: readonly OwnerChange[]
  readonly signers: readonly SignerChange[]
  readonly notes: readonly Diagnostic[]
  /** The step of an uninstall that the commit is. */
  readonly step?: RemovalStep
  /** The installs whose uninstall it cancels, as NAMESPACE/NAME. */
  readonly resumed: readonly string[]
  /** The request, with what was decided of it: for other commits, no later step may be applied. */
  readonly request: GitQuery['request']
  readonly rejections: readonly Diagnostic[]
  /** How the packages for a current Crossplane change. */
  readonly xpkgs?: ChangedXpkgSet
  /** What it does to the objects that the declaration names, if it names any. */
  readonly impact?: LockImpact
  /** By what a plan is judged, if the policy of the team has anything about plans. */
  readonly planPolicies?: PlanPolicies
  /** Reviews packages by the requests for them that a tree has. */
  readonly treeReview?: RenderedSets['treeReview']
}

/** Applies a request to the declaration and lock of a commit, and renders the result. Throws as `lockPackages` does. */
export async function planHome(
  query: GitQuery,
  base: HomeFiles,
  ports: RequestPorts,
  kept: KeptSources = {},
): Promise<PlannedHome> {
  const lockBefore = heldLock(base)
  const oldLock = lockBefore?.lock
  const requested = await requestedLock(query, base, lockBefore, ports)
  const {settings, report, notes, step} = requested
  if (query.request.kind !== 'move') expectNotMoving(oldLock, report.lock, query.moveWays)
  const text = asRead(base, requested.text)
  // Which versions are kept depends on those of the packages.
  const resolved = resolvedLock(query, report.lock)
  const lock = writeLock(withKeptVersions(resolved, new Map(), () => undefined))
  const {declaration} = base
  const render = (texts: HomeTexts) =>
    renderedSets(settings, base, {...ports, inputs: withHome(ports.inputs, base, texts)})
  const rendered = await render({text, lock})
  const moving = await movingOf(query, base, {lock: oldLock, sets: rendered}, render)
  const locks = {before: oldLock, lock: lockWithMoving(resolved, moving)}
  const lockAfter = await lockKeeping(rendered, locks, kept)
  const {lock: newLock, impact} = await judgedLock(
    query,
    {
      declaration: {name: declaration.name, isSplit: declaration.split !== undefined},
      settings,
      text,
      lockBefore: oldLock,
      lockAfter,
    },
    ports,
  )
  const sets = withVersions(withMoving(rendered, moving), newLock)
  return {
    texts: textsOf(base, text, newLock),
    files: await outputFiles(sets, treeOf(base, sets)),
    set: wholeSet(sets),
    ...present({planPolicies: planPoliciesOf(sets), treeReview: rendered.treeReview}),
    oldLock,
    newLock,
    owners: shownOwners(report.firstOwners, report.ownerChanges),
    firstOwners: report.firstOwners,
    ownerChanges: report.ownerChanges,
    signers: report.signerChanges,
    notes: [
      ...[...report.notes, ...notes, ...baseNotes(declaration, text), ...warningsOf(impact)],
      ...keptNotes(oldLock, newLock, kept),
    ],
    step,
    ...present({xpkgs: report.xpkgs, impact}),
    resumed: resumedInstalls(declaration, {name: declaration.name, bytes: Buffer.from(text)}, report.lock),
    request: step === undefined ? query.request : {kind: 'uninstall', name: step.key, stage: step.stage},
    rejections: [
      ...drainingDependencies({name: declaration.name, bytes: Buffer.from(text)}, report.lock, step?.key),
      ...removalRejections(step, oldLock, report.lock),
    ],
  }
}

/** The lock of a rendered set with the versions that its CRDs keep. */
async function lockKeeping(
  {stacks, treeReview}: RenderedSets,
  locks: {readonly before: Lock | undefined; readonly lock: Lock},
  kept: KeptSources,
): Promise<Lock> {
  const lock = await keepVersions(stacks ?? NO_STACKS, await rememberTree(treeReview, locks, kept), kept)
  return await keepStoredVersions(lock, kept.cluster)
}

function baseNotes({name, bytes}: HomeFiles['declaration'], text: string): readonly Diagnostic[] {
  return bytes === undefined ? [] : replacedNotes({name, bytes}, text)
}

function warningsOf(impact: LockImpact | undefined): readonly Diagnostic[] {
  return impact?.warnings ?? []
}

/** How a tree is laid out: as the declaration says, with the folders that it has. */
function treeOf({tree, lists, settings}: HomeFiles, sets: RenderedSets): WholeTreeOptions {
  const owned = joinOwnedFiles(parseLists(lists, tree).values()).keys()
  const xpkgFolder = xpkgFolderOf(owned, settings, tree)
  return {...treeOptions({}, declarationOf(sets)), path: tree, xpkgFolder}
}

/** Renders what the planned inputs request, as the declaration says. */
async function renderedSets(
  settings: ResolutionSettings,
  {declaration, lock}: HomeFiles,
  ports: RequestPorts,
): Promise<RenderedSets> {
  return await renderSets(
    {
      kind: 'resolution',
      query: {
        kind: 'declaration',
        file: declaration.name,
        settings,
        lock: {file: lock.name, isOptional: false, otherwise: 'note', remedy: LOCK_REMEDY},
      },
    },
    {choices: DECLARED_ONLY, settings: {}},
    ports,
  )
}

function withVersions({stacks, xpkgs, fields}: RenderedSets, lock: Lock): RenderedSets {
  return {
    ...present({fields}),
    ...(stacks === undefined ? {} : {stacks: servingVersions(stacks, keptVersions(lock))}),
    ...present({xpkgs}),
  }
}

/** Returns the set of packages with `.registry/`, with what is to be said of all packages. */
function wholeSet(sets: RenderedSets): NotedSet {
  const {stacks = NO_STACKS, xpkgs} = sets
  return {
    ...stacks,
    declaration: declarationOf(sets),
    warnings: [...stacks.warnings, ...(xpkgs?.warnings ?? [])],
    notes: [...(stacks.notes ?? []), ...(xpkgs?.notes ?? [])],
  }
}

/** The set of a declaration whose packages are all for a current Crossplane. */
const NO_STACKS: NotedSet = {installs: [], objects: [], warnings: []}

/** Names the CRDs that keep versions as before, and the step after which a commit that sees the cluster drops these. */
function keptNotes(before: Lock | undefined, after: Lock, {cluster}: KeptSources): readonly Diagnostic[] {
  const formerly = keptVersions(before ?? {packages: []})
  const crds = [...keptVersions(after).keys()].filter(crd => formerly.has(crd))
  if (crds.length === 0) return []
  const name = cluster === undefined ? 'NAME' : shellWord(cluster.context)
  const once = `once kubectl crossplane package migrate --context ${name} was run`
  const next =
    cluster === undefined
      ? `a commit with --context drops them ${once}`
      : `custom resources can be stored in these. The same command drops them ${once}`
  const message = `${listSome(crds)} still ${crds.length === 1 ? 'serves versions' : 'serve versions'} that the packages lack; ${next}`
  return [{severity: 'note', rule: 'crd-versions-kept', message}]
}

function asRead({declaration: {name, split}}: HomeFiles, text: string): string {
  return split === undefined ? text : inOrderOfFiles({name, bytes: Buffer.from(text)}, split.entries)
}

/** A home keeps its form: one file, or one for each entry and install. */
function textsOf(
  {declaration: {name, split}, existing}: HomeFiles,
  text: string,
  lock: Lock,
): ReadonlyMap<string, string | undefined> {
  const texts =
    split === undefined
      ? singleTexts(text, lock)
      : splitTexts({name, bytes: Buffer.from(text)}, lock, split.entries)
  return new Map([...existing.map(path => [path, undefined] as const), ...texts])
}

function removalRejections(
  step: RemovalStep | undefined,
  before: Lock | undefined,
  after: Lock,
): readonly Diagnostic[] {
  const removed = step?.stage === 'removed' ? step.key : undefined
  return [
    ...(step?.rejections ?? []),
    ...(step === undefined ? [] : stillRequested(step, after)),
    ...lostInstalls(before, after, removed),
  ]
}

/** The declaration has every setting of rendering, so that it can be rendered again. */
const DECLARED_ONLY = {flags: {}, defaults: {}, tree: {}}
