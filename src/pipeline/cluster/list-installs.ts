import {readInventories} from '../../apply/read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {compareText} from '../../reference/compare-text.js'

/** One install of a cluster. */
export interface ListedInstall {
  readonly namespace: string
  readonly name: string
  /** The repository and tag of its package; empty if the inventory has none. */
  readonly package: string
  readonly version: string
  /** Whether the user requested it, or only packages require it. */
  readonly mode: 'requested' | 'auto'
  /** `Complete`, or `Interrupted` for an install whose last change did not end. */
  readonly state: 'Complete' | 'Interrupted'
  readonly objects: number
}

/** Lists the installs of a namespace, or of all, by namespace and name. */
export async function listInstalls(
  api: ClusterApi,
  namespace: string | undefined,
): Promise<readonly ListedInstall[]> {
  const inventories = await readInventories(api, namespace)
  return inventories
    .map(({install, phase, objects}): ListedInstall => {
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
    })
    .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name))
}
