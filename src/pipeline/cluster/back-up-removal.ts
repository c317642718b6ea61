import {lostInstances} from '../../observe/instances/lost-instances.js'
import {
  type BackupFolder,
  type BackupSummary,
  type InstancesOfCrd,
  writeBackup,
} from '../../backup/write-backup.js'
import {completeBackup, expectBackupOf} from '../../backup/complete-backup.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {reinstall} from '../../health/reinstall.js'
import {lostScope} from '../../plan/cluster/crds/lost-instances.js'
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
      const {removed = []} = decision
      const kinds = await lostKinds(removed, decision, api)
      const source = {inventories: removed, reinstall: removed.map(reinstallCommand), kinds}
      const existing = await completeBackup(folder)
      report(
        existing === undefined
          ? await writeBackup(source, folder, signal)
          : await expectBackupOf(existing, source, folder, signal),
      )
    },
  }
}

/** The CRDs that are deleted or whose instances lose their controller, each with these instances. */
async function lostKinds(
  removed: readonly Inventory[],
  {snapshot, isManaged}: Decision,
  api: ClusterApi,
): Promise<readonly InstancesOfCrd[]> {
  const kinds: InstancesOfCrd[] = []
  for (const object of crdsOf(removed).values()) {
    const scope = lostScope(object, removed, snapshot, {isManaged})
    if (scope === undefined) continue
    const crd = await api.get(object)
    if (crd !== undefined) kinds.push({crd, instances: lostInstances(scope, api, {pageSize: PAGE_SIZE})})
  }
  return kinds
}

function reinstallCommand(inventory: Inventory): string {
  const {install} = inventory
  return reinstall({install, era: install.era, inventory})
}
