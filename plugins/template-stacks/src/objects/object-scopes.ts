import {asObject, asText, BUILTIN_KINDS, type JsonObject, type PackageCrd} from 'kubectl-crossplane/plugin'

/** Whether objects of a kind are in a namespace; undefined for an unknown kind. */
export type ScopeOf = (group: string, kind: string) => 'Cluster' | 'Namespaced' | undefined

/** Knows the kinds of Kubernetes, and those of CRDs. */
export function scopesOf(crds: readonly PackageCrd[]): ScopeOf {
  const scopes = new Map(BUILTIN_KINDS.map(({group, kind, scope}) => [`${kind}.${group}`, scope]))
  for (const {object, definition} of crds)
    scopes.set(`${definition.kind}.${definition.group}`, scopeIn(asObject(object.spec)))
  return (group, kind) => scopes.get(`${kind}.${group}`)
}

/** An absent or empty scope means Namespaced. */
function scopeIn({scope}: JsonObject): 'Cluster' | 'Namespaced' {
  return asText(scope) === 'Cluster' ? 'Cluster' : 'Namespaced'
}
