import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {failureOf} from '../cluster/api/cluster-failure.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import {inventoryConfigMaps} from '../cluster/inventory/inventory-config-maps.js'
import {readInventory} from '../cluster/inventory/inventory-document.js'
import {objectKey} from '../kubernetes/object-key.js'
import {isInventoryOperation} from '../plan/cluster/inventories/inventory-operations.js'
import type {Operation, Plan} from '../plan/plan.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import {labelsPatch} from './original-leftovers.js'
import {contentIn, expectsAbsence, nameIn, uidIn, withoutFields} from './operation-parts.js'

/** The server's answer to the dry run of an operation. */
export type Checked =
  /** `object` is what the server would store; absent for deletions and inventories. */
  | {readonly kind: 'accepted'; readonly object?: KubernetesObject}
  /** The server cannot judge the operation yet; `why` completes "not checked by the server: ". */
  | {readonly kind: 'unchecked'; readonly why: string}
  /** Validation, admission, quota or permissions; `message` is the server's text, and untrusted. */
  | {readonly kind: 'rejected'; readonly message: string}

/** What operations of a plan depend on that cannot be checked before. */
export interface EarlierChanges {
  /** The objects, by `objectKey`, that the plan creates. */
  readonly created: ReadonlySet<string>
  /** The operations on CRDs whose custom resources the plan migrates before. */
  readonly migrated: ReadonlySet<Operation>
}

/** Returns what operations of a plan depend on. */
export function earlierChanges({operations}: Pick<Plan, 'operations'>): EarlierChanges {
  const creating = operations.filter(operation => operation.action !== 'wait' && expectsAbsence(operation))
  const migrations = operations.filter(({action}) => action === 'migrate')
  const after = migrations.flatMap(migration => {
    const key = objectKey(nameIn(migration))
    const later = operations.slice(operations.indexOf(migration) + 1)
    return later.filter(operation => operation.action === 'apply' && objectKey(nameIn(operation)) === key)
  })
  return {
    created: new Set(creating.map(operation => objectKey(nameIn(operation)))),
    migrated: new Set([...migrations, ...after]),
  }
}

/**
 * Sends one operation of a plan as a dry run, with admission, quota and validation; changes nothing. Throws the errors of
 * the API if the server rejects the user, not the operation.
 */
export async function dryRunOperation(
  operation: Operation,
  earlier: EarlierChanges,
  api: ClusterApi,
): Promise<Checked> {
  const why = await whyUnchecked(operation, earlier, api)
  if (why !== undefined) return {kind: 'unchecked', why}
  try {
    const object = await send(operation, api)
    return {kind: 'accepted', ...present({object})}
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined || [401, 429].includes(failure.status)) throw error
    // An example is the role of a new binding, which is created right before it.
    if (failure.status === 404) return {kind: 'unchecked', why: 'it depends on objects that do not exist yet'}
    return {kind: 'rejected', message: failure.serverMessage}
  }
}

async function whyUnchecked(
  operation: Operation,
  {created, migrated}: EarlierChanges,
  api: ClusterApi,
): Promise<string | undefined> {
  const {apiVersion, kind, namespace} = nameIn(operation)
  const {action} = operation
  if (migrated.has(operation)) return 'the versions of the CRD change one after another'
  if (action === 'replace') return 'the object is deleted before it is created again'
  if (action === 'claim' && created.has(objectKey(nameIn(operation)))) {
    return 'the object is created by the same plan'
  }
  if ((await api.resource({apiVersion, kind})) === undefined) return `the cluster does not serve ${kind} yet`
  const place = {apiVersion: 'v1', kind: 'Namespace', name: namespace ?? ''}
  const isPlaceNew = namespace !== undefined && created.has(objectKey(place))
  return isPlaceNew ? `namespace ${namespace} does not exist yet` : undefined
}

async function send(operation: Operation, api: ClusterApi): Promise<KubernetesObject | undefined> {
  const {action, manager = CONTENT_MANAGER, force} = operation
  const object = nameIn(operation)
  const options = {manager, dryRun: true as const, ...(force === true ? {force} : {})}
  switch (action) {
    case 'create-only': {
      const made = await api.create(contentIn(operation), options)
      return made === 'exists' ? undefined : made.object
    }
    case 'apply':
      if (isInventoryOperation(operation)) return await sendInventory(operation, api)
      return (await api.apply(contentIn(operation), options)).object
    case 'claim':
      return (await api.apply(contentIn(operation), options)).object
    case 'unclaim':
      return await sendUnclaim(operation, options, api)
    case 'delete':
      await api.delete(object, {uid: uidIn(operation), dryRun: true})
      return undefined
    default:
      throw new RangeError(`${action} has no dry run`)
  }
}

async function sendUnclaim(
  operation: Operation,
  options: {readonly manager: string; readonly dryRun: true},
  api: ClusterApi,
): Promise<KubernetesObject> {
  const {labels} = operation
  const object = nameIn(operation)
  if (labels !== undefined) await api.mergePatch(object, labelsPatch(labels), options)
  return (await api.apply(withoutFields(object), options)).object
}

async function sendInventory({content = ''}: Operation, api: ClusterApi): Promise<undefined> {
  for (const configMap of inventoryConfigMaps(readInventory(content, 'the plan'))) {
    await api.apply(configMap, {manager: CONTENT_MANAGER, force: true, dryRun: true})
  }
}
