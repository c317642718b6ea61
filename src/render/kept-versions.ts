import {isCrd} from '../kubernetes/crd-kind.js'
import {asObject, asObjects, type JsonObject} from '../yaml/json-value.js'
import type {InstallSet} from './install-set.js'

/** Adds versions to the CRDs of a set, by their name, which are served and in which nothing is stored. */
export function servingVersions<Set extends InstallSet>(
  set: Set,
  kept: ReadonlyMap<string, readonly JsonObject[]>,
): Set {
  if (kept.size === 0) return set
  const objects = set.objects.map(setObject => {
    const {object} = setObject
    const versions =
      isCrd(object) && object.apiVersion.endsWith('/v1') ? kept.get(object.metadata.name) : undefined
    if (versions === undefined) return setObject
    const spec = asObject(object.spec)
    const own = asObjects(spec.versions)
    const added = versions
      .filter(version => !own.some(({name}) => name === version.name))
      .map(version => ({...version, served: true, storage: false}))
    return {...setObject, object: {...object, spec: {...spec, versions: [...own, ...added]}}}
  })
  return {...set, objects}
}
