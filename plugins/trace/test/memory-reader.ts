import {CrossplaneError} from 'kubectl-crossplane/plugin'
import type {
  ApiResource,
  ClusterReader,
  KubernetesObject,
  ObjectName,
  ResourceKind,
} from 'kubectl-crossplane/plugin'
import {kindsIn} from '../src/kinds.js'
import type {TracePorts} from '../src/trace.js'

/** A kind for tests; namespaced, with a status. */
export function kind(group: string, name: string, more: Partial<ApiResource> = {}): ApiResource {
  return {
    group,
    version: 'v1',
    kind: name,
    plural: `${name.toLowerCase()}s`,
    namespaced: true,
    verbs: ['get', 'list'],
    shortNames: [],
    hasStatus: true,
    ...more,
  }
}

interface Memory extends TracePorts {
  /** `get Secret a/b`, `list Secret in a`. */
  readonly requests: readonly string[]
}

/** A cluster of these objects; `denied` are kinds that the user must not read. */
export function memoryReader(
  resources: readonly ApiResource[],
  objects: readonly KubernetesObject[],
  denied: readonly string[] = [],
): Memory {
  const requests: string[] = []
  const isKind = (object: ResourceKind, {apiVersion, kind: name}: ResourceKind) =>
    object.apiVersion === apiVersion && object.kind === name
  const check = (verb: string, name: string) => {
    if (denied.includes(name))
      throw new CrossplaneError('cluster-denied', `cannot ${verb} ${name}: permission denied`)
  }
  const reader: Pick<ClusterReader, 'get' | 'list'> = {
    get: ({apiVersion, kind: name, namespace, name: of}: ObjectName, {metadataOnly = false} = {}) => {
      requests.push(`get ${name} ${namespace ?? ''}/${of}${metadataOnly ? ' (metadata)' : ''}`)
      return Promise.resolve().then(() => {
        check('get', name)
        return objects.find(
          each =>
            isKind(each, {apiVersion, kind: name}) &&
            each.metadata.name === of &&
            each.metadata.namespace === namespace,
        )
      })
    },
    async *list(of, {namespace} = {}) {
      requests.push(`list ${of.kind} in ${namespace ?? ''}`)
      await Promise.resolve()
      check('list', of.kind)
      yield* objects.filter(
        each => isKind(each, of) && (namespace ?? each.metadata.namespace) === each.metadata.namespace,
      )
    },
  }
  // The trace uses these two only.
  return {reader: reader as ClusterReader, kinds: kindsIn({resources}), requests}
}
