import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import type {ApiResource} from './discovery.js'
import {rootOf} from './read-discovery.js'

/** Returns the path of a resource in a namespace; without one, that of all namespaces. */
export function collectionPath(resource: ApiResource, namespace: string | undefined): string {
  const within = resource.namespaced && namespace !== undefined ? `/namespaces/${segment(namespace)}` : ''
  return `${rootOf(resource)}${within}/${resource.plural}`
}

/** Returns the path of an object. Throws `cluster-rejected` for a name that cannot be in a path. */
export function objectPath(resource: ApiResource, namespace: string, name: string): string {
  return `${collectionPath(resource, namespace)}/${segment(name)}`
}

/** `deployments.apps`, as RBAC and kubectl name a resource. */
export function resourceName({plural, group}: ApiResource): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** Reports whether an object can have that name: API servers accept none that cannot be in a path. */
export function canBeInPath(name: string): boolean {
  // URLs drop the segments `.` and `..`, and servers read an encoded `/` as one that separates subresources.
  return !['', '.', '..'].includes(name) && !/[/%]/.test(name)
}

function segment(name: string): string {
  if (canBeInPath(name)) return encodeURIComponent(name)
  throw new CrossplaneError('cluster-rejected', `invalid object name ${quoted(name)}`)
}
