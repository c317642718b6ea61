import {inventoriesIn, type UnreadableInventory} from '../../apply/read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {INVENTORY_PREFIX} from '../../cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {compareText} from '../../reference/compare-text.js'

/** One install of a cluster. */
export interface ListedInstall {
  readonly namespace: string
  readonly name: string
  /** The repository and tag of its package; empty if the inventory has none. */
  readonly package: string
  readonly version: string
  /** Whether the user requested it, or only packages require it; absent where its inventory cannot be read. */
  readonly mode?: 'requested' | 'auto'
  /** `Interrupted` if its last change did not end, `Unreadable` if its inventory cannot be read. */
  readonly state: 'Complete' | 'Interrupted' | 'Unreadable'
  /** Absent where its inventory cannot be read. */
  readonly objects?: number
}

/** The installs of a cluster, and a warning for each whose inventory cannot be read. */
interface InstallList {
  readonly installs: readonly ListedInstall[]
  readonly warnings: readonly Diagnostic[]
}

/** Lists the installs of a namespace, or of all, by namespace and name. */
export async function listInstalls(api: ClusterApi, namespace: string | undefined): Promise<InstallList> {
  const installs: ListedInstall[] = []
  const warnings: Diagnostic[] = []
  for await (const each of inventoriesIn(api, namespace)) {
    if ('error' in each) {
      installs.push(unreadable(each))
      warnings.push(warningOf(each))
    } else installs.push(listed(each))
  }
  installs.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name))
  return {installs, warnings}
}

function listed({install, phase, objects}: Inventory): ListedInstall {
  const {package: installed} = install
  return {
    namespace: install.namespace,
    name: install.name,
    package: installed === undefined ? '' : `${installed.identity}:${installed.tag}`,
    version: installed?.version ?? '',
    mode: install.mode,
    state: phase === 'complete' ? 'Complete' : 'Interrupted',
    objects: objects.length,
  }
}

/** The name of the ConfigMap is all that is known of the install. */
function unreadable({namespace, configMap}: UnreadableInventory): ListedInstall {
  const name = configMap.startsWith(INVENTORY_PREFIX) ? configMap.slice(INVENTORY_PREFIX.length) : configMap
  return {namespace, name, package: '', version: '', state: 'Unreadable'}
}

function warningOf({error}: UnreadableInventory): Diagnostic {
  const {message, suggestions} = error
  return {severity: 'warning', rule: 'inventory-invalid', message, suggestions}
}
