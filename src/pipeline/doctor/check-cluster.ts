import {missingAccess} from '../../observe/missing-access.js'
import {findUnclaimed} from '../../observe/instances/left-crds.js'
import {readRunningCore} from '../../observe/objects/read-core-version.js'
import {readCore} from '../../observe/core/read-core.js'
import {observeLock} from '../../observe/core/observe-lock.js'
import {observeManagers} from '../../observe/installs/running-managers.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {failureOf} from '../../cluster/api/cluster-failure.js'
import {isHeld, leaseIn, leaseName} from '../../cluster/lease/lease-object.js'
import {
  checkContext,
  checkCrds,
  checkImpostors,
  checkInstalls,
  checkLeases,
  checkManagers,
  checkPackageApi,
  checkPermissions,
  checkServer,
  checkUnshown,
  checkWitnesses,
  type SeenCrd,
  type SeenIgnored,
  type SeenLease,
  skippedClusterChecks,
} from '../../doctor/check-cluster.js'
import {checkCoreLock, checkPackages} from '../../doctor/check-core.js'
import {type Check, type CheckId, failedCheck} from '../../doctor/check.js'
import type {Release} from '../../doctor/release.js'
import {CrossplaneError} from '../../errors.js'
import {isOlder, witnessCommand} from '../../plan/cluster/inventories/ignored-inventories.js'
import {installAccess} from '../../plan/cluster/access/install-access.js'
import {leftMessages} from '../../plan/cluster/state/left-behind.js'
import {crdsOf} from '../../plan/cluster/state/ownership.js'
import {permissionRules} from '../../plan/cluster/access/permission-manifest.js'
import {present} from '../../present.js'
import {compareText} from '../../reference/compare-text.js'
import {parseImageName} from '../../reference/image-name.js'
import {ERA_NAMES} from '../../reference/era-name.js'
import {ERAS} from '../../render/era.js'
import {escaped} from '../../text.js'
import {permissionTexts} from '../cluster/expect-allowed.js'
import {type InstallList, listInstalls} from '../cluster/list-installs.js'
import {attempt} from './attempt.js'
import type {DoctorQuery} from './doctor-query.js'
import type {DoctorPorts} from './ports.js'

/** The results of the checks of a cluster, and the release of its API server if it is known. */
interface ClusterChecks {
  readonly checks: readonly Check[]
  readonly server?: Release
  /** The registries of the packages that users requested of a current Crossplane; absent for a cluster without one. */
  readonly registries?: readonly string[]
}

/** Checks the kubeconfig, and the cluster that it selects. */
export async function checkCluster(
  {isClusterSelected, namespace}: DoctorQuery,
  {cluster}: Pick<DoctorPorts, 'cluster'>,
): Promise<ClusterChecks> {
  const opened = await attempt(cluster)
  if (opened instanceof CrossplaneError) {
    const checks = [checkContext(opened, isClusterSelected), ...skippedClusterChecks('no cluster')]
    return {checks}
  }
  const {connection, api} = opened
  const context = checkContext({...connection, server: connection.server.origin}, isClusterSelected)
  const version = await attempt(() => api.version())
  if (version instanceof CrossplaneError) {
    const [, ...others] = skippedClusterChecks('the API server cannot be used')
    return {checks: [context, failedCheck('server', version), ...others]}
  }
  const rest = await contentChecks(api, namespace ?? connection.namespace)
  const registries = await attempt(() => requestedRegistries(api))
  return {
    checks: [context, checkServer(version), ...rest],
    server: version,
    ...(registries instanceof CrossplaneError ? {} : present({registries})),
  }
}

async function requestedRegistries(api: ClusterApi): Promise<readonly string[] | undefined> {
  const core = await readCore(api)
  if (core === undefined) return undefined
  const hosts = core.requests.flatMap(
    ({reference, resolved = reference}) => parseImageName(resolved)?.registry ?? [],
  )
  return [...new Set(hosts)].sort(compareText)
}

async function contentChecks(api: ClusterApi, namespace: string): Promise<readonly Check[]> {
  const leases = await attempt(() => readLeases(api))
  const seenLeases = leases instanceof CrossplaneError ? [] : leases
  // Shared: anyone may have written thousands of inventories.
  const listed = listInstalls({selection: ALL}, api)
  const [permissions, packageApi, managers, installs, crds, coreLock] = await Promise.all([
    checked('permissions', async () => [checkPermissions(await missing(api, namespace), namespace)]),
    checked('package-api', async () => [checkPackageApi(await servedEras(api), await readRunningCore(api))]),
    checked('manager', async () => {
      const {managers, ownManager = [], impostors} = await observeManagers(api)
      return [checkManagers([...managers.values()].concat(ownManager)), ...checkImpostors(impostors)]
    }),
    checked('install', async () => installChecks(await listed, seenLeases)),
    checked('crd', async () => checkCrds(await crdsLeft(await listed, api))),
    checked('core-lock', () => coreLockChecks(api)),
  ])
  const leaseChecks = leases instanceof CrossplaneError ? [failed('lease', leases)] : checkLeases(leases)
  return [...permissions, ...packageApi, ...managers, ...leaseChecks, ...installs, ...crds, ...coreLock]
}

/** A cluster without these kinds needs no Lock. */
async function coreLockChecks(api: ClusterApi): Promise<readonly Check[]> {
  const observed = await observeLock(api)
  if (observed === undefined) return []
  return [...checkCoreLock(observed.problems, observed.state), ...checkPackages(observed.state)]
}

async function crdsLeft({inventories}: InstallList, api: ClusterApi): Promise<readonly SeenCrd[]> {
  const left = await findUnclaimed(new Set([...crdsOf(inventories).values()].map(({name}) => name)), api)
  return leftMessages(left).map(({message, command}) => ({message: escaped(message), command}))
}

function installChecks(
  {installs, ignored, unshown}: InstallList,
  leases: readonly SeenLease[],
): readonly Check[] {
  const seen = ignored.ignored.map((inventory): SeenIgnored => {
    const {namespace, name, standing} = inventory
    const kind = isOlder(inventory, ignored) ? 'older' : standing
    return {namespace, name, kind, command: witnessCommand(inventory, ignored)}
  })
  return [
    ...checkInstalls(installs, leases),
    ...checkUnshown(unshown),
    ...checkWitnesses(seen, leases, ignored),
  ]
}

/** The installs of all namespaces. */
const ALL = {namespace: undefined, selector: []}

async function checked(id: CheckId, check: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  const result = await attempt(check)
  return result instanceof CrossplaneError ? [failed(id, result)] : result
}

/** Creates the result of a check that failed; skipped if the user lacks the permission to read its objects. */
function failed(id: CheckId, error: CrossplaneError): Check {
  return failedCheck(id, error, failureOf(error)?.status === 403 ? 'skipped' : 'broken')
}

async function missing(api: ClusterApi, namespace: string): Promise<readonly string[]> {
  const {reviews} = await missingAccess(installAccess(namespace, await api.discover()), api)
  return permissionTexts(permissionRules(reviews))
}

async function servedEras(api: ClusterApi) {
  const discovery = await api.discover()
  return ERA_NAMES.filter(era => discovery.find(ERAS[era].apiVersion, ERAS[era].kinds.record) !== undefined)
}

async function readLeases(api: ClusterApi): Promise<readonly SeenLease[]> {
  const leases: SeenLease[] = []
  const {name, ...kind} = leaseName('')
  for await (const lease of api.list(kind, {fieldSelector: `metadata.name=${name}`})) {
    leases.push({...leaseIn(lease), isHeld: isHeld(lease, api.now())})
  }
  return leases
}
