import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {ApiResource} from '../../cluster/api/discovery.js'
import {isEstablished} from '../../health/readiness/readiness.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {listCrds} from './list-crds.js'
import {readLive, readObjects} from './read-live.js'

/**
 * Reads the objects that exist, each once. Of CRDs, only the parts that show their users and instances: metadata,
 * names, scope and served versions, which one list and discovery have for all of them. Throws the errors of the API.
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
  const served = new Map(
    resources.toReversed().map(resource => [`${resource.plural}.${resource.group}`, resource]),
  )
  const outlines = new Map<string, KubernetesObject>()
  for (const [key, crd] of listed ?? []) {
    const resource = served.get(crd.metadata.name)
    if (resource !== undefined) outlines.set(key, {...crd, spec: specOf(resource)})
  }
  const unserved = crds.filter(name => {
    const key = objectKey(name)
    return !outlines.has(key) && listed?.has(key) !== false
  })
  for (const [key, crd] of await readLive(unserved, async name => outlined(await api.get(name))))
    outlines.set(key, await asServed(crd, api))
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

/** Leaves to an established CRD only the versions in which its instances can be listed. */
async function asServed(crd: KubernetesObject, api: ClusterApi): Promise<KubernetesObject> {
  if (!isEstablished(crd)) return crd
  const spec = asObject(crd.spec)
  const kind = asText(asObject(spec.names).kind)
  const isServed = async ({name, served}: JsonObject) => {
    const apiVersion = `${asText(spec.group)}/${asText(name)}`
    return served === true && (await api.resource({apiVersion, kind}, true)) !== undefined
  }
  const versions = await Promise.all(
    asObjects(spec.versions).map(async object => ({...object, served: await isServed(object)})),
  )
  return {...crd, spec: {...spec, versions}}
}

function outlined(object: KubernetesObject | undefined): KubernetesObject | undefined {
  return object && outlineOf(object)
}

function outlineOf({spec, apiVersion, kind, metadata, status}: KubernetesObject): KubernetesObject {
  const {group = null, names, scope = null, versions} = asObject(spec)
  const {kind: defined = null, plural = null} = asObject(names)
  return {
    apiVersion,
    kind,
    metadata,
    status: {conditions: asObject(status).conditions ?? []},
    spec: {
      group,
      names: {kind: defined, plural},
      scope,
      versions: asObjects(versions).map(({name = null, served = null}) => ({name, served})),
    },
  }
}
