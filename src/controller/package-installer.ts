import {isInventoryOperation} from '../plan/cluster/inventories/inventory-operations.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CrossplaneError} from '../errors.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {rememberedReads, type RememberedReads} from '../cluster/api/remembered-reads.js'
import {readInventories} from '../observe/installs/read-inventories.js'
import {runningManager} from '../observe/installs/running-managers.js'
import {type ClusterChange} from '../pipeline/cluster/cluster-change.js'
import {type InstallStatus, readStatuses, readStatusesOf} from '../pipeline/cluster/install-status.js'
import type {InstallPorts, InstallQuery} from '../pipeline/cluster/install.js'
import {prepareRequested, renderRequests} from '../pipeline/cluster/requested-install.js'
import {prepareRecord} from '../pipeline/cluster/written-record.js'
import {prepareUninstall} from '../pipeline/cluster/uninstall.js'
import type {UninstallOptions} from '../plan/cluster/state/uninstall-options.js'
import type {InstallId} from '../reference/install-id.js'
import type {EraName} from '../reference/era-name.js'
import {ERAS, recordEraOf, requestEraOf} from '../render/era.js'
import type {InputFile} from '../render/written-input.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {
  installerChoices,
  type InstallerFlags,
  installerPolicy,
  installerQuery,
  type RequestObjects,
} from './installer-query.js'
import {changePorts, type ClusterPorts, type OpenCluster} from '../cli/cluster/cluster-ports.js'
import {exclusivelyInTurn} from './exclusively-in-turn.js'
import {folderPorts, requestPorts} from '../cli/packages/package-ports.js'
import {pullSecretKeychain} from './pull-secrets.js'
import type {Keychain} from '../registry/credentials/keychain.js'
import {asObject, asObjects, asText} from '../yaml/json-value.js'
import {
  type PlannedPackages,
  type ApplicableChange,
  type PlannedChange,
  planned,
  applying,
} from './planned-change.js'

/** Installs and removes the packages that objects of a cluster request, with the gates of the commands that do so. */
export interface PackageInstaller {
  /**
   * Plans the installs of request objects of one era and namespace as one change, with all that they depend on, or that of a
   * record that a user wrote; changes nothing. Throws the errors of `package install`.
   */
  planInstall(requests: RequestObjects, settings: InstallSettings): Promise<PlannedChange>
  /**
   * Renders the same installs, to plan them only once: when they are applied, while other runs are locked out. Throws the
   * errors of `package install`.
   */
  renderInstalls(requests: RequestObjects, settings: InstallSettings): Promise<RenderedInstalls>
  /** Plans the removal of an install; undefined if nothing of it exists. Throws the errors of `package uninstall`. */
  planUninstall(id: InstallId, options: UninstallOptions): Promise<PlannedChange | undefined>
  /** Judges the health of an install as `package status`; undefined if there is none. */
  health(id: InstallId): Promise<InstallStatus | undefined>
  /** Judges those of some installs that exist, and reads what they have in common once. */
  healths(ids: readonly InstallId[]): Promise<readonly InstallStatus[]>
  /** Returns what is installed, by the inventories that count. */
  installed(): Promise<readonly Inventory['install'][]>
  /** Returns the original package manager of an era, as NAMESPACE/NAME, if it runs. */
  original(era: EraName): Promise<string | undefined>
  /** Returns an object of the cluster; undefined if it does not exist. */
  read(object: ObjectName): Promise<KubernetesObject | undefined>
  /** Returns an installer for one pass, which reads the cluster once before a change and once after it. */
  forPass(): PackageInstaller
}

/** What decides about an install besides its request. */
export interface InstallSettings {
  /** The content of a policy. Without one, only the sources that the flags name are allowed. */
  readonly policy?: Uint8Array
  /** Takes over the objects that the original package manager made for this install. */
  readonly adopt: boolean
}

/** Installs that were rendered, and are planned when they are applied. */
interface RenderedInstalls extends ApplicableChange, Pick<PlannedPackages, 'installs'> {}

/** Creates an installer for a cluster; sends nothing yet. Throws the errors of reading the folder or the bundle that the flags name. */
export async function packageInstaller(
  flags: InstallerFlags,
  cluster: OpenCluster,
  toolVersion: string,
): Promise<PackageInstaller> {
  // Otherwise it would only be read for the first request.
  const {folder} = await folderPorts(flags)
  await folder?.versions(NO_PACKAGE)
  const patience = {timeout: '2m', leasePatience: LEASE_PATIENCE, deletionPatience: DELETION_PATIENCE}
  const waits = {'no-wait': true, quiet: true, ...patience}
  const own = await changePorts(cluster, waits)
  const ports = {...own, waitsForDeletedCrds: true, exclusively: exclusivelyInTurn(own.exclusively)}
  const reads = {api: cluster.api, afresh: async <T>(work: () => Promise<T>) => await work()}
  return installerOf({flags, ports, toolVersion, server: cluster.api}, reads)
}

/** Names no package: looking it up reads the folder itself. */
const NO_PACKAGE = {path: 'none'}

/** What the installers of a process have in common. */
interface InstallerParts {
  readonly flags: InstallerFlags
  readonly ports: ClusterPorts
  readonly toolVersion: string
  readonly server: ClusterApi
}

function installerOf(parts: InstallerParts, {api, afresh}: RememberedReads): PackageInstaller {
  const {flags, ports, toolVersion, server} = parts
  // What is applied is planned again, while other runs are locked out.
  const plannedAfresh = (
    change: ClusterChange,
    notes: PlannedChange['notes'],
    applyPorts = ports,
  ): PlannedChange => {
    // What these writes return is what the pass judges.
    const plan = planned(change, notes, {...applyPorts, api})
    return {...plan, apply: async (signal, gate) => await afresh(async () => await plan.apply(signal, gate))}
  }
  return {
    planInstall: async (objects, settings) => {
      const [request] = objects
      await api.discover(true)
      const era = recordEraOf(request)
      if (era !== undefined) {
        const choices = installerChoices(era.name, flags)
        const change = await prepareRecord(
          {record: request, choices, options: optionsOf(settings, toolVersion)},
          {api, requests: requestPorts(flags, ports.progress)},
        )
        return plannedAfresh(change, change.notes)
      }
      const change = await requested(objects, settings, {...parts, api}, prepareRequested)
      return plannedAfresh(change, change.notes)
    },
    renderInstalls: async (objects, settings) => {
      await api.discover(true)
      const change = await requested(objects, settings, {...parts, api}, renderRequests)
      const apply = applying(change, {...ports, api})
      return {
        ...{installs: change.set.installs, notes: change.notes},
        apply: async (signal, gate) => await afresh(async () => await apply(signal, gate)),
      }
    },
    planUninstall: async (id, options) => {
      await api.discover(true)
      const isGoing = await isNamespaceDeleted(id.namespace, api)
      const adopt = options.adopt || isGoing
      const change = await prepareUninstall({install: id, options: {...options, adopt, asManager: true}}, api)
      if (change === undefined || isOnlyRequest(change)) return undefined
      return plannedAfresh(change, [], isGoing ? inDeletedNamespace(id.namespace, ports) : ports)
    },
    health: async id => await healthOf(id, api),
    healths: async ids => await readStatusesOf(ids, api),
    installed: async () => (await readInventories(api)).inventories.map(({install}) => install),
    original: async era => await runningManager(ERAS[era], api),
    read: async object => await api.get(object),
    forPass: () => installerOf(parts, rememberedReads(server)),
  }
}

function optionsOf({adopt}: InstallSettings, toolVersion: string): InstallQuery['options'] {
  return {adopt, forceConflicts: true, replaceCrds: false, toolVersion, asManager: true}
}

/** Prepares what objects request, from the sources that the policy allows. */
async function requested<Change>(
  objects: RequestObjects,
  settings: InstallSettings,
  {flags, ports, toolVersion, api}: InstallerParts & Pick<InstallPorts, 'api'>,
  prepare: (query: InstallQuery, queryPorts: InstallPorts) => Promise<Change>,
): Promise<Change> {
  const {file, isOffline} = installerPolicy(flags, settings.policy)
  const query = {...installerQuery(objects, flags), options: optionsOf(settings, toolVersion)}
  const namespace = objects[0].metadata.namespace ?? ''
  const secrets = {namespace, names: objects.flatMap(pullSecretsIn)}
  const credentials = (own: Keychain) => pullSecretKeychain(secrets, api, own)
  const pullFlags = isOffline ? {...flags, offline: true} : flags
  const {inputs, ...sources} = requestPorts(pullFlags, {...ports.progress, credentials})
  const requests = {
    ...sources,
    inputs: {...inputs, read: reading(file, async (name, flag) => await inputs.read(name, flag))},
  }
  return await prepare(query, {api, requests}).catch((error: unknown) => {
    throw isOffline && !flags.offline ? withoutSource(error, objects) : error
  })
}

/**
 * In milliseconds: longer than the Lease of a killed run lasts. Not longer, since others wait meanwhile, and the users of a namespace may be
 * able to hold its Lease.
 */
const LEASE_PATIENCE = 40_000

/** In milliseconds: CRDs are gone sooner. One that is not waits for a custom resource, and others must not wait for that. */
const DELETION_PATIENCE = 5000

async function isNamespaceDeleted(name: string, api: ClusterApi): Promise<boolean> {
  const namespace = await api.get({apiVersion: 'v1', kind: 'Namespace', name})
  return namespace?.metadata.deletionTimestamp !== undefined
}

/**
 * A namespace that is being deleted takes no Lease and no inventory, and loses those that it has: an install in it is removed by the
 * objects that name it.
 */
function inDeletedNamespace(namespace: string, ports: ClusterPorts): ClusterPorts {
  return {
    ...ports,
    waitsForDeletedCrds: false,
    marksRemovals: false,
    exclusively: async (namespaces, work, signal) =>
      await ports.exclusively(
        namespaces.filter(name => name !== namespace),
        work,
        signal,
      ),
  }
}

/** The error of a command names --offline, which a manager does not have. */
function withoutSource(error: unknown, requests: RequestObjects): unknown {
  if (!(error instanceof CrossplaneError) || error.code !== 'offline') return error
  const names = requests.map(({spec}) => {
    const {package: reference, crd} = asObject(spec)
    return asText(reference ?? crd)
  })
  const message = `cannot read the package of ${names.join(', ')}: it is not among the packages of the manager, and neither its policy nor its flags name a registry as source`
  return new CrossplaneError('policy-refused', message, {
    cause: error,
    suggestions: ['Add the registry to sources in the policy.'],
  })
}

function pullSecretsIn({spec}: KubernetesObject): readonly string[] {
  return asObjects(asObject(spec).imagePullSecrets).map(({name}) => asText(name))
}

type Read = (name: string, flag: string) => Promise<InputFile>

function reading(file: InputFile, read: Read): Read {
  return async (name, flag) => (name === file.name ? file : await read(name, flag))
}

/** Reports whether a removal is of a request or a record for which nothing was installed. */
function isOnlyRequest({decision: {plan}}: ClusterChange): boolean {
  return plan.operations.every(
    operation =>
      operation.object !== undefined &&
      (isRequestOrRecord(operation.object) || isInventoryOperation(operation)),
  )
}

function isRequestOrRecord(object: Pick<ObjectName, 'apiVersion' | 'kind'>): boolean {
  return requestEraOf(object) !== undefined || recordEraOf(object) !== undefined
}

async function healthOf({namespace, name}: InstallId, api: ClusterApi): Promise<InstallStatus | undefined> {
  try {
    const {statuses} = await readStatuses({namespace, name, selector: []}, api)
    return statuses[0]
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  }
}
