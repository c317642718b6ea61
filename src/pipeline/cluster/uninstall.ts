import {nameIn, uidIn} from '../../apply/operation-parts.js'
import {observeManagedRemoval} from '../../observe/changes/observe-managed-removal.js'
import {observeRemoval} from '../../observe/changes/observe-removal.js'
import {readInventories} from '../../observe/installs/read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {CrossplaneError} from '../../errors.js'
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
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import {unusedDependencies} from '../../plan/cluster/uninstall/unused-dependencies.js'
import type {InstallId} from '../../render/install-set.js'
import type {ClusterChange, Decision} from './cluster-change.js'
import {readAllowed} from './expect-allowed.js'
import {expectSameImpact} from './expect-same-impact.js'
import {findKnownInstall, type KnownInstall, withOriginals} from '../../observe/installs/known-install.js'

/** A query for the removal of an install. */
interface UninstallQuery {
  readonly id: InstallId
  readonly options: UninstallOptions
  /** Whether an install that does not exist is no error. */
  readonly ignoresNotFound?: boolean
  /** The plan that is applied. */
  readonly saved?: SavedClusterPlan
}

/**
 * Plans the removal of an install; no operation is left if the saved plan was applied already. Throws `not-found`
 * if the cluster has no object of the install.
 */
export async function prepareUninstall(
  {id, options, ignoresNotFound = false, saved}: UninstallQuery,
  api: ClusterApi,
): Promise<ClusterChange> {
  const discovery = await api.discover()
  const nothing: Decision = {...NOTHING_LEFT, installs: [id]}
  const decide = async (): Promise<Decision> => {
    const install = await readAllowed(
      () => findKnownInstall(id, options, api),
      () => Promise.resolve(leftoverAccess(id, discovery)),
      api,
    )
    if (!isKnown(install) && saved !== undefined && (await isCarriedOut(saved, api))) {
      return nothing
    }
    if (install === undefined) {
      if (ignoresNotFound) return nothing
      throw notFound(id)
    }
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
        if (!isKept) expectSameImpact(plan, (await decide()).plan)
      }
      return {...removalOf([inventory]), plan, snapshot: observed, isManaged: true, recheck}
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
    return {...removalOf([whole, ...unused]), plan: {...plan, rejections}, snapshot}
  }
  const decision = await decide()
  return {decision, decide, ...(decision === nothing ? {absent: id} : {})}
}

function removalOf(
  removed: readonly Inventory[],
): Pick<Decision, 'firstOwners' | 'installs'> & {readonly removed: readonly Inventory[]} {
  return {firstOwners: [], installs: removed.map(({install}) => install), removed}
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

const NOTHING_LEFT: Omit<Decision, 'installs'> = {
  plan: {operations: [], unchanged: 0, rejections: []},
  snapshot: UNKNOWN_CLUSTER,
  firstOwners: [],
}

/** Reports whether none of the objects exist that a saved plan deletes. */
async function isCarriedOut({operations}: SavedClusterPlan, api: ClusterApi): Promise<boolean> {
  for (const operation of operations.filter(({action}) => action === 'delete')) {
    const live = await api.get(nameIn(operation))
    if (live !== undefined && live.metadata.uid === uidIn(operation)) return false
  }
  return true
}

function notFound({namespace, name}: InstallId): CrossplaneError {
  return new CrossplaneError('not-found', `install ${namespace}/${name} not found`, {
    suggestions: [
      'kubectl crossplane package list --all-namespaces',
      'Pass --ignore-not-found if it may have been uninstalled before.',
    ],
  })
}
