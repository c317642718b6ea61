import type {ClusterApi} from '../cluster/api/cluster-api.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import {
  type SystemRole,
  systemRoleIn,
  systemRoleName,
  type SystemRoles,
} from '../cluster/inventory/system-role.js'
import {
  inventoryHash,
  type Witness,
  WITNESS_MANAGER,
  witnessObject,
  witnessOf,
} from '../cluster/inventory/witness.js'
import {isSameInstall} from '../plan/cluster/state/ownership.js'
import type {InstallId} from '../reference/install-id.js'
import {RBAC_GROUP} from '../render/rbac.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'

const CLUSTER_ROLE = {apiVersion: `${RBAC_GROUP}/v1`, kind: 'ClusterRole'}

/** What the system roles of one install prove during a change. */
interface Log {
  readonly install: InstallId
  /** By name; the role of a new version joins that of the version before. */
  readonly roles: Map<string, {readonly uid: string; readonly witness?: Witness}>
  witness: Witness
}

/**
 * Writes the witnesses of inventories, each before the inventory that it is of: whenever a run is interrupted, the
 * inventory in the cluster is one that a witness names, as soon as the install has a role.
 */
export class WitnessLog {
  readonly #api: ClusterApi
  readonly #roles: SystemRoles
  readonly #logs = new Map<string, Log>()

  constructor(roles: SystemRoles, api: ClusterApi) {
    this.#roles = roles
    this.#api = api
  }

  /** Before an inventory is written: names it besides the one that the cluster has. */
  async announce(before: Inventory | undefined, next: Inventory): Promise<void> {
    const {install} = next
    const applied = (this.#roles.get(keyOf(install)) ?? []).filter(({isApplied}) => isApplied)
    const hashes = [...(before === undefined ? [] : provenHash(before, applied)), inventoryHash(next)]
    const log: Log = {
      install,
      roles: new Map(applied.map(({role, uid, witness}) => [role, {uid, ...(witness && {witness})}])),
      witness: witnessOf(next, hashes),
    }
    this.#logs.set(keyOf(install), log)
    for (const role of log.roles.keys()) await this.#write(log, role, log.witness)
  }

  /** After an object was applied: gives the system role of an announced install its witness. */
  async applied(object: KubernetesObject): Promise<void> {
    const role = object.kind === CLUSTER_ROLE.kind ? systemRoleIn(object) : undefined
    const log = role && this.#logs.get(keyOf(role))
    if (role === undefined || log === undefined) return
    log.roles.set(role.role, {uid: role.uid, ...(role.witness && {witness: role.witness})})
    await this.#write(log, role.role, log.witness)
  }

  /** Before the last inventory of a change is written: names it besides the others. */
  async complete(last: Inventory): Promise<void> {
    const log = this.#logs.get(keyOf(last.install))
    const role = log && roleIn(last, log)
    if (log === undefined || role === undefined) return
    await this.#write(log, role, witnessOf(last, [...log.witness.inventories, inventoryHash(last)]))
  }

  /** After that: no other inventory counts, and roles that other versions left behind prove nothing. */
  async settle(last: Inventory): Promise<void> {
    const log = this.#logs.get(keyOf(last.install))
    const role = log && roleIn(last, log)
    if (log === undefined || role === undefined) return
    await this.#write(log, role, witnessOf(last, [inventoryHash(last)]))
    for (const other of [...log.roles.keys()].filter(text => text !== role)) await this.#remove(log, other)
  }

  async #write(log: Log, name: string, witness: Witness): Promise<void> {
    const role = log.roles.get(name)
    if (role === undefined || JSON.stringify(role.witness) === JSON.stringify(witness)) return
    const object = witnessObject({...CLUSTER_ROLE, name}, role.uid, witness)
    await this.#api.apply(object, {manager: WITNESS_MANAGER, force: true, metadataOnly: true})
    log.roles.set(name, {uid: role.uid, witness})
  }

  async #remove(log: Log, name: string): Promise<void> {
    const uid = log.roles.get(name)?.uid
    const live = await this.#api.get({...CLUSTER_ROLE, name}, {metadataOnly: true})
    if (uid === undefined || live?.metadata.uid !== uid) return
    const object = witnessObject({...CLUSTER_ROLE, name}, uid, undefined)
    await this.#api.apply(object, {manager: WITNESS_MANAGER, force: true, metadataOnly: true})
  }
}

/** The hash of an inventory that a role proves already. */
function provenHash(before: Inventory, roles: readonly SystemRole[]): readonly string[] {
  const hash = inventoryHash(before)
  return roles.some(({witness}) => witness?.inventories.includes(hash) === true) ? [hash] : []
}

/** The system role among the objects of an inventory, if it exists. */
function roleIn({install, objects}: Inventory, {roles}: Log): string | undefined {
  return objects.find(({kind, name}) => {
    const named = kind === CLUSTER_ROLE.kind ? systemRoleName(name) : undefined
    return named !== undefined && isSameInstall(named, install) && roles.has(name)
  })?.name
}

function keyOf({namespace, name}: InstallId): string {
  return `${namespace}/${name}`
}
