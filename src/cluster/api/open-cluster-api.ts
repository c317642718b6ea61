import {CrossplaneError} from '../../errors.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {present} from '../../present.js'
import {escaped} from '../../text.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../../yaml/json-value.js'
import type {Connection} from '../connection.js'
import {readUser, reviewAccess, reviewAccount} from './access-reviews.js'
import type {ClusterApi, DeleteOptions, ListOptions, ResourceKind, ServerVersion} from './cluster-api.js'
import {failureOf} from './cluster-failure.js'
import type {ApiResource} from './discovery.js'
import {listObjects} from './list.js'
import {readLog} from './pod-log.js'
import {receivedItem, receivedObject} from './received-object.js'
import {METADATA_OF_OBJECT} from './media-types.js'
import {canBeInPath, objectPath, resourceName} from './resource-path.js'
import {senderFor} from './sender.js'
import type {ApiRequest, Sender, SenderOptions} from './sender.js'
import {servedKinds} from './served-kinds.js'
import type {ServedKinds} from './served-kinds.js'
import {watchObjects} from './watch.js'
import {deletion, write, writeQuery} from './write.js'

/** Creates a client; nothing is sent yet. */
export function openClusterApi(connection: Connection, options: SenderOptions): ClusterApi {
  const sender = senderFor(connection, options)
  const kinds = servedKinds(sender)
  const target = targets(kinds, connection.namespace)
  return {
    version: () => readVersion(sender),
    discover: kinds.discover,
    resource: kinds.find,
    get: (name, {metadataOnly = false} = {}) => get(sender, kinds, target, {name, metadataOnly}),
    list: (kind, listed = {}) =>
      ifServed(kinds, kind, resource => listObjects(sender, resource, listed), listed),
    watch: (kind, watched) =>
      ifServed(kinds, kind, resource => watchObjects({sender, clock: options.clock, resource}, watched)),
    log: async (pod, options) => await readLog(sender, await target('read the log of', 'get', pod), options),
    allowed: reviews => reviewAccess(sender, reviews),
    isAccountAllowed: (account, review) => reviewAccount(sender, account, review),
    user: () => readUser(sender),
    now: () => sender.now(),
    delete: (name, deleted = {}) => remove(sender, kinds, target, name, deleted),
    ...writes(sender, target),
  }
}

type Writes = Pick<ClusterApi, 'apply' | 'create' | 'update' | 'mergePatch'>

function writes(sender: Sender, target: Targets): Writes {
  return {
    apply: async (object, options) => {
      const at = await target('apply', 'patch', nameOf(object))
      const type = 'application/apply-patch+yaml'
      const accept = options.metadataOnly === true ? METADATA_OF_OBJECT : undefined
      const query = writeQuery(options)
      return write(sender, {...at, method: 'PATCH', type, accept, body: object, query}, object)
    },
    create: async (object, options) => {
      const {path, ...at} = await target('create', 'create', nameOf(object))
      const collection = path.slice(0, path.lastIndexOf('/'))
      const query = writeQuery(options)
      try {
        return await write(sender, {...at, path: collection, method: 'POST', body: object, query}, object)
      } catch (error) {
        if (failureOf(error)?.reason === 'AlreadyExists') return 'exists'
        throw error
      }
    },
    update: async (object, options) => {
      const at = await target('update', 'update', nameOf(object))
      return write(sender, {...at, method: 'PUT', body: object, query: writeQuery(options)}, object)
    },
    mergePatch: async (name, patch, options) => {
      const at = await target('patch', 'patch', name)
      const path = options.subresource === undefined ? at.path : `${at.path}/${options.subresource}`
      const type = 'application/merge-patch+json'
      const query = writeQuery(options)
      return write(sender, {...at, path, method: 'PATCH', type, body: patch, query}, name)
    },
  }
}

/** Returns the request for an action on an object. Throws `not-found` for a kind that is not served. */
type Targets = (action: string, verb: string, name: ObjectName) => Promise<Omit<ApiRequest, 'method'>>

function targets(kinds: ServedKinds, defaultNamespace: string): Targets {
  return async (action, verb, {apiVersion, kind, namespace, name}) => {
    const resource = await kinds.find({apiVersion, kind})
    if (resource === undefined) throw notServed(action, {apiVersion, kind})
    const within = namespace ?? defaultNamespace
    const where = resource.namespaced ? {namespace: within} : {}
    const shown = resource.namespaced ? `${within}/${name}` : name
    return {
      path: objectPath(resource, within, name),
      aim: escaped(`${action} ${kind} ${shown}`),
      verb,
      resource: resourceName(resource),
      ...where,
    }
  }
}

interface Reading {
  readonly name: ObjectName
  readonly metadataOnly: boolean
}

async function get(sender: Sender, kinds: ServedKinds, target: Targets, {name, metadataOnly}: Reading) {
  const resource = await kinds.find(name)
  if (resource === undefined || !canExist(resource, name)) return undefined
  const accept = metadataOnly ? METADATA_OF_OBJECT : undefined
  const request = {...(await target('read', 'get', name)), method: 'GET', accept} as const
  try {
    const {body} = await sender.send(request)
    // Metadata comes without the kind of its object.
    return (metadataOnly ? receivedItem : receivedObject)(body, name, request.aim)
  } catch (error) {
    if (failureOf(error)?.status === 404) return undefined
    throw error
  }
}

/** Inventories and labels can have any text as a name. */
function canExist({namespaced}: ApiResource, {namespace, name}: ObjectName): boolean {
  return canBeInPath(name) && (!namespaced || namespace === undefined || canBeInPath(namespace))
}

async function remove(
  sender: Sender,
  kinds: ServedKinds,
  target: Targets,
  name: ObjectName,
  options: DeleteOptions,
): Promise<'deleted' | 'absent'> {
  if ((await kinds.find(name)) === undefined) return 'absent'
  const request = await target('delete', 'delete', name)
  try {
    await sender.send({...request, method: 'DELETE', body: deletion(options)})
    return 'deleted'
  } catch (error) {
    if (failureOf(error)?.status === 404) return 'absent'
    throw error
  }
}

async function* ifServed<T>(
  kinds: ServedKinds,
  kind: ResourceKind,
  act: (resource: ApiResource) => AsyncIterable<T>,
  {mustBeServed = false}: ListOptions = {},
): AsyncGenerator<T, void, undefined> {
  const resource = await kinds.find(kind)
  if (resource !== undefined) yield* act(resource)
  else if (mustBeServed) throw notServed('list', kind)
}

function notServed(action: string, {apiVersion, kind}: ResourceKind): CrossplaneError {
  const what = escaped(`${kind} of ${apiVersion}`)
  return new CrossplaneError('not-found', `cannot ${action} ${what}: not served by the cluster`)
}

function nameOf({apiVersion, kind, metadata: {namespace, name}}: KubernetesObject): ObjectName {
  return {apiVersion, kind, ...present({namespace}), name}
}

async function readVersion(sender: Sender): Promise<ServerVersion> {
  const aim = 'read the version of the cluster'
  const {body} = await sender.send({method: 'GET', path: 'version', aim, verb: 'get'})
  const {gitVersion, major, minor} = asObject(body)
  // Some servers have a minor of `20+`.
  const [first, second] = [major, minor].map(text => /^\d{1,4}/.exec(asText(text))?.[0])
  if (first !== undefined && second !== undefined) {
    return {gitVersion: asText(gitVersion), major: Number(first), minor: Number(second)}
  }
  throw new CrossplaneError('cluster-failed', `cannot ${aim}: the response has no version`)
}
