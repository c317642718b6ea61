import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import type {LostOptions} from '../../plan/cluster/crds/lost-instances.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import {observeLeft} from '../instances/left-crds.js'
import {countLostInstances} from '../instances/lost-instances.js'
import {readInventories} from '../installs/read-inventories.js'
import {present} from '../../present.js'
import {readOutlines} from '../objects/read-outlines.js'
import {recordedKinds, requestedInstalls} from '../objects/recorded-kinds.js'
import {observeManagers} from '../installs/running-managers.js'

/** The options of an uninstall, and of who carries it out. */
export interface RemovalOptions extends UninstallOptions, Pick<LostOptions, 'isManaged'> {}

/** Reads all that planning the removal of installs takes; changes nothing. */
export async function observeRemoval(
  removed: readonly Inventory[],
  options: RemovalOptions,
  api: ClusterApi,
): Promise<ClusterSnapshot> {
  const [read, live, records, requested, running] = await Promise.all([
    readInventories(api),
    readOutlines(
      removed.flatMap(({objects}) => objects),
      api,
    ),
    recordedKinds(api),
    requestedInstalls(api),
    observeManagers(api, options),
  ])
  const recorded = [...records, ...requested]
  const {inventories} = read
  const left = await observeLeft(
    removed.flatMap(inventory => inventory.left ?? []),
    api,
  )
  return {
    live,
    dryRuns: new Map(),
    states: new Map(),
    ...read,
    served: new Set(),
    managers: running.managers,
    ...present({ownManager: running.ownManager}),
    surveys: new Map(),
    instances: await countLostInstances(removed, {inventories, live, recorded}, options, api),
    recorded,
    left,
  }
}
