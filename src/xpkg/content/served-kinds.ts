import {singularName} from '../../kubernetes/singular-name.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import type {ObjectRole} from './object-kinds.js'
import type {ServedKind} from './xpkg.js'

/** Returns the CRDs that a CRD, MRD or XRD leads to; the names of an XRD's claims are those of another one. */
export function servedKinds(role: ObjectRole, apiVersion: string, spec: JsonObject): readonly ServedKind[] {
  const own = servedKind(asObject(spec.names), scopeOf(role, apiVersion, spec), spec)
  const claims = asObject(spec.claimNames)
  const isClaimed = role === 'xrd' && asText(claims.plural) !== ''
  return isClaimed ? [own, servedKind(claims, 'Namespaced', spec)] : [own]
}

function servedKind(names: JsonObject, scope: ServedKind['scope'], spec: JsonObject): ServedKind {
  const versions = asObjects(spec.versions)
  const stored = versions.find(({storage, referenceable}) => storage === true || referenceable === true)
  return {
    group: asText(spec.group),
    kind: asText(names.kind),
    plural: asText(names.plural),
    singular: singularName(names),
    scope,
    served: versions.flatMap(({name, served}) => (served === true ? [asText(name)] : [])),
    stored: asText((stored ?? versions[0])?.name) || asText(spec.version),
  }
}

/** Composites of XRDs v1 are of cluster scope; from v2 on, Namespaced is the default. */
function scopeOf(role: ObjectRole, apiVersion: string, {scope}: JsonObject): ServedKind['scope'] {
  if (scope === 'Cluster' || scope === 'LegacyCluster') return 'Cluster'
  return role === 'xrd' && apiVersion.endsWith('/v1') ? 'Cluster' : 'Namespaced'
}
