import type {AccessReview} from '../../../cluster/api/access-reviews.js'
import {apiVersionOf} from '../../../cluster/api/discovery.js'
import type {ApiResource, Discovery} from '../../../cluster/api/discovery.js'
import {leaseName} from '../../../cluster/lease/lease-object.js'
import type {Inventory} from '../../../cluster/inventory/inventory.js'
import type {SystemRole} from '../../../cluster/inventory/system-role.js'
import {isOneConfigMap} from '../../../cluster/inventory/inventory-config-maps.js'
import {readInventory} from '../../../cluster/inventory/inventory-document.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {present} from '../../../present.js'
import {ERAS, pluralOf} from '../../../render/era.js'
import {RBAC_GROUP} from '../../../render/rbac.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText} from '../../../yaml/json-value.js'
import {parseExactJson} from '../../../yaml/exact-json.js'
import type {Operation, Plan} from '../../plan.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {annotatedRequest} from '../uninstall/confirmed-instances.js'
import {type Grant, grantsOf, roleGrants} from './granted-access.js'
import {isInstanceRemoval, isInstanceWait} from '../objects/instance-removal.js'
import {inventoryObject, isInventoryOperation} from '../inventories/inventory-operations.js'
import {groupOf, objectKey} from '../../../kubernetes/object-key.js'

/** The permissions that a change requires. */
export interface NeededAccess {
  readonly reviews: readonly AccessReview[]
  /**
   * The permissions that roles and bindings give to controllers: RBAC lets users grant only permissions that they have.
   */
  readonly grants: readonly Grant[]
  readonly creations: readonly Creation[]
}

/**
 * The creation of an object that is never changed: a Namespace or one of the base. An administrator can create it instead
 * of giving the user the permission, which is far-reaching for most of them.
 */
export interface Creation {
  readonly object: KubernetesObject
  readonly review: AccessReview
  readonly grant?: Grant
}

/** Returns the permissions to apply a plan; kinds that are neither served nor created by it are left out. */
export function neededAccess(
  {operations}: Pick<Plan, 'operations'>,
  snapshot: Pick<ClusterSnapshot, 'live' | 'inventories'> & Partial<Pick<ClusterSnapshot, 'roles'>>,
  discovery: Discovery,
): NeededAccess {
  const resourceOf = resourcesIn(operations, discovery)
  const grants = grantsOf(operations, snapshot)
  const changes = operations.filter(({action}) => action !== 'create-only')
  const creations = operations.flatMap(operation => creationOf(operation, grants.get(operation), resourceOf))
  const annotated = annotatedRequest(operations)
  const witnesses = operations.flatMap(operation => witnessRoles(operation, operations, snapshot))
  return {
    reviews: [
      ...creations.flatMap(creation => [readOf(creation), ...packageList(creation)]),
      ...changes.flatMap(operation =>
        isInventoryOperation(operation)
          ? inventoryAccess(operation, snapshot)
          : operationAccess(operation, snapshot, resourceOf),
      ),
      ...witnesses.map(({role}) => patchOfRole(role)),
      ...(annotated === undefined ? [] : annotationAccess(annotated, resourceOf)),
    ],
    grants: [
      ...changes.flatMap(operation => grants.get(operation) ?? []),
      ...witnesses.flatMap(({role}) => roleGrants(role, snapshot)),
    ],
    creations,
  }
}

/** The system roles that get the witness of an inventory, but that the operations do not apply themselves. */
function witnessRoles(
  operation: Operation,
  operations: readonly Operation[],
  {roles}: Partial<Pick<ClusterSnapshot, 'roles'>>,
): readonly SystemRole[] {
  const {object, content} = operation
  if (!isInventoryOperation(operation) || object === undefined || content === undefined) return []
  const all = [...(roles?.values() ?? [])].flat().filter(({isApplied}) => isApplied)
  const applied = new Set(
    operations.flatMap(other => (other.action === 'apply' && other.object ? [other.object.name] : [])),
  )
  return all.filter(role => {
    const {namespace, name} = inventoryObject(role)
    return namespace === object.namespace && name === object.name && !applied.has(role.role)
  })
}

function patchOfRole(name: string): AccessReview {
  return {verb: 'patch', group: RBAC_GROUP, resource: 'clusterroles', name}
}

function readOf({object, review}: Creation): AccessReview {
  return {...review, verb: 'get', name: object.metadata.name}
}

/** Once the API of packages exists, the next command reads its objects. */
function packageList({object: {kind, metadata}}: Creation): AccessReview[] {
  const kinds = Object.values(ERAS).flatMap(era =>
    [era.kinds.clusterRequest, era.kinds.namespacedRequest, era.kinds.record].map(
      text => `${pluralOf(text)}.${era.group}`,
    ),
  )
  const isRead = isCrd({kind}) && kinds.includes(metadata.name)
  return isRead ? [instanceList(metadata)] : []
}

function creationOf(operation: Operation, grant: Grant | undefined, resourceOf: ResourceOf): Creation[] {
  const {action, object, content} = operation
  const resource = object && resourceOf(object)
  if (action !== 'create-only' || resource === undefined || content === undefined) return []
  const {group, plural, namespaced} = resource
  const place = namespaced ? {namespace: object?.namespace ?? ''} : {}
  return [
    {
      object: parseExactJson(content) as KubernetesObject,
      review: {verb: 'create', group, resource: plural, ...place},
      ...present({grant}),
    },
  ]
}

type Resource = Pick<ApiResource, 'group' | 'plural' | 'namespaced'>
type ResourceOf = (object: Pick<ObjectName, 'apiVersion' | 'kind'>) => Resource | undefined

/** The resources of kinds, also of those that CRDs of the same operations define. */
function resourcesIn(operations: readonly Operation[], discovery: Discovery): ResourceOf {
  const created = operations.filter(({object}) => isCrd(object))
  // CRDs are large: only those of groups that are needed are read.
  const resourcesByVersion = new Map<string, ReadonlyMap<string, Resource>>()
  return ({apiVersion, kind}) => {
    const resource = discovery.find(apiVersion, kind)
    if (resource !== undefined) return resource
    const group = groupOf(apiVersion)
    const defined =
      resourcesByVersion.get(group) ?? new Map(created.filter(isOfGroup(group)).flatMap(definedIn))
    resourcesByVersion.set(group, defined)
    return defined.get(`${apiVersion} ${kind}`)
  }
}

function isOfGroup(group: string): (crd: Operation) => boolean {
  return ({object}) => object?.name.endsWith(`.${group}`) === true
}

function definedIn({content}: Operation): [string, Resource][] {
  if (content === undefined) return []
  const {group, names, scope, versions} = asObject(asObject(parseExactJson(content)).spec)
  const {kind, plural} = asObject(names)
  const resource = {group: asText(group), plural: asText(plural), namespaced: scope === 'Namespaced'}
  return asObjects(versions).map(({name}) => [
    `${apiVersionOf({...resource, version: asText(name)})} ${asText(kind)}`,
    resource,
  ])
}

function operationAccess(
  operation: Operation,
  {live}: Pick<ClusterSnapshot, 'live'>,
  resourceOf: ResourceOf,
): AccessReview[] {
  const {object} = operation
  const resource = object && resourceOf(object)
  if (object === undefined || resource === undefined) return []
  const {group, plural} = resource
  const place = resource.namespaced ? {namespace: object.namespace ?? ''} : {}
  // There can be many, so that their names are left out.
  if (isInstanceRemoval(operation)) return [{verb: 'delete', group, resource: plural, ...place}]
  if (isInstanceWait(operation)) return [{verb: 'get', group, resource: plural, ...place}]
  const on = (verb: string): AccessReview => ({verb, group, resource: plural, ...place, name: object.name})
  if (operation.action === 'migrate') return [on('get'), ...migrationAccess(object, on('patch'))]
  return [on('get'), ...verbsOf(operation).map(on), ...instanceAccess(operation, live.get(objectKey(object)))]
}

/** The permission to record the instances that are deleted on a request. */
function annotationAccess({object}: Operation, resourceOf: ResourceOf): AccessReview[] {
  const resource = object && resourceOf(object)
  if (object === undefined || resource === undefined) return []
  const {namespace = '', name} = object
  return [{verb: 'patch', group: resource.group, resource: resource.plural, namespace, name}]
}

/** The server authorizes the creation of an object by server-side apply with its name, unlike other creations. */
function verbsOf({action, precondition, finalizers}: Operation): readonly string[] {
  switch (action) {
    case 'apply':
      return precondition !== undefined && 'absent' in precondition ? ['patch', 'create'] : ['patch']
    case 'replace':
      return ['delete', 'patch', 'create']
    case 'claim':
    case 'unclaim':
      return ['patch']
    case 'delete':
      return finalizers === undefined ? ['delete'] : ['delete', 'patch']
    default:
      return []
  }
}

/** Before a CRD is deleted, its instances are listed. */
function instanceAccess({action, object}: Operation, live: unknown): AccessReview[] {
  if (object === undefined || !isCrd(object) || (action !== 'delete' && action !== 'replace')) return []
  return live === undefined ? [] : [instanceList(object)]
}

/** The permissions to write the custom resources of a CRD, and to record their version. */
function migrationAccess(crd: ObjectName, patch: AccessReview): AccessReview[] {
  const list = instanceList(crd)
  return [list, {...list, verb: 'patch'}, {...patch, subresource: 'status'}]
}

/** The permission to list the instances of a CRD, whose name is `PLURAL.GROUP`. */
export function instanceList({name}: Pick<ObjectName, 'name'>): AccessReview {
  const dot = name.indexOf('.')
  return {verb: 'list', group: name.slice(dot + 1), resource: name.slice(0, dot)}
}

/**
 * An inventory, which is marked before it is removed, and the Lease of its namespace. Further ConfigMaps of a large
 * inventory have names that are not known yet.
 */
function inventoryAccess(
  {object, content}: Operation,
  {inventories}: Pick<ClusterSnapshot, 'inventories'>,
): AccessReview[] {
  const {namespace = '', name = ''} = object ?? {}
  const before = inventories.find(({install}) => {
    const other = inventoryObject(install)
    return other.namespace === namespace && other.name === name
  })
  const after = content === undefined ? undefined : readInventory(content, `${namespace}/${name}`)
  const configMap = {group: '', resource: 'configmaps', namespace}
  const names = [before, after].every(
    inventory => inventory === undefined || isOneConfigMap(filled(inventory)),
  )
    ? {name}
    : {}
  const verbs = content === undefined ? ['get', 'patch', 'delete'] : ['get', 'patch', 'create']
  const more = 'name' in names ? [] : ['create', 'delete'].filter(verb => !verbs.includes(verb))
  return [...[...verbs, ...more].map(verb => ({verb, ...configMap, ...names})), ...leaseAccess(namespace)]
}

/** An inventory with everything that it can have once its objects are applied. */
function filled(inventory: Inventory): Inventory {
  const [uid, hash] = ['0'.repeat(36), '0'.repeat(64)]
  const objects = inventory.objects.map(object => ({...object, uid, sent: hash, read: hash, created: true}))
  return {...inventory, objects}
}

/** The permissions for the Lease of a namespace. */
export function leaseAccess(namespace: string): AccessReview[] {
  const {name} = leaseName(namespace)
  const lease = {group: 'coordination.k8s.io', resource: 'leases', namespace}
  return [{verb: 'create', ...lease}, ...['get', 'update', 'delete'].map(verb => ({verb, ...lease, name}))]
}
