import type {Inventory, Revision} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import {installedState} from '../../observe/installs/installed-state.js'
import type {ObservedPackages} from '../../observe/installs/observe-packages.js'
import type {InstallOptions} from '../../plan/cluster/plan-install.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {present} from '../../present.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {type ImageName, isDigest, parseImageName} from '../../reference/image-name.js'
import type {InstallId} from '../../reference/install-id.js'
import type {SetPackage} from '../../render/install-set.js'
import {escaped, listAll, shellWord} from '../../text.js'
import {readPolicy} from '../request/read-request.js'
import {renderChoices} from '../../package/given-choices.js'
import {clusterPolicy} from '../../package/stack/cluster-policy.js'
import {renderRequested} from '../../package/stack/render-resolved.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import {knownInventory, revisionsOf} from './history.js'
import {type InstallChange, type InstallPorts, prepareSet} from './install.js'
import type {NamedPart, RollbackQuery} from './installed-format.js'
import {requestPlaces} from './own-requests.js'

interface InstallRollback extends RollbackQuery {
  readonly install: InstallId
}

/** Plans the return of an install to a revision. Throws `not-found`, and the errors of rendering and the API. */
export async function rollbackInstall(
  {install, ...query}: RollbackQuery,
  ports: InstallPorts,
): Promise<NamedPart<InstallChange>> {
  if (install === undefined) return {}
  const {options, settings} = query
  const places = requestPlaces(settings, install.namespace)
  const absences = new Set<unknown>()
  const setOf = async (observed: ObservedPackages) => {
    const inventory = knownInventory(install, observed)
    if ('part' in inventory) {
      return await setFor({...query, install}, {observed, inventory: inventory.part}, ports)
    }
    absences.add(inventory.absent)
    throw inventory.absent
  }
  try {
    return {part: await prepareSet({options, places}, ports, setOf)}
  } catch (error) {
    if (error instanceof CrossplaneError && absences.has(error)) return {absent: error}
    throw error
  }
}

async function setFor(
  query: InstallRollback,
  {observed, inventory}: {readonly observed: ObservedPackages; readonly inventory: Inventory},
  {requests}: InstallPorts,
) {
  const {install: id, settings, options} = query
  const revision = selectedRevision(query, inventory)
  const packages = await requests.packages()
  await expectReadable(id, revision, packages)
  const requested = requestOf(id, revision, observed, options)
  const state = installedState(observed, options)
  const choices = renderChoices({flags: {}, defaults: {api: revision.era}, withPackages: true})
  const policy = await readPolicy(settings, requests)
  const upgraded = new Set([revision.package?.identity ?? ''])
  const set = await renderRequested(
    {requested: [requested], policy: clusterPolicy(policy, {...state, upgraded}, choices)},
    choices,
    packages,
  ).catch((error: unknown) => {
    throw withSources(revision, error)
  })
  expectSamePackage(revision, set.installs.find(install => isSameInstall(install, id))?.package)
  return {...set, notes: [...set.notes, ...settingsNote(revision)]}
}

function selectedRevision({install: id, revision: number}: InstallRollback, inventory: Inventory): Revision {
  const revisions = revisionsOf(inventory)
  const target =
    number === undefined ? revisions.at(-2) : revisions.find(revision => revision.number === number)
  if (target === undefined) throw noRevision(id, number, revisions)
  if (target.package !== undefined && target.request !== undefined) return target
  const why = target.isPartial === true ? 'it was too large to be kept' : 'its package is not known'
  throw new CrossplaneError(
    'not-found',
    `cannot roll back ${textOf(id)} to revision ${target.number}: ${why}`,
    {suggestions: [historyCommand(id)]},
  )
}

function noRevision(
  id: InstallId,
  number: number | undefined,
  revisions: readonly Revision[],
): CrossplaneError {
  const numbers = listAll(revisions.map(revision => String(revision.number)))
  const message =
    number === undefined
      ? `cannot roll back ${textOf(id)}: it has no earlier revision`
      : `cannot roll back ${textOf(id)}: revision ${number} not found; its revisions are ${numbers}`
  return new CrossplaneError('not-found', message, {suggestions: [historyCommand(id)]})
}

/** The request of a revision: the package by its digest, with the parameters and settings that it had. */
function requestOf(
  id: InstallId,
  {era, scope, package: installed, pin, request, settings}: Revision,
  observed: ObservedPackages,
  options: InstallOptions,
): RequestedInstall {
  const former = installedState(observed, options).packages.find(installedPackage =>
    isSameInstall(installedPackage, id),
  )
  return {
    target: {kind: 'image', name: imageOf(installed)},
    ...id,
    ...(former === undefined ? {} : {former: {...former, era}}),
    parameters: {...parametersOf(request), scope},
    pinned: pin,
    ...present({rendering: settings}),
  }
}

function imageOf({identity, tag, digest}: SetPackage = NO_PACKAGE): ImageName {
  const name = {...(parseImageName(identity) ?? {path: identity}), tag}
  return digest !== undefined && isDigest(digest) ? {...name, digest} : name
}

const NO_PACKAGE: SetPackage = {identity: '', tag: '', version: '', summaryHash: ''}

/** The request names the package as it did then, rather than by the digest. */
function parametersOf(request: Revision['request']): RequestedInstall['parameters'] {
  if (request === undefined) return {imagePullSecrets: [], serviceAccountAnnotations: {}}
  const {package: reference, crd, ...parameters} = request
  const requestedPackage = {
    ...present({package: reference, crd}),
  }
  return {...parameters, requestFields: requestedPackage}
}

/**
 * A package from a folder has no digest to pull it by: whatever a registry has under its name is another package.
 * Throws `not-found`.
 */
async function expectReadable(
  id: InstallId,
  {number, package: {identity, tag, digest} = NO_PACKAGE}: Revision,
  {folder}: PackagePorts,
): Promise<void> {
  if (digest !== undefined) return
  const name = parseImageName(identity)
  const versions = name === undefined ? [] : ((await folder?.versions(name)) ?? [])
  if (versions.some(version => version.tag === tag)) return
  const missing = folder === undefined ? '' : ', and the folder given with --packages does not have it'
  throw new CrossplaneError(
    'not-found',
    `cannot roll back ${textOf(id)} to revision ${number}: ${nameOf(identity, tag)} was installed from a folder, without a digest to pull it by${missing}`,
    {suggestions: [`Pass ${folderWith(identity, tag)}, with the content that was installed.`]},
  )
}

/** A package from a layout or archive has a digest, but need not be in a registry. */
function withSources({package: {identity, tag, digest} = NO_PACKAGE}: Revision, error: unknown): unknown {
  if (digest === undefined || !(error instanceof CrossplaneError)) return error
  if (!UNREADABLE.has(error.code)) return error
  return withSuggestions(error, [
    `If it was installed from a layout or an archive, pass ${folderWith(identity, tag)}.`,
  ])
}

/** The errors of a registry that does not have a package, or cannot be reached. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'access-denied',
  'not-found',
  'offline',
  'registry-failed',
  'registry-unreachable',
])

function folderWith(identity: string, tag: string): string {
  return `--packages DIR with a folder that has it as ${escaped(`DIR/${pathOf(identity)}@${tag}`)}`
}

/** Folders name packages by their repositories, without the registry. */
function pathOf(identity: string): string {
  return parseImageName(identity)?.path ?? identity
}

function nameOf(identity: string, tag: string): string {
  return escaped(`${identity}:${tag}`)
}

/** A package in a folder has no digest: only its content can tell whether it is still the same. */
function expectSamePackage({number, package: installed}: Revision, read: SetPackage | undefined): void {
  if (installed === undefined || installed.digest !== undefined || read === undefined) return
  const {identity, tag, summaryHash, filesHash} = installed
  const isSame = filesHash === undefined ? summaryHash === read.summaryHash : filesHash === read.filesHash
  if (isSame) return
  throw new CrossplaneError(
    'digest-mismatch',
    `cannot roll back to revision ${number}: ${nameOf(identity, tag)} is not the package that was installed`,
    {suggestions: ['Restore the files that were installed in the folder given with --packages.']},
  )
}

/** A rollback allows again what the revision was allowed. */
function settingsNote({number, settings = {}}: Revision): readonly Diagnostic[] {
  const {allowCorePermissions, allowFullDeployment} = settings
  const flags = [
    ...(allowCorePermissions === true ? ['--allow-core-permissions'] : []),
    ...(allowFullDeployment === true ? ['--allow-full-deployment'] : []),
  ]
  if (flags.length === 0) return []
  const message = `revision ${number} was installed with ${listAll(flags)}, which apply again`
  return [{severity: 'note', rule: 'revision-settings', message}]
}

function textOf({namespace, name}: InstallId): string {
  return escaped(`${namespace}/${name}`)
}

function historyCommand({namespace, name}: InstallId): string {
  return `kubectl crossplane package history ${shellWord(name)} --namespace ${shellWord(namespace)}`
}
