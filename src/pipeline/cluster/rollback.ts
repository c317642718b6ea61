import type {Inventory, Revision} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {installedState} from '../../observe/installs/installed-state.js'
import type {ObservedPackages} from '../../observe/installs/observe-packages.js'
import type {InstallOptions} from '../../plan/cluster/plan-install.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {present} from '../../present.js'
import {type ImageName, isDigest, parseImageName} from '../../reference/image-name.js'
import type {InstallId} from '../../reference/install-id.js'
import type {SetPackage} from '../../render/install-set.js'
import {escaped, listAll, shellWord} from '../../text.js'
import type {ResolutionSettings} from '../request/request-query.js'
import {readPolicy} from '../request/read-request.js'
import {renderChoices} from '../render/given-choices.js'
import {clusterPolicy} from '../render/cluster-policy.js'
import {renderRequested} from '../render/render-resolved.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import {inventoryOf, revisionsOf} from './history.js'
import {type InstallChange, type InstallPorts, prepareSet} from './install.js'
import {requestPlaces} from './own-requests.js'

/** A query for the rollback of an install. */
export interface RollbackQuery {
  readonly id: InstallId
  /** The number of the revision; without it, the one before the present one. */
  readonly revision?: number
  readonly settings: ResolutionSettings
  readonly options: InstallOptions
}

/** Plans the return of an install to a revision. Throws `not-found`, and the errors of rendering and the API. */
export async function prepareRollback(query: RollbackQuery, ports: InstallPorts): Promise<InstallChange> {
  const {options, settings, id} = query
  const places = requestPlaces(settings, id.namespace)
  return await prepareSet({options, places}, ports.api, observed => setFor(query, observed, ports))
}

async function setFor(query: RollbackQuery, observed: ObservedPackages, {requests}: InstallPorts) {
  const {id, settings, options} = query
  const revision = selectedRevision(query, inventoryOf(id, observed))
  const requested = requestOf(id, revision, observed, options)
  const state = installedState(observed, options)
  const choices = renderChoices({flags: {}, defaults: {api: revision.era}, withPackages: true})
  const policy = await readPolicy(settings, requests)
  const upgraded = new Set([revision.package?.identity ?? ''])
  const set = await renderRequested(
    {requested: [requested], policy: clusterPolicy(policy, {...state, upgraded}, choices)},
    choices,
    await requests.packages(),
  )
  expectSamePackage(revision, set.installs.find(install => isSameInstall(install, id))?.package?.summaryHash)
  return {...set, notes: [...set.notes, ...settingsNote(revision)]}
}

function selectedRevision({id, revision: number}: RollbackQuery, inventory: Inventory): Revision {
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

/** A package in a folder has no digest: only its content can tell whether it is still the same. */
function expectSamePackage({number, package: installed}: Revision, summaryHash: string | undefined): void {
  if (installed === undefined || installed.digest !== undefined) return
  if (summaryHash === undefined || summaryHash === installed.summaryHash) return
  const name = escaped(`${installed.identity}:${installed.tag}`)
  throw new CrossplaneError(
    'digest-mismatch',
    `cannot roll back to revision ${number}: ${name} is not the package that was installed`,
    {suggestions: ['Restore the folder of the package.']},
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
