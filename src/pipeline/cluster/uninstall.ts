import {observeManagedRemoval} from '../../observe/changes/observe-managed-removal.js'
import {observeRemoval} from '../../observe/changes/observe-removal.js'
import {readInventories} from '../../observe/installs/read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {type ManagedInstall, planRequestRemoval} from '../../plan/cluster/uninstall/plan-request-removal.js'
import {planUninstall} from '../../plan/cluster/uninstall/plan-uninstall.js'
import {
  leftoverAccess,
  managedRemovalAccess,
  removalAccess,
  UNKNOWN_CLUSTER,
} from '../../plan/cluster/access/read-access.js'
import {lostInventory} from '../../plan/cluster/inventories/rebuilt-inventory.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import {unusedDependencies} from '../../plan/cluster/uninstall/unused-dependencies.js'
import {installBackup} from './back-up-removal.js'
import {type ClusterChange, type Decision, isCarriedOut, NOTHING_LEFT} from './cluster-change.js'
import {readAllowed} from './expect-allowed.js'
import {expectSameImpact} from './expect-same-impact.js'
import type {RemovalQuery} from './installed-format.js'
import {findKnownInstall, type KnownInstall, withOriginals} from '../../observe/installs/known-install.js'

/**
 * Plans the removal of an install; undefined if the cluster has no object of it, or the saved plan was applied already. Throws
 * the errors of the API.
 */
export async function prepareUninstall(
  {install: id, options, saved}: Pick<RemovalQuery, 'install' | 'options' | 'saved'>,
  api: ClusterApi,
): Promise<ClusterChange | undefined> {
  if (id === undefined) return undefined
  const discovery = await api.discover()
  const decide = async (): Promise<Decision | undefined> => {
    const install = await readAllowed(
      () => findKnownInstall(id, options, api),
      () => Promise.resolve(leftoverAccess(id, discovery)),
      api,
    )
    if (!isKnown(install) && saved !== undefined && (await isCarriedOut(saved, api))) return undefined
    if (install === undefined) return undefined
    const {inventory} = install
    if ('request' in install) {
      const observed = await readAllowed(
        () => observeManagedRemoval(install, options, api),
        () => Promise.resolve(managedRemovalAccess(inventory, options, discovery)),
        api,
      )
      const plan = planRequestRemoval(install, observed, options)
      // What is kept is not lost, however much of it is created meanwhile.
      const isKept = options.customResources === 'keep'
      const recheck = async () => {
        if (!isKept) expectSameImpact(plan, ((await decide()) ?? nothing).plan)
      }
      const removal = removalOf([inventory], {snapshot: observed, isManaged: true})
      return {...removal, plan, recheck}
    }
    const observe = (removed: readonly Inventory[]) =>
      readAllowed(
        () => observeRemoval(removed, options, api),
        () => Promise.resolve(removalAccess(removed, options, discovery)),
        api,
      )
    const {unused, observed} = await observeWithUnused(inventory, options, {api, observe})
    const {whole, snapshot} = await withOriginals(install, observed, api, dependent =>
      observeRemoval([dependent, ...unused], options, api),
    )
    const plan = planUninstall([whole, ...unused], snapshot, options)
    const rejections = [...(install.isLost && !options.adopt ? [lostInventory(id)] : []), ...plan.rejections]
    return {...removalOf([whole, ...unused], {snapshot}), plan: {...plan, rejections}}
  }
  const nothing: Decision = {...NOTHING_LEFT, installs: [id]}
  const decision = await decide()
  return decision && {decision, decide: async () => (await decide()) ?? nothing}
}

function removalOf(
  removed: readonly Inventory[],
  planned: Parameters<typeof installBackup>[1],
): Omit<Decision, 'plan'> {
  return {
    firstOwners: [],
    installs: removed.map(({install}) => install),
    snapshot: planned.snapshot,
    backup: async api => await installBackup(removed, planned, api),
  }
}

/** Reports whether the cluster remembers an install, rather than to have objects of it. */
function isKnown(install: KnownInstall | ManagedInstall | undefined): boolean {
  return install !== undefined && ('request' in install || !install.isLost)
}

interface RemovalPorts {
  readonly api: ClusterApi
  readonly observe: (removed: readonly Inventory[]) => Promise<ClusterSnapshot>
}

/** Observes the removal of an install, and of the dependencies that are removed together with it. */
async function observeWithUnused(
  inventory: Inventory,
  {withUnusedDependencies}: UninstallOptions,
  {api, observe}: RemovalPorts,
): Promise<{readonly unused: readonly Inventory[]; readonly observed: ClusterSnapshot}> {
  if (!withUnusedDependencies) return {unused: [], observed: await observe([inventory])}
  const candidates = unusedDependencies(inventory, {...UNKNOWN_CLUSTER, ...(await readInventories(api))})
  const observed = await observe([inventory, ...candidates])
  // Records and requests can have dependents that no inventory has; they require CRDs that are read by now.
  const stillUnused = unusedDependencies(inventory, observed)
  const unused = candidates.filter(candidate =>
    stillUnused.some(({install}) => isSameInstall(install, candidate.install)),
  )
  if (unused.length === candidates.length) return {unused, observed}
  return {unused, observed: await observe([inventory, ...unused])}
}
