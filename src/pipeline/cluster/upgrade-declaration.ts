import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Declaration} from '../../declaration/declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import {textOf} from '../../declaration/edit-declaration.js'
import {ownText} from '../../declaration/entries/read-base.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {writeLock} from '../../declaration/write-lock.js'
import {CrossplaneError} from '../../errors.js'
import type {WritableFile} from '../../fetch/output-files.js'
import {readCore} from '../../observe/core/read-core.js'
import {pinningIn} from '../../plan/cluster/core/cluster-pin.js'
import {DECLARATION_TARGET, planFile} from '../../plan/file/plan-file.js'
import {present} from '../../present.js'
import type {InstallOptions} from '../../plan/cluster/plan-install.js'
import type {Operation} from '../../plan/plan.js'
import type {InputFiles} from '../request/input-files.js'
import type {LockImpact} from '../impact/impact-gate.js'
import {expectAcceptance, judgedLock} from '../impact/planned-impact.js'
import {withContent} from '../request/input-files.js'
import {shellWord} from '../../text.js'
import type {GivenChoices} from '../../package/given-choices.js'
import type {GivenXpkgSettings, ResolvedQuery} from '../../package/rendered-sets.js'
import {requestedFormats} from '../../package/formats.js'
import {recognize} from '../../package/recognize.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {readRequest} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {type ObservedLock, planLock} from '../resolution/write-lock.js'
import type {Decision} from './cluster-change.js'
import {type DeclaredNames, declaredNames, notDeclared} from '../../plan/declaration/declared-names.js'
import {replacedNotes} from '../../plan/declaration/base-notes.js'
import {joinedChanges, type PackagesChange} from './joined-changes.js'
import type {InstallPorts} from './install.js'
import type {DeclaredPart} from './installed-format.js'
import {inFormat} from './installed-formats.js'
import {requestPlaces} from './own-requests.js'
import {pinnedNote} from '../resolution/pinned-note.js'
import {upgradedLock} from '../resolution/upgraded-lock.js'
import type {LockReport} from '../../package/reports.js'
import type {XpkgPin} from '../../xpkg/pins.js'

/** A query for an upgrade of packages in a declaration. */
export interface DeclaredUpgradeQuery {
  /** Packages by repository, with a tag to move the pin in the declaration; none for all that are not pinned. */
  readonly names: readonly string[]
  readonly settings: ResolutionSettings
  /** Whether the lock accepts what the upgrade does to the objects that the declaration names. */
  readonly acceptsImpact: boolean
  /** What `package impact` needs to read the same packages. */
  readonly impactWords: string
  /** The namespace of the kubeconfig's context. */
  readonly contextNamespace: string
  readonly choices: GivenChoices
  /** Settings for packages for a current Crossplane. */
  readonly xpkgs: GivenXpkgSettings
  readonly options: InstallOptions
}

/** The files that an upgrade of a declaration reads and edits. */
export interface DeclarationFiles {
  readonly declaration: WritableFile
  /** Without `heldLock`, the file does not exist, and is not written. */
  readonly lock: ObservedLock & {readonly heldLock?: HeldLock}
}

/**
 * Plans the upgrade of the packages of a declaration, of all formats: of its file, its lock file and a cluster. Throws
 * `not-found` for a package that it does not have.
 */
export async function prepareDeclaredUpgrade(
  query: DeclaredUpgradeQuery,
  files: DeclarationFiles,
  ports: InstallPorts,
): Promise<PackagesChange> {
  const planned = await plannedFiles(query, files, ports)
  const requests = {...ports.requests, inputs: planned.inputs}
  const change = await declaredChange(query, planned, queryOf(query, planned), {...ports, requests})
  const withFiles = (decision: Decision): Decision => {
    const operations = [...planned.operations, ...decision.plan.operations]
    // Resolved under the new lock, packages have no other signers than it says.
    const {signerChanges} = planned.lock?.report ?? decision
    const rejections = [...planned.rejections, ...decision.plan.rejections]
    return {...decision, ...present({signerChanges}), plan: {...decision.plan, operations, rejections}}
  }
  const notes = [...change.notes, ...pinnedNote(planned.names.pinned), ...planned.notes]
  return {
    ...change,
    notes,
    decision: withFiles(change.decision),
    decide: async () => withFiles(await change.decide()),
    files: planned.operations.map(({target}) =>
      target === DECLARATION_TARGET
        ? {target, file: files.declaration, before: planned.before}
        : {target, file: files.lock.file, before: Buffer.from(files.lock.bytes ?? []).toString()},
    ),
  }
}

/** Plans the changes of a cluster by the packages of all formats. */
async function declaredChange(
  {names: _names, settings, contextNamespace, ...upgrade}: DeclaredUpgradeQuery,
  {names, declaration: file, lock}: PlannedFiles,
  query: ResolvedQuery,
  ports: InstallPorts,
): Promise<PackagesChange> {
  const request = await recognize(await readRequest(query.query, ports.requests))
  await expectAcceptance(upgrade.options, () => request.policy.teams)
  const places = requestPlaces(settings, contextNamespace)
  const {declared} = names
  const common = {...upgrade, ...{request, query, places, file, declared}, ...present({lock: lock?.report})}
  const parts: DeclaredPart[] = []
  let named: DeclaredPart['others'] = names.named.length === 0 ? 'all' : names.named
  for (const format of requestedFormats(request)) {
    const part = await (await inFormat('upgradeDeclared', format))({...common, named}, ports)
    parts.push(part)
    named = part.others
  }
  // A lock has all packages, and the names were found in it.
  const unknown = lock === undefined && named !== 'all' ? named[0] : undefined
  if (unknown !== undefined)
    throw notDeclared({...names, identity: unknown}, file, new Set(parts.flatMap(({own}) => [...own])))
  const changes: PackagesChange[] = []
  for (const {change} of parts) changes.unshift(await change())
  return joinedChanges(changes, request.policy.teams)
}

/** The files as the plan leaves them. */
interface PlannedFiles {
  readonly names: DeclaredNames
  readonly operations: readonly Operation[]
  /** Reads the declaration and its lock file as they will be. */
  readonly inputs: InputFiles
  readonly declaration: string
  /** The declaration as it is. */
  readonly before: string
  readonly lock?: {readonly heldLock: HeldLock; readonly report: LockReport}
  /** Why objects that the declaration names do not allow it. */
  readonly rejections: readonly Diagnostic[]
  readonly notes: readonly Diagnostic[]
}

async function plannedFiles(
  {names: texts, settings, ...objects}: DeclaredUpgradeQuery,
  {declaration, lock}: DeclarationFiles,
  {requests, api}: InstallPorts,
): Promise<PlannedFiles> {
  const file = await requests.inputs.read(declaration.name, '--declaration')
  if (file.isSplit === true) throw entriesInFiles(declaration.name)
  const names = declaredNames(file, {
    names: texts,
    defaultSource: settings.defaultSource,
    lock: lock.heldLock?.lock,
    pin:
      texts.length === 0
        ? undefined
        : await pinOfCluster(readDeclaration(file.name, file.bytes), objects.xpkgs, api),
  })
  const ownBytes = Buffer.from(ownText(textOf(file.bytes)))
  const operations = declarationOperations(declaration.name, ownBytes, {...names, text: ownText(names.text)})
  // Anything but a regular file is rejected before the plan is confirmed.
  if (operations.length > 0) await declaration.existing()
  const edited = withContent(requests.inputs, declaration.name, names.text)
  const baseNotes = replacedNotes(file, names.text)
  const common = {names, declaration: declaration.name, before: ownBytes.toString()}
  const {heldLock} = lock
  if (heldLock === undefined) return {...common, ...NO_EFFECTS, notes: baseNotes, operations, inputs: edited}
  const query = {names, settings, file: declaration.name}
  const report = await upgradedLock(heldLock, query, {...requests, inputs: edited})
  const {lock: newLock, impact} = await judgedLock(
    {...objects, isAlsoForCluster: true},
    {
      declaration: {name: declaration.name, isSplit: false},
      ...{settings, text: names.text, lockBefore: heldLock.lock, lockAfter: report.lock},
    },
    requests,
  )
  const effects = await effectsOf(impact, {...objects, names: texts, file: declaration.name})
  return {
    ...common,
    rejections: effects.rejections,
    notes: [...baseNotes, ...effects.notes],
    operations: [...operations, ...planLock(lock, newLock).operations],
    inputs: withContent(edited, lock.file.name, writeLock(newLock)),
    lock: {heldLock, report},
  }
}

/** How a cluster pins packages by digest that move to a tag, and that the declaration does not pin; it is only read for such packages. */
async function pinOfCluster(
  {packages, xpkg = {}}: Declaration,
  {pin, resolver}: GivenXpkgSettings,
  api: ClusterApi,
): Promise<XpkgPin | undefined> {
  const isByDigest = packages.some(own => own.pin === undefined && own.package?.includes('@') === true)
  if (xpkg.pin !== undefined || !isByDigest) return undefined
  const core = await readCore(api)
  return core && pinningIn(core, present({pin, resolver: xpkg.resolver ?? resolver})).pin
}

const NO_EFFECTS: Pick<PlannedFiles, 'rejections' | 'notes'> = {rejections: [], notes: []}

/** What an upgrade does to the objects of a declaration, as notes and rejections of its plan. */
async function effectsOf(
  impact: LockImpact | undefined,
  {impactWords, names, file}: Pick<DeclaredUpgradeQuery, 'impactWords' | 'names'> & {readonly file: string},
): Promise<Pick<PlannedFiles, 'rejections' | 'notes'>> {
  if (impact === undefined) return NO_EFFECTS
  const {fileRejections, impactNotes} = await import('../impact/impact-gate.js')
  const command = ['kubectl crossplane package impact', ...names.map(shellWord), impactWords].join(' ')
  return {rejections: fileRejections(impact, file, command), notes: impactNotes(impact)}
}

function entriesInFiles(name: string): CrossplaneError {
  const message = `cannot upgrade packages of ${name}: its entries are in files of their own`
  return new CrossplaneError('unsupported', message, {
    suggestions: [
      'Upgrade the lock with --upgrade of package lock, then install the packages of the declaration.',
    ],
  })
}

function declarationOperations(
  path: string,
  bytes: Uint8Array,
  {text, moves}: DeclaredNames,
): readonly Operation[] {
  const name = path.split(/[\\/]/).at(-1) ?? path
  const {operations} = planFile({target: DECLARATION_TARGET, name, content: text}, {bytes})
  return operations.map(operation => ({...operation, reason: `the pin moves: ${moves.join(', ')}`}))
}

/** The query for the packages of the declaration as it will be. */
function queryOf(
  {settings, contextNamespace}: DeclaredUpgradeQuery,
  {declaration: file, lock}: PlannedFiles,
): ResolvedQuery {
  const lockInput = lock && {file: lock.heldLock.name, isOptional: false, remedy: lock.heldLock.remedy}
  return {
    kind: 'resolution',
    query: {
      kind: 'declaration',
      file,
      settings: {...settings, contextNamespace},
      ...(lockInput === undefined ? {} : {lock: {...lockInput, otherwise: 'note'}}),
    },
  }
}
