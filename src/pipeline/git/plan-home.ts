import type {Diagnostic} from '../../diagnostic.js'
import {withSettings} from '../../declaration/add-settings.js'
import {singleTexts, splitTexts} from '../../declaration/entries/home-texts.js'
import type {WholeDeclaration} from '../../declaration/entries/read-entries.js'
import type {Lock} from '../../declaration/lock.js'
import {keptVersions, withKeptVersions} from '../../declaration/kept-versions.js'
import {readLock} from '../../declaration/read-lock.js'
import {writeLock} from '../../declaration/write-lock.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {type FirstOwner, shownOwners} from '../../resolve/first-owners.js'
import type {OwnerChange} from '../../resolve/resolution.js'
import type {SignerChange} from '../../resolve/signer-changes.js'
import {servingVersions} from '../../render/kept-versions.js'
import {FIELDS_OF_FORMAT} from '../../package/expect-effect.js'
import {formatsInLock} from '../../package/formats.js'
import {withoutFields} from '../../declaration/remove-package.js'
import {listNames, listSome, shellWord} from '../../text.js'
import {asObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import {declaredNames} from '../../plan/declaration/declared-names.js'
import {pinnedNote} from '../cluster/pinned-note.js'
import {upgradedLock} from '../cluster/upgraded-lock.js'
import {lockRequest} from '../lock-request.js'
import {keepStoredVersions, keepVersions, type KeptSources} from './keep-versions.js'
import {withContent} from '../planned-inputs.js'
import type {PlanJudge} from '../../inspect/policy/package-judge.js'
import type {NotedSet} from '../../package/rendered-sets.js'
import {planJudgeOf, type RenderedSets} from '../../package/rendered-sets.js'
import {renderSets} from '../render/render-sets.js'
import {declarationOf, outputFiles} from '../render/write-output.js'
import {treeOptions} from '../render/tree-options.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import type {ChangedXpkgSet} from '../../package/xpkg/changed-set.js'
import type {FormerPackage, GitQuery} from './git-request.js'
import {drainingDependencies, lostInstalls} from '../../plan/declaration/judge-installs.js'
import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {withEntry} from '../../plan/declaration/requested-declaration.js'
import {expectFormerVersion, withFormerPin, withFormerVersion} from '../../plan/declaration/rolled-back.js'
import {stillRequested} from '../../plan/declaration/xpkg-removal.js'
import type {RemovalStep} from '../../plan/declaration/removal-step.js'
import {type RemovalRequest, removalStep, resumedInstalls} from '../../plan/declaration/requested-removal.js'
import type {LockReport} from '../../package/reports.js'

/** The files of a home as a commit has them; absent ones do not exist. The names are full paths. */
export interface HomeFiles {
  readonly declaration: Omit<WholeDeclaration, 'bytes'> & {readonly bytes?: Uint8Array}
  readonly lock: {readonly name: string; readonly bytes?: Uint8Array}
  /** The paths of all files of declaration and lock, relative to the folder of the declaration. */
  readonly existing: readonly string[]
  /** The folder of the rendered tree, relative to the root of the repository. */
  readonly tree: string
  /** The lists of its managed files, by their paths in it. */
  readonly lists: ReadonlyMap<string, string>
  /** The text of its settings; absent for a tree of an earlier release. */
  readonly settings?: string
}

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
  /** Judges a plan by the policy of the team, if it has anything about plans. */
  readonly judgePlan?: PlanJudge
}

/** Applies a request to the declaration and lock of a commit, and renders the result. Throws as `lockPackages` does. */
export async function planHome(
  query: GitQuery,
  base: HomeFiles,
  ports: RequestPorts,
  kept: KeptSources = {},
): Promise<PlannedHome> {
  const lockBefore = heldLock(base)
  const {settings, text, report, notes, step} = await requestedLock(query, base, lockBefore, ports)
  // Which versions are kept depends on those of the packages.
  const lock = writeLock(withKeptVersions(report.lock, new Map(), () => undefined))
  const {declaration, lock: lockFile} = base
  const inputs = withContent(
    withContent(ports.inputs, declaration.name, text, declaration.split !== undefined),
    lockFile.name,
    lock,
  )
  const rendered = await renderedSets(settings, base, {...ports, inputs})
  const newLock = await keepStoredVersions(
    await keepVersions(rendered.stacks ?? NO_STACKS, report.lock, kept),
    kept.cluster,
  )
  const sets = withVersions(rendered, newLock)
  return {
    texts: textsOf(base, text, newLock),
    files: await outputFiles(sets, {...treeOptions({}, declarationOf(sets)), path: base.tree}),
    set: wholeSet(sets),
    ...present({judgePlan: planJudgeOf(sets)}),
    oldLock: lockBefore?.lock,
    newLock,
    owners: shownOwners(report.firstOwners, report.ownerChanges),
    firstOwners: report.firstOwners,
    ownerChanges: report.ownerChanges,
    signers: report.signerChanges,
    notes: [...report.notes, ...notes, ...keptNotes(lockBefore?.lock, newLock, kept)],
    step,
    ...present({xpkgs: report.xpkgs}),
    resumed: resumedInstalls(declaration, {name: declaration.name, bytes: Buffer.from(text)}, report.lock),
    request: step === undefined ? query.request : {kind: 'uninstall', name: step.key, stage: step.stage},
    rejections: [
      ...drainingDependencies({name: declaration.name, bytes: Buffer.from(text)}, report.lock, step?.key),
      ...removalRejections(step, lockBefore?.lock, report.lock),
    ],
  }
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
        lock: {file: lock.name, isOptional: false, otherwise: 'note', remedy: REMEDY},
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

interface RequestedLock {
  /** Those by which it was resolved. */
  readonly settings: ResolutionSettings
  /** The declaration. */
  readonly text: string
  readonly report: LockReport
  readonly notes: readonly Diagnostic[]
  readonly step?: RemovalStep
}

async function requestedLock(
  {request, settings, declared}: GitQuery,
  base: HomeFiles,
  before: HeldLock | undefined,
  ports: RequestPorts,
): Promise<RequestedLock> {
  const {name, bytes} = base.declaration
  const file = bytes === undefined ? undefined : {name, bytes}
  const lockOf = async (text: string, own = settings, kept = before): Promise<RequestedLock> => {
    const inputs = withContent(ports.inputs, name, text)
    const query = {kind: 'declaration', file: name, settings: own} as const
    const report = await lockRequest(await readRequest(query, {...ports, inputs}), kept)
    return {settings: own, text, report, notes: []}
  }
  if (request.kind === 'install') return await lockOf(installText(request, declared, file, name))
  if (request.kind === 'uninstall') {
    const step = nextRemoval(request, base)
    const removal = await lockOf(step.text, {...settings, isRemoval: true})
    if (addsPackages(removal.report)) return {...(await lockOf(step.text)), step}
    const {text, fields} = withoutLastOf({name, bytes: Buffer.from(step.text)}, before?.lock, removal.report)
    if (fields.length === 0) return {...removal, step}
    return {...(await lockOf(text, removal.settings)), notes: [removedNote(fields)], step}
  }
  if (file === undefined) throw noDeclaration(name)
  if (request.kind === 'rollback') {
    const {text, lock, former} = rolledBack(request, file, before)
    const locked = await lockOf(text, settings, lock)
    expectFormerVersion(locked.report.lock, former)
    return locked
  }
  const text = withSettings(file, declared)
  return request.keepsVersions === true
    ? await lockOf(text)
    : await lockOfUpgrade({name, text, names: request.names, settings}, before, ports)
}

async function lockOfUpgrade(
  {
    name,
    text,
    settings,
    ...request
  }: Pick<RequestedLock, 'text' | 'settings'> & {readonly name: string; readonly names: readonly string[]},
  before: HeldLock | undefined,
  ports: RequestPorts,
): Promise<RequestedLock> {
  const names = declaredNames({name, bytes: Buffer.from(text)}, {...request, lock: before?.lock})
  const inputs = withContent(ports.inputs, name, names.text)
  const report = await upgradedLock(before, {names, settings, file: name}, {...ports, inputs})
  return {settings, text: names.text, report, notes: pinnedNote(names.pinned)}
}

/** The declaration and the lock to resolve with for a rollback. What changes is compared with the present lock. */
function rolledBack(
  {former}: Extract<GitQuery['request'], {readonly kind: 'rollback'}>,
  file: DeclarationFile,
  before: HeldLock | undefined,
): {readonly text: string; readonly lock: HeldLock; readonly former: FormerPackage} {
  if (former === undefined || before === undefined) throw noDeclaration(file.name)
  const lock = {...before, lock: withFormerVersion(before.lock, former), replaced: before.lock}
  return {text: withFormerPin(file, former), lock, former}
}

function installText(
  {entry}: Extract<GitQuery['request'], {readonly kind: 'install'}>,
  declared: GitQuery['declared'],
  file: DeclarationFile | undefined,
  name: string,
): string {
  const entered = withEntry(file, entry, declared.defaultSource)
  return withSettings({name, bytes: Buffer.from(entered)}, declared)
}

/** Returns the declaration that a command writes to a home without one; undefined if it writes none. */
export function newDeclaration({request, declared}: GitQuery, {declaration}: HomeFiles): string | undefined {
  if (request.kind !== 'install' || declaration.bytes !== undefined) return undefined
  return installText(request, declared, undefined, declaration.name)
}

/** The settings of a format go with the last package that has them: for others, they would be an error. */
function withoutLastOf(
  file: DeclarationFile,
  before: Lock | undefined,
  {lock}: LockReport,
): {readonly text: string; readonly fields: readonly string[]} {
  const left = formatsInLock(lock)
  const gone = left.length === 0 ? [] : formatsInLock(before).filter(format => !left.includes(format))
  const value = asObject(readYaml(file.bytes, file.name)[0]?.value)
  const fields = gone.flatMap(format => FIELDS_OF_FORMAT[format]).filter(key => key in value)
  return {text: fields.length === 0 ? '' : withoutFields(file, fields), fields}
}

function removedNote(fields: readonly string[]): Diagnostic {
  const message = `${listNames(fields)} left the declaration with the last package that had ${fields.length === 1 ? 'it' : 'them'}`
  return {severity: 'note', rule: 'declaration-no-effect', message}
}

/** A declaration that was edited since it was locked can request more than is removed. */
function addsPackages({changes}: LockReport): boolean {
  return changes.packages.some(({change}) => !['removed', 'installs', 'signatures'].includes(change))
}

/** Plans the next step of an uninstall. Throws `not-found` as `removalStep` does. */
export function nextRemoval(request: RemovalRequest, base: HomeFiles): RemovalStep {
  const {name, bytes} = base.declaration
  if (bytes === undefined) throw noDeclaration(name)
  return removalStep({name, bytes}, heldLock(base)?.lock, request)
}

const REMEDY = 'kubectl crossplane package lock'

function heldLock({lock: {name, bytes}}: HomeFiles): HeldLock | undefined {
  if (bytes === undefined) return undefined
  return {name, lock: readLock(name, bytes), upgraded: [], otherwise: 'take', remedy: REMEDY}
}

function noDeclaration(name: string): CrossplaneError {
  return new CrossplaneError('not-found', `cannot change packages: ${name} is not in the commit`, {
    suggestions: ['Pass --path with the folder of the declaration, or install a package with --git first.'],
  })
}
