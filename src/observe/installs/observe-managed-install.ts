import type {ClusterApi, ResourceKind} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {groupOf} from '../../kubernetes/object-key.js'
import type {InstallId} from '../../reference/install-id.js'
import {requestKind} from '../../render/request.js'
import type {PermissionScope} from '../../unpack/package.js'
import type {ManagedInstall} from '../../plan/cluster/uninstall/plan-request-removal.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import {type Era, ERAS} from '../../render/era.js'
import {ifAllowed} from '../objects/denied-reads.js'
import {ownManager, runningManager} from './running-managers.js'

const SCOPES: readonly PermissionScope[] = ['Cluster', 'Namespaced']

/** Finds an install that an original package manager processes: its request, and the CRDs that its record names. */
export async function observeManagedInstall(
  id: InstallId,
  api: ClusterApi,
): Promise<ManagedInstall | undefined> {
  for (const era of Object.values(ERAS)) {
    for (const scope of SCOPES) {
      const request = await api.get({apiVersion: era.apiVersion, kind: requestKind(era, scope), ...id})
      // A user without the permission to list Deployments can still learn that no request exists.
      if (request === undefined || (await runningManager(era, api)) === undefined) continue
      return {request, inventory: await inventoryOf(id, era, scope, api)}
    }
  }
  return undefined
}

/** Finds an install that the package manager of this program has made: its request, and its inventory. */
export async function observeOwnInstall(
  inventory: Inventory,
  api: ClusterApi,
): Promise<ManagedInstall | undefined> {
  // A user who may not list Deployments learns that from the removal, with all other permissions that it requires.
  if ((await ifAllowed(() => ownManager(api), undefined)) === undefined) return undefined
  const {namespace, name, era, scope} = inventory.install
  const {apiVersion} = ERAS[era]
  const request = await api.get({apiVersion, kind: requestKind(ERAS[era], scope), namespace, name})
  return request && {request, inventory, isOwn: true}
}

async function inventoryOf(id: InstallId, era: Era, scope: PermissionScope, api: ClusterApi) {
  const record = await api.get({apiVersion: era.apiVersion, kind: era.kinds.record, ...id})
  const kinds = asObjects(asObject(record?.spec).customresourcedefinitions).map(object => ({
    apiVersion: asText(object.apiVersion),
    kind: asText(object.kind),
  }))
  return {
    install: {...id, era: era.name, scope, mode: 'requested', for: {}},
    phase: 'complete',
    toolVersion: '',
    objects: (await crdNames(kinds, api)).map(name => ({...CRD_KIND, name})),
  } as const
}

/** The names of the CRDs that define kinds. A CRD that is not served can still have instances. */
async function crdNames(kinds: readonly ResourceKind[], api: ClusterApi): Promise<readonly string[]> {
  const names = new Set<string>()
  const unserved = new Set<string>()
  for (const kind of kinds) {
    const resource = await api.resource(kind)
    if (resource === undefined) unserved.add(`${groupOf(kind.apiVersion)} ${kind.kind}`)
    else names.add(`${resource.plural}.${resource.group}`)
  }
  if (unserved.size === 0) return [...names]
  for await (const {metadata, spec} of api.list(CRD_KIND)) {
    const {group, names: defined} = asObject(spec)
    if (unserved.has(`${asText(group)} ${asText(asObject(defined).kind)}`)) names.add(metadata.name)
  }
  return [...names]
}
