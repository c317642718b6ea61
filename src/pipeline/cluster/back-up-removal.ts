import {lostInstances} from '../../observe/instances/lost-instances.js'
import {
  type BackedUpRecord,
  type BackupFolder,
  type BackupSource,
  type BackupSummary,
  type InstancesOfCrd,
  writeBackup,
} from '../../backup/write-backup.js'
import {completeBackup, expectBackupOf} from '../../backup/complete-backup.js'
import {backedUpInstall} from '../../backup/backup-manifest.js'
import {INVENTORY_FOLDER} from '../../backup/backup-paths.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {inventoryConfigMaps} from '../../cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {reinstall} from '../../health/reinstall.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {lostScope, type LostScope} from '../../plan/cluster/crds/lost-instances.js'
import {crdsOf} from '../../plan/cluster/state/ownership.js'
import type {ClusterChange, Decision} from './cluster-change.js'

/** The target of a backup, and the receivers of its reports. */
export interface BackupPorts {
  readonly api: ClusterApi
  readonly folder: BackupFolder
  readonly report: (summary: BackupSummary) => void
}

/** Instances can be large: a page of them is in memory. */
const PAGE_SIZE = 100

/**
 * Adds a backup, if there are ports for one, to the removal of installs: it is complete before the first change. That of an
 * interrupted run is used as it is.
 */
export function withBackup(change: ClusterChange, ports: BackupPorts | undefined): ClusterChange {
  if (ports === undefined) return change
  const {api, folder, report} = ports
  return {
    ...change,
    prepare: async (decision, signal) => {
      const source = await backedUp(decision, api)
      const existing = await completeBackup(folder)
      report(
        existing === undefined
          ? await writeBackup(source, folder, signal)
          : await expectBackupOf(existing, source, folder, signal),
      )
    },
  }
}

/** Throws for a removal without a backup: it would be reported as empty. */
async function backedUp({backup}: Decision, api: ClusterApi): Promise<BackupSource> {
  if (backup === undefined) throw new RangeError('the removal has no backup')
  return await backup(api)
}

/** What the plan of a removal was made from, and whether a package manager carries it out. */
type PlannedRemoval = Pick<Decision, 'snapshot'> & {readonly isManaged?: boolean}

/** Returns what the removal of installs takes from users. Throws the errors of the API. */
export async function installBackup(
  removed: readonly Inventory[],
  planned: PlannedRemoval,
  api: ClusterApi,
): Promise<BackupSource> {
  return {
    installs: removed.map(backedUpInstall),
    records: removed.flatMap(inventoryConfigMaps).map(recordOf),
    reinstall: removed.map(reinstallCommand),
    kinds: await lostKinds(removed, planned, api),
  }
}

function recordOf(object: KubernetesObject): BackedUpRecord {
  const {namespace = '', name} = object.metadata
  return {folder: INVENTORY_FOLDER, name: `${namespace}.${name}`, object}
}

/** The CRDs that are deleted or whose instances lose their controller, each with these instances. */
async function lostKinds(
  removed: readonly Inventory[],
  {snapshot, isManaged = false}: PlannedRemoval,
  api: ClusterApi,
): Promise<readonly InstancesOfCrd[]> {
  const kinds: InstancesOfCrd[] = []
  for (const object of crdsOf(removed).values()) {
    const scope = lostScope(object, removed, snapshot, {isManaged})
    if (scope === undefined) continue
    const crd = await api.get(object)
    if (crd !== undefined) kinds.push(instancesOf(crd, scope, api))
  }
  return kinds
}

/** Returns a CRD with the instances of a scope. */
export function instancesOf(crd: KubernetesObject, scope: LostScope, api: ClusterApi): InstancesOfCrd {
  return {crd, instances: lostInstances(scope, api, {pageSize: PAGE_SIZE})}
}

function reinstallCommand(inventory: Inventory): string {
  const {install} = inventory
  return reinstall({install, era: install.era, inventory})
}
