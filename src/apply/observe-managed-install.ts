import type {ClusterApi} from '../cluster/api/cluster-api.js'
import type {InstallId} from '../render/install-id.js'
import {requestKind} from '../render/request.js'
import type {PermissionScope} from '../unpack/package.js'
import type {ManagedInstall} from '../plan/cluster/plan-request-removal.js'
import {asObject, asObjects, asText} from '../yaml/json-value.js'
import {type Era, ERAS} from '../render/era.js'
import {runningManagers} from './running-managers.js'

const SCOPES: readonly PermissionScope[] = ['Cluster', 'Namespaced']

/** Finds an install that an original package manager carries out: its request, and the CRDs that its record names. */
export async function observeManagedInstall(
  id: InstallId,
  api: ClusterApi,
): Promise<ManagedInstall | undefined> {
  for (const name of (await runningManagers(api)).keys()) {
    const era = ERAS[name]
    for (const scope of SCOPES) {
      const request = await api.get({apiVersion: era.apiVersion, kind: requestKind(era, scope), ...id})
      if (request !== undefined) return {request, inventory: await inventoryOf(id, era, scope, api)}
    }
  }
  return undefined
}

async function inventoryOf(id: InstallId, era: Era, scope: PermissionScope, api: ClusterApi) {
  const record = await api.get({apiVersion: era.apiVersion, kind: era.kinds.record, ...id})
  const discovery = await api.discover()
  const kinds = asObjects(asObject(record?.spec).customresourcedefinitions)
  const resources = kinds.flatMap(
    ({apiVersion, kind}) => discovery.find(asText(apiVersion), asText(kind)) ?? [],
  )
  return {
    install: {...id, era: era.name, scope, mode: 'requested', for: {}},
    phase: 'complete',
    toolVersion: '',
    objects: resources.map(({plural, group}) => ({...CRD, name: `${plural}.${group}`})),
  } as const
}

const CRD = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
