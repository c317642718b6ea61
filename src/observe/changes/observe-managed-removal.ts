import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import type {ManagedInstall, ManagedSnapshot} from '../../plan/cluster/uninstall/plan-request-removal.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import type {EraName} from '../../reference/era-name.js'
import {ERAS} from '../../render/era.js'
import {MANAGED_BY_LABEL} from '../../render/labels.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {observeRemoval} from './observe-removal.js'

/** Reads all that planning the removal of an install by its package manager takes; changes nothing. */
export async function observeManagedRemoval(
  {inventory, isOwn = false}: ManagedInstall,
  options: UninstallOptions,
  api: ClusterApi,
): Promise<ManagedSnapshot> {
  const [snapshot, marked] = await Promise.all([
    observeRemoval([inventory], {...options, isManaged: !isOwn}, api),
    // Only the original ones delete what is marked.
    isOwn ? [] : markedCrds(inventory.install.era, api),
  ])
  return {...snapshot, marked}
}

/** Lists the metadata of the CRDs that are marked as managed by the package manager of an era. */
async function markedCrds(era: EraName, api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const options = {labelSelector: `${MANAGED_BY_LABEL}=${ERAS[era].managedBy}`, metadataOnly: true}
  const objects: KubernetesObject[] = []
  for await (const crd of api.list(CRD_KIND, options)) objects.push(crd)
  return objects
}
