import type {ClusterApi} from '../cluster/api/cluster-api.js'
import type {ApiResource} from '../cluster/api/discovery.js'
import {objectKey} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {asObject, asObjects, type JsonObject} from '../yaml/json-value.js'
import {isCrd, listCrds} from './list-crds.js'
import {readObjects} from './observe-cluster.js'

/**
 * Reads the objects that exist, each once. Of CRDs only what shows their users and instances: metadata, names, scope and served
 * versions, which one list and discovery have of all. Throws what the API throws.
 */
export async function readOutlines(
  names: readonly ObjectName[],
  api: ClusterApi,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const crds = names.filter(isCrd)
  const others = names.filter(name => !isCrd(name))
  const [live, listed, {resources}] = await Promise.all([
    readObjects(others, api),
    listCrds(crds, api),
    api.discover(),
  ])
  const served = new Map(resources.toReversed().map(each => [`${each.plural}.${each.group}`, each]))
  const outlines = new Map<string, KubernetesObject>()
  for (const [key, crd] of listed ?? []) {
    const resource = served.get(crd.metadata.name)
    if (resource !== undefined) outlines.set(key, {...crd, spec: specOf(resource)})
  }
  const unserved = crds.filter(name => {
    const key = objectKey(name)
    return !outlines.has(key) && listed?.has(key) !== false
  })
  for (const [key, crd] of await readObjects(unserved, api, outlineOf)) outlines.set(key, crd)
  return new Map([...live, ...outlines])
}

function specOf({group, version, kind, plural, namespaced}: ApiResource): JsonObject {
  return {
    group,
    names: {kind, plural},
    scope: namespaced ? 'Namespaced' : 'Cluster',
    versions: [{name: version, served: true}],
  }
}

function outlineOf({spec, apiVersion, kind, metadata}: KubernetesObject): KubernetesObject {
  const {group = null, names, scope = null, versions} = asObject(spec)
  const {kind: defined = null, plural = null} = asObject(names)
  return {
    apiVersion,
    kind,
    metadata,
    spec: {
      group,
      names: {kind: defined, plural},
      scope,
      versions: asObjects(versions).map(({name = null, served = null}) => ({name, served})),
    },
  }
}
