import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Standing} from '../../cluster/inventory/standing.js'
import type {SystemRoles} from '../../cluster/inventory/system-role.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {Denial} from '../../health/health-snapshot.js'
import {type LabelRequirement, matchesSelector} from '../../kubernetes/label-selector.js'
import {type Ignored, ignoredWarnings} from '../../plan/cluster/inventories/ignored-inventories.js'
import {crowdedWarnings, unshownWarning} from '../../plan/cluster/inventories/crowded-namespaces.js'
import {unreadableWarnings} from '../../plan/cluster/inventories/unreadable-inventories.js'
import {type ControllerReplicas, listControllers} from '../../observe/installs/list-controllers.js'
import type {FormatName} from '../../locate/expect-format.js'
import {controllerName} from '../../render/deployment.js'
import {availableUpdate, type InstalledVersion, type NewestVersions} from './available-updates.js'
import {present} from '../../present.js'
import type {InstallId} from '../../reference/install-id.js'
import type {Nameable} from '../../reference/named.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {
  type FoundInstall,
  type FoundInstalls,
  findInstalls,
  type InstallSource,
  withInventoryLabels,
} from '../../observe/installs/find-installs.js'

/** A selection of installs. */
export interface InstallSelection {
  /** All namespaces if undefined. */
  readonly namespace: string | undefined
  readonly selector: readonly LabelRequirement[]
}

/** Looks up the newest versions of packages, by identity. */
export type FindNewest = (identities: readonly string[], format: FormatName) => Promise<NewestVersions>

/** What is listed of installs. */
export interface InstallListQuery {
  readonly selection: InstallSelection
  /** Absent: newer versions are not listed. */
  readonly findNewest?: FindNewest
}

/** One install of a cluster. */
export interface ListedInstall extends InstallId {
  /** The repository and tag of its package, or the name in its request; empty where neither is known. */
  readonly package: string
  readonly version: string
  readonly source: InstallSource
  /** Whether the user requested it, or only packages require it; absent where its inventory cannot be read. */
  readonly mode?: 'requested' | 'auto'
  /** `Interrupted` if its last change did not end, `Unreadable` if its inventory cannot be read, `Unwitnessed` or `Forged` if it does not count. */
  readonly state: 'Complete' | 'Interrupted' | 'Unreadable' | 'Unwitnessed' | 'Forged' | 'NoInventory'
  /** Whether its inventory counts; absent without a readable one, but for one that its witness shows to be missing. */
  readonly witness?: Standing
  /** Absent without a readable inventory. */
  readonly objects?: number
  /** When its record or request was created, in RFC 3339; absent without both. */
  readonly created?: string
  /** The replicas of its controller; absent if it has none, or the user may not list Deployments. */
  readonly replicas?: ControllerReplicas
  /** The newest stable version of its package if it is newer, and one is known. */
  readonly available?: string
}

/** The installs of a cluster, and warnings of inventories that cannot be read or do not count. */
export interface InstallList {
  readonly installs: readonly ListedInstall[]
  /** Those of the installs that count, or whose witness the user may not read. */
  readonly inventories: readonly Inventory[]
  readonly ignored: Ignored
  /** Warnings of installs that are not in the list, because too many of them prove nothing. */
  readonly unshown: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

/** Lists installs by namespace and name, with `findNewest` also their controllers and newer versions. Throws the errors of the API. */
export async function listInstalls(
  {selection, findNewest}: InstallListQuery,
  api: ClusterApi,
): Promise<InstallList> {
  const [selected, controllers] = await Promise.all([
    selectInstalls(api, selection),
    findNewest === undefined ? new Map() : listControllers(api, selection.namespace),
  ])
  const {installs, denials, crowded} = selected
  const {shown, warnings} = shownInstalls(selected)
  const identities = installs.flatMap(install => installedVersion(install)?.identity ?? [])
  const newest = (await findNewest?.(identities, 'stack')) ?? NOTHING_NEWER
  const ignored = ignoredIn(selected)
  const unshown = [...crowdedWarnings(crowded), ...warnings]
  return {
    installs: shown.map(install => listed(install, {controllers, newest})),
    inventories: installs.flatMap(({inventory}) => inventory ?? []),
    ignored,
    unshown,
    warnings: [
      ...unreadableWarnings([], {unreadable: installs.flatMap(({unreadable}) => unreadable ?? [])}),
      ...ignoredWarnings(ignored),
      ...unshown,
      ...[...denials.values()].map(denialWarning),
      ...newest.warnings,
    ],
  }
}

/** Lists the installs that a NAME can mean. Throws the errors of the API. */
export async function installNames(
  {namespace}: {readonly namespace?: string},
  api: ClusterApi,
): Promise<readonly Nameable[]> {
  const {installs} = await selectInstalls(api, {namespace, selector: []})
  return installs.map(install => ({
    namespace: install.namespace,
    name: install.name,
    repository: install.inventory?.install.package?.identity ?? packageOf(install).package,
  }))
}

/** What is known without a lookup. */
export const NOTHING_NEWER: NewestVersions = {versions: new Map(), warnings: []}

/** The version of an install whose inventory counts: what another one names is never looked up. */
function installedVersion({standing, inventory}: FoundInstall): InstalledVersion | undefined {
  return standing === 'witnessed' ? inventory?.install.package : undefined
}

/** The inventories that do not count, for warnings. */
export function ignoredIn({
  installs,
  floodedBy,
  roles,
}: Pick<FoundInstalls, 'installs' | 'floodedBy' | 'roles'>): Ignored {
  const ignored = installs.flatMap(install => install.ignored ?? [])
  return {ignored, ...present({floodedBy}), roles}
}

/** The installs that are shown, and warnings of the others. */
interface ShownInstalls {
  readonly shown: readonly FoundInstall[]
  readonly warnings: readonly Diagnostic[]
}

/**
 * Of the installs of a namespace that nothing proves, the first ten are shown: a user who may create objects in it can
 * name thousands. If the user may not read roles, all are.
 */
export function shownInstalls({
  installs,
  roles,
  isVerified,
}: Pick<FoundInstalls, 'installs' | 'roles' | 'isVerified'>): ShownInstalls {
  const unproven = new Map<string, number>()
  const shown = installs.filter(install => {
    if (!isVerified || isProven(install, roles)) return true
    const number = (unproven.get(install.namespace) ?? 0) + 1
    unproven.set(install.namespace, number)
    return number <= MAX_UNPROVEN
  })
  const excess = [...unproven].filter(([, number]) => number > MAX_UNPROVEN)
  return {
    shown,
    warnings: excess.map(([namespace, number]) => unshownWarning(namespace, number - MAX_UNPROVEN)),
  }
}

const MAX_UNPROVEN = 10

/** Reports whether an install has what only administrators can create: a system role, or claims on CRDs. */
function isProven(install: FoundInstall, roles: SystemRoles): boolean {
  return roles.has(`${install.namespace}/${install.name}`) || install.claim !== undefined
}

/** Finds the installs of a selection, or some of them by their names. Throws the errors of the API. */
export async function selectInstalls(
  api: ClusterApi,
  {namespace, selector}: InstallSelection,
  names?: readonly string[],
): Promise<FoundInstalls> {
  const foundInstalls = await findInstalls(api, namespace, names)
  const {installs} = foundInstalls
  if (selector.length === 0) return foundInstalls
  const labeled = await withInventoryLabels(installs, api, namespace)
  return {...foundInstalls, installs: labeled.filter(({labels}) => matchesSelector(labels, selector))}
}

/** Returns the package of an install and its version, as far as they are known. */
export function packageOf({
  inventory,
  record,
  request,
}: FoundInstall): Pick<ListedInstall, 'package' | 'version'> {
  const installed = inventory?.install.package
  const {package: reference, crd} = asObject(request?.spec)
  return {
    package:
      installed === undefined ? asText(reference) || asText(crd) : `${installed.identity}:${installed.tag}`,
    version: installed?.version ?? asText(asObject(record?.spec).version),
  }
}

interface ReadBeside {
  readonly controllers: ReadonlyMap<string, ControllerReplicas>
  readonly newest: NewestVersions
}

function listed(install: FoundInstall, {controllers, newest}: ReadBeside): ListedInstall {
  const {namespace, name, source, standing, inventory, unreadable, record, request} = install
  const installed = installedVersion(install)
  return {
    namespace,
    name,
    ...packageOf(install),
    source,
    ...(inventory === undefined ? {} : {mode: inventory.install.mode, objects: inventory.objects.length}),
    state: unreadable === undefined ? stateOf(standing, inventory?.phase) : 'Unreadable',
    ...present({
      witness: standing,
      created: asText((record ?? request)?.metadata.creationTimestamp) || undefined,
      replicas: controllers.get(`${namespace}/${controllerName(install)}`),
      available: installed && availableUpdate(installed, newest),
    }),
  }
}

function stateOf(
  standing: Standing | undefined,
  phase: 'changing' | 'complete' | undefined,
): ListedInstall['state'] {
  if (standing === 'unwitnessed') return 'Unwitnessed'
  if (standing === 'forged') return 'Forged'
  if (phase === undefined) return 'NoInventory'
  return phase === 'complete' ? 'Complete' : 'Interrupted'
}

/** Creates a warning: installs that only a denied list shows are not found. */
export function denialWarning({message, suggestions}: Denial): Diagnostic {
  return {severity: 'warning', rule: 'not-listed', message, suggestions}
}
