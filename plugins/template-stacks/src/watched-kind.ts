import {
  asObject,
  asObjects,
  asText,
  convertCrd,
  groupOf,
  isJsonObject,
  type JsonObject,
  type PackageCrd,
  versionOf,
} from 'kubectl-crossplane/plugin'

/** A kind whose resources a package renders, as its CRD defines it. */
export interface WatchedKind {
  readonly apiVersion: string
  readonly group: string
  readonly kind: string
  /** The versions that the CRD serves. */
  readonly versions: readonly string[]
  /** Absent if the package does not contain the CRD. */
  readonly scope?: 'Cluster' | 'Namespaced'
  /** The structural schema of the watched version. */
  readonly schema?: JsonObject
}

/** Finds the CRD of a kind among those of a package. */
export function watchedKind(
  {apiVersion, kind}: {readonly apiVersion: string; readonly kind: string},
  crds: readonly PackageCrd[],
): WatchedKind {
  const group = groupOf(apiVersion)
  const version = versionOf(apiVersion)
  const owned = crds.find(({definition}) => definition.group === group && definition.kind === kind)
  if (owned === undefined) return {apiVersion, group, kind, versions: [version]}
  const {spec} = convertCrd(owned.object, {nonStructural: 'preserve'}).crd
  const {versions, scope} = asObject(spec)
  const served = asObjects(versions).filter(each => each.served === true)
  const schema = asObject(served.find(({name}) => name === version)?.schema).openAPIV3Schema
  return {
    apiVersion,
    group,
    kind,
    versions: served.map(({name}) => asText(name)),
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    ...(isJsonObject(schema) ? {schema} : {}),
  }
}
