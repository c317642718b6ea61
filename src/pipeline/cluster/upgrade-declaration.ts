import type {ObservedPackages} from '../../observe/installs/observe-packages.js'
import {writeLock} from '../../declaration/write-lock.js'
import {CrossplaneError} from '../../errors.js'
import type {WritableFile} from '../../fetch/output-files.js'
import {DECLARATION_TARGET, planFile} from '../../plan/file/plan-file.js'
import {present} from '../../present.js'
import type {InstallOptions} from '../../plan/cluster/plan-install.js'
import type {Operation} from '../../plan/plan.js'
import type {FirstOwner} from '../../resolve/first-owners.js'
import type {InputFiles} from '../request/input-files.js'
import {withContent} from '../planned-inputs.js'
import type {GivenChoices} from '../../package/given-choices.js'
import {render} from '../../package/stack/render.js'
import type {NotedSet, ResolvedQuery} from '../../package/rendered-sets.js'
import {recognize} from '../../package/recognize.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import type {InstalledState} from '../../resolve/requested/installed-package.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {type ObservedLock, planLock} from '../write-lock.js'
import type {Decision} from './cluster-change.js'
import {type DeclaredNames, declaredNames, notDeclared} from '../../plan/declaration/declared-names.js'
import type {GivenXpkgSettings} from '../../package/rendered-sets.js'
import {renderStacks} from '../render/render-stacks.js'
import type {PackagesChange} from './joined-changes.js'
import {requestedPackages} from './core/requested-packages.js'
import {upgradeDeclared} from './core/upgrade-declared.js'
import {type InstallPorts, prepareSet} from './install.js'
import {installedState} from '../../observe/installs/installed-state.js'
import {requestPlaces} from './own-requests.js'
import {pinnedNote} from './pinned-note.js'
import {upgradedLock} from './upgraded-lock.js'
import type {LockReport} from '../../package/reports.js'

/** A query for an upgrade of packages in a declaration. */
export interface DeclaredUpgradeQuery {
  /** Packages by repository, with a tag to move the pin in the declaration; none for all that are not pinned. */
  readonly names: readonly string[]
  readonly settings: ResolutionSettings
  /** The namespace of the kubeconfig's context. */
  readonly contextNamespace: string
  readonly choices: GivenChoices
  readonly options: InstallOptions
}

/** The files that an upgrade of a declaration reads and edits. */
export interface DeclarationFiles {
  readonly declaration: WritableFile
  /** Without `heldLock`, the file does not exist, and is not written. */
  readonly lock: ObservedLock & {readonly heldLock?: HeldLock}
}

/**
 * Plans the upgrade of the packages of a declaration, of either format: of its file, its lock file and a cluster. Throws
 * `not-found` for a package that it does not have.
 * @param choices - settings for packages for a current Crossplane.
 */
export async function prepareDeclaredUpgrade(
  query: DeclaredUpgradeQuery,
  files: DeclarationFiles,
  choices: GivenXpkgSettings,
  ports: InstallPorts,
): Promise<PackagesChange> {
  const planned = await plannedFiles(query, files, ports.requests)
  const requests = {...ports.requests, inputs: planned.inputs}
  const change = await declaredChange(query, planned, choices, {...ports, requests})
  const withFiles = (decision: Decision): Decision => {
    const operations = [...planned.operations, ...decision.plan.operations]
    // Resolved under the new lock, packages have no other signers than it says.
    const {signerChanges} = planned.lock?.report ?? decision
    return {...decision, ...present({signerChanges}), plan: {...decision.plan, operations}}
  }
  const notes = [...change.notes, ...pinnedNote(planned.names.pinned)]
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

/** Plans the changes of a cluster, for packages of either format. */
async function declaredChange(
  query: DeclaredUpgradeQuery,
  planned: PlannedFiles,
  choices: GivenXpkgSettings,
  ports: InstallPorts,
): Promise<PackagesChange> {
  const {options, settings, contextNamespace} = query
  const {names, declaration, lock} = planned
  const places = requestPlaces(settings, contextNamespace)
  const stacks = async (named: readonly string[] | 'all', renders: typeof render) =>
    await prepareSet({options, places}, ports.api, observed =>
      setFor(query, {...planned, named}, observed, {...ports, renders}),
    )
  const request = await recognize(await readRequest(queryOf(query, planned).query, ports.requests))
  const named: NamedStacks['named'] = names.named.length === 0 ? 'all' : names.named
  if (request.parts.xpkg.length === 0) return await stacks(named, render)
  const upgrade = {named, file: declaration, isLocked: lock !== undefined, options, choices}
  return await upgradeDeclared(
    requestedPackages(request),
    upgrade,
    others => stacks(others, renderStacks),
    ports.api,
  )
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
}

async function plannedFiles(
  {names: texts, settings}: DeclaredUpgradeQuery,
  {declaration, lock}: DeclarationFiles,
  requests: RequestPorts,
): Promise<PlannedFiles> {
  const file = await requests.inputs.read(declaration.name, '--declaration')
  if (file.isSplit === true) throw entriesInFiles(declaration.name)
  const names = declaredNames(file, {
    names: texts,
    defaultSource: settings.defaultSource,
    lock: lock.heldLock?.lock,
  })
  const operations = declarationOperations(declaration.name, file.bytes, names)
  // Anything but a regular file is rejected before the plan is confirmed.
  if (operations.length > 0) await declaration.existing()
  const edited = withContent(requests.inputs, declaration.name, names.text)
  const common = {names, declaration: declaration.name, before: Buffer.from(file.bytes).toString()}
  const {heldLock} = lock
  if (heldLock === undefined) return {...common, operations, inputs: edited}
  const query = {names, settings, file: declaration.name}
  const report = await upgradedLock(heldLock, query, {...requests, inputs: edited})
  return {
    ...common,
    operations: [...operations, ...planLock(lock, report.lock).operations],
    inputs: withContent(edited, lock.file.name, writeLock(report.lock)),
    lock: {heldLock, report},
  }
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

/** The packages with `.registry/` to upgrade. */
interface NamedStacks extends PlannedFiles {
  readonly named: readonly string[] | 'all'
}

async function setFor(
  query: DeclaredUpgradeQuery,
  {named, ...planned}: NamedStacks,
  observed: ObservedPackages,
  {api, requests, renders}: InstallPorts & {readonly renders: typeof render},
): Promise<NotedSet> {
  const {choices, options} = query
  const {names, declaration: file, lock} = planned
  const state = installedState(observed, options)
  const forCluster = {...choices, server: () => api.version()}
  const setOf = (upgraded: ReadonlySet<string>) =>
    renders(queryOf(query, planned), forCluster, requests, {...state, upgraded})
  if (lock === undefined) return await setOf(await unlocked(named, names.declared, file, setOf))
  const {report} = lock
  const all = report.lock.packages.map(({identity}) => identity)
  const set = await setOf(new Set(named === 'all' ? all : named))
  // The set was rendered under the new lock, which has the new signers already.
  const {signerChanges} = report
  return {
    ...set,
    firstOwners: [...(set.firstOwners ?? []), ...newOwners(report.firstOwners, state)],
    signerChanges,
  }
}

/**
 * Returns the identities to upgrade if no lock file names them: those that the declaration resolves to in the current
 * cluster.
 */
async function unlocked(
  named: NamedStacks['named'],
  declared: ReadonlySet<string>,
  file: string,
  setOf: (upgraded: ReadonlySet<string>) => Promise<NotedSet>,
): Promise<ReadonlySet<string>> {
  if (named !== 'all' && named.every(text => declared.has(text))) return new Set(named)
  const {installs} = await setOf(new Set())
  const identities = new Set(installs.flatMap(install => install.package?.identity ?? []))
  if (named === 'all') return identities
  const unknown = named.find(text => !declared.has(text) && !identities.has(text))
  if (unknown !== undefined) throw notDeclared(unknown, file, new Set([...declared, ...identities]))
  return new Set(named)
}

/**
 * Owners that only the new lock has: this plan writes that lock, so it does not confirm them. Owners in the cluster are
 * known.
 */
function newOwners(owners: readonly FirstOwner[], {packages}: InstalledState): readonly FirstOwner[] {
  const crdKeys = new Set(
    packages.flatMap(({identity, crds}) => crds.map(crd => `${identity} ${crd.slice(crd.indexOf('.') + 1)}`)),
  )
  return owners.flatMap(owner => {
    const {identity, groups} = owner
    const left = groups.filter(group => !crdKeys.has(`${identity} ${group}`))
    return left.length === 0 ? [] : [{...owner, groups: left}]
  })
}
