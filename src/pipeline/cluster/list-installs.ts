import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Standing} from '../../cluster/inventory/standing.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {Denial} from '../../health/health-snapshot.js'
import {type LabelRequirement, matchesSelector} from '../../kubernetes/label-selector.js'
import {type Ignored, ignoredWarnings} from '../../plan/cluster/inventories/ignored-inventories.js'
import {unreadableWarnings} from '../../plan/cluster/inventories/unreadable-inventories.js'
import {type ControllerReplicas, listControllers} from '../../observe/installs/list-controllers.js'
import {controllerName} from '../../render/deployment.js'
import {availableUpdate, type InstalledVersion, type NewestVersions} from './available-updates.js'
import {present} from '../../present.js'
import type {InstallId} from '../../reference/install-id.js'
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
  /** Whether its inventory counts; absent without one that can be read. */
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

/** Looks up the newest versions of packages, by identity. */
export type FindNewest = (identities: readonly string[]) => Promise<NewestVersions>

/** The installs of a cluster, and warnings of inventories that cannot be read or do not count. */
export interface InstallList {
  readonly installs: readonly ListedInstall[]
  /** Those of the installs that count, or whose witness the user may not read. */
  readonly inventories: readonly Inventory[]
  readonly ignored: Ignored
  readonly warnings: readonly Diagnostic[]
}

/** Lists installs by namespace and name, with `findNewest` also their controllers and newer versions. Throws the errors of the API. */
export async function listInstalls(
  api: ClusterApi,
  selection: InstallSelection,
  findNewest?: FindNewest,
): Promise<InstallList> {
  const [{installs, denials, ...rest}, controllers] = await Promise.all([
    selectInstalls(api, selection),
    findNewest === undefined ? new Map() : listControllers(api, selection.namespace),
  ])
  const identities = installs.flatMap(install => installedVersion(install)?.identity ?? [])
  const newest = (await findNewest?.(identities)) ?? NOTHING_NEWER
  const ignored = ignoredIn({installs, ...rest})
  return {
    installs: shownInstalls(installs).map(install => listed(install, {controllers, newest})),
    inventories: installs.flatMap(({inventory}) => inventory ?? []),
    ignored,
    warnings: [
      ...unreadableWarnings([], {unreadable: installs.flatMap(({unreadable}) => unreadable ?? [])}),
      ...ignoredWarnings(ignored),
      ...[...denials.values()].map(denialWarning),
      ...newest.warnings,
    ],
  }
}

const NOTHING_NEWER: NewestVersions = {versions: new Map(), warnings: []}

/** The version of an install whose inventory counts: what another one names is never looked up. */
function installedVersion({standing, inventory}: FoundInstall): InstalledVersion | undefined {
  return standing === 'witnessed' ? inventory?.install.package : undefined
}

/** The inventories that do not count, for warnings. */
export function ignoredIn({
  installs,
  isFlooded,
  roles,
}: Pick<FoundInstalls, 'installs' | 'isFlooded' | 'roles'>): Ignored {
  return {ignored: installs.flatMap(({ignored}) => ignored ?? []), isFlooded, roles}
}

/** Of installs that only inventories without a witness name, the first ten: there can be thousands. */
export function shownInstalls(installs: readonly FoundInstall[]): readonly FoundInstall[] {
  let claimed = 0
  return installs.filter(install => !isOnlyIgnored(install) || ++claimed <= MAX_IGNORED)
}

const MAX_IGNORED = 10

/** Reports whether nothing but an inventory that does not count names an install. */
function isOnlyIgnored({ignored, source}: FoundInstall): boolean {
  return ignored !== undefined && source === 'inventory'
}

/** Finds the installs of a selection. Throws the errors of the API. */
export async function selectInstalls(
  api: ClusterApi,
  {namespace, selector}: InstallSelection,
): Promise<FoundInstalls> {
  const foundInstalls = await findInstalls(api, namespace)
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
