import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {CrossplaneError} from '../../errors.js'
import {CRD_KIND, isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import type {Controller, HangingDeletion} from '../../plan/cluster/uninstall/hanging-deletion.js'
import {servedKind} from '../../plan/cluster/crds/lost-instances.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {readInventories} from '../installs/read-inventories.js'
import {isRunning, runningManagers} from '../installs/running-managers.js'

/**
 * Reads the objects that show why an object is not deleted; undefined if it is gone. Objects that the user must not
 * read are left out: the explanation is optional.
 */
export async function observeHanging(
  name: ObjectName,
  api: ClusterApi,
): Promise<HangingDeletion | undefined> {
  const object = await api.get(name)
  if (object === undefined) return undefined
  const managers = await optional(() => runningManagers(api))
  if (!isCrd(name)) {
    const crd = await crdOf(name, api)
    return {object, controllers: await controllersOf(crd, api), managers}
  }
  const controllers = await controllersOf(nameOf(object), api)
  const left = await optional(() => instancesOf(object, api))
  if (left === undefined || left.first === undefined) return {object, controllers, managers}
  return {
    object: left.first,
    crd: {name: name.name, instances: left.total},
    controllers,
    managers,
  }
}

async function optional<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

/** The first instance that is being deleted, and the number of instances. */
async function instancesOf({spec}: KubernetesObject, api: ClusterApi) {
  const kind = servedKind(spec)
  let first: KubernetesObject | undefined
  let total = 0
  if (kind === undefined) return {first, total}
  for await (const {metadata} of api.list(kind, {metadataOnly: true})) {
    first ??= {...kind, metadata}
    total += 1
  }
  return {first, total}
}

async function crdOf({apiVersion, kind}: ObjectName, api: ClusterApi): Promise<ObjectName | undefined> {
  const resource = await optional(() => api.resource({apiVersion, kind}))
  if (resource === undefined) return undefined
  return {...CRD_KIND, name: `${resource.plural}.${resource.group}`}
}

/** The Deployments of the installs whose inventories name a CRD. */
async function controllersOf(crd: ObjectName | undefined, api: ClusterApi): Promise<readonly Controller[]> {
  if (crd === undefined) return []
  const {inventories = []} = (await optional(() => readInventories(api))) ?? {}
  const isUser = ({objects}: Inventory) => objects.some(object => objectKey(object) === objectKey(crd))
  return await Promise.all(
    inventories.filter(isUser).flatMap(({install, objects}) =>
      objects
        .filter(({kind}) => kind === 'Deployment')
        .map(async deployment => ({
          install: `${install.namespace}/${install.name}`,
          deployment: `${deployment.namespace ?? ''}/${deployment.name}`,
          state: await stateOf(deployment, api),
        })),
    ),
  )
}

async function stateOf(deployment: ObjectName, api: ClusterApi): Promise<Controller['state']> {
  const read = await optional(async () => ({found: await api.get(deployment)}))
  if (read === undefined) return 'unknown'
  if (read.found === undefined) return 'missing'
  return isRunning(read.found) ? 'running' : 'stopped'
}
