import {asObject, asObjects, asText, asTexts} from '../../yaml/json-value.js'
import type {JsonObject, JsonValue} from '../../yaml/json-value.js'

/** The resource by which a server serves a kind. */
export interface ApiResource {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  /** Whether the kind has the subresource `status`, which a controller writes. */
  readonly hasStatus: boolean
}

/** The kinds that a server serves, without subresources. */
export interface Discovery {
  readonly resources: readonly ApiResource[]
  /** Groups and versions, as `GROUP/VERSION`, whose own server did not answer: their resources are unknown. */
  readonly unavailable: readonly string[]
  find(apiVersion: string, kind: string): ApiResource | undefined
  /** The served versions of a group, the preferred one first; none for a group that is not served. */
  versions(group: string): readonly string[]
}

/** One version of a group. `resources` is undefined where its server did not answer. */
export interface GroupVersion {
  readonly group: string
  readonly version: string
  readonly resources: readonly ApiResource[] | undefined
}

/** Indexes the discovered groups and versions. */
export function discoveryOf(all: readonly GroupVersion[]): Discovery {
  const resources = all.flatMap(version => version.resources ?? [])
  const resourcesByKind = new Map(
    resources.map(resource => [`${apiVersionOf(resource)} ${resource.kind}`, resource]),
  )
  return {
    resources,
    unavailable: all.filter(version => version.resources === undefined).map(apiVersionOf),
    find: (apiVersion, kind) => resourcesByKind.get(`${apiVersion} ${kind}`),
    versions: group => all.filter(version => version.group === group).map(({version}) => version),
  }
}

/** `apps/v1`; `v1` for the core group. */
export function apiVersionOf({group, version}: Pick<ApiResource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

/** Splits `apps/v1`. */
export function groupVersionOf(apiVersion: string): Pick<ApiResource, 'group' | 'version'> {
  const [first = '', second] = apiVersion.split('/')
  return second === undefined ? {group: '', version: first} : {group: first, version: second}
}

/**
 * Reads an APIGroupDiscoveryList; undefined for any other document, such as that of a server without support for it.
 */
export function aggregatedIn(body: JsonValue): readonly GroupVersion[] | undefined {
  const document = asObject(body)
  if (document.kind !== 'APIGroupDiscoveryList') return undefined
  return asObjects(document.items).flatMap(item => {
    const group = asText(asObject(item.metadata).name)
    return asObjects(item.versions).map(object => {
      const version = asText(object.version)
      const isStale = object.freshness === 'Stale'
      return {group, version, resources: isStale ? undefined : aggregatedResources({group, version}, object)}
    })
  })
}

type Parent = Pick<ApiResource, 'group' | 'version'>

function aggregatedResources(parent: Parent, {resources}: JsonObject): readonly ApiResource[] {
  return asObjects(resources).flatMap(({resource, responseKind, scope, subresources, ...more}) => {
    const kind = asText(asObject(responseKind).kind)
    const hasStatus = asObjects(subresources).some(object => object.subresource === 'status')
    return resourceIn(parent, {...more, name: resource, kind, namespaced: scope === 'Namespaced', hasStatus})
  })
}

/** Reads the groups and versions of an APIGroupList, the preferred version first. */
export function groupsIn(body: JsonValue): readonly Parent[] {
  return asObjects(asObject(body).groups).flatMap(object => {
    const group = asText(object.name)
    const preferred = asText(asObject(object.preferredVersion).version)
    const versions = asObjects(object.versions).map(({version}) => asText(version))
    return [...new Set([preferred, ...versions])].filter(Boolean).map(version => ({group, version}))
  })
}

/** Reads an APIResourceList. */
export function resourcesIn(parent: Parent, body: JsonValue): readonly ApiResource[] {
  const resources = asObjects(asObject(body).resources)
  const names = new Set(resources.map(({name}) => name))
  return resources.flatMap(resource =>
    resourceIn(parent, {...resource, hasStatus: names.has(`${asText(resource.name)}/status`)}),
  )
}

type Field = 'name' | 'kind' | 'namespaced' | 'verbs' | 'shortNames'
type Fields = Readonly<Partial<Record<Field, JsonValue>>> & {readonly hasStatus: boolean}

/** A name as RFC 1123 has it: it becomes part of a path. */
const PLURAL = /^[a-z0-9]([-a-z0-9]{0,251}[a-z0-9])?$/

function resourceIn(
  {group, version}: Parent,
  {name, kind, namespaced, hasStatus, ...more}: Fields,
): ApiResource[] {
  const plural = asText(name)
  if (!PLURAL.test(plural) || asText(kind) === '') return []
  const [verbs, shortNames] = [asTexts(more.verbs), asTexts(more.shortNames)]
  const isNamespaced = namespaced === true
  return [
    {group, version, kind: asText(kind), plural, namespaced: isNamespaced, verbs, shortNames, hasStatus},
  ]
}
