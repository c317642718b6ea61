import {asText, isJsonArray, mapConcurrent} from 'kubectl-crossplane/plugin'
import type {ApiResource, ClusterReader, JsonValue, KubernetesObject} from 'kubectl-crossplane/plugin'
import {asObject} from 'kubectl-crossplane/plugin'
import {parentIn} from './find-references.js'
import {isCustom, type Kinds} from './kinds.js'
import {deniedReason} from './denial.js'

/** An object of a list, as far as its parents need it. */
export interface Outline {
  readonly resource: ApiResource
  readonly object: KubernetesObject
}

/** A list of objects that can be children, and what was not searched. */
export interface Outlines {
  readonly outlines: readonly Outline[]
  /** The kinds that cannot be listed, with the message of the API server. */
  readonly denied: readonly {readonly resource: ApiResource; readonly reason: string}[]
  /** The kinds with more objects than are searched. */
  readonly truncated: readonly ApiResource[]
}

const CONCURRENT = 8
/** Objects of one kind in one namespace that are searched. */
export const MAX_LISTED = 5000
/** Kinds that only record what happened to others. */
const PASSING = ['Event', 'Lease', 'Endpoints', 'EndpointSlice', 'ControllerRevision', 'ComponentStatus']

/**
 * Lists what can have owners and parents: the metadata of all objects of a namespace, or of all objects that are not in
 * a namespace. Objects with the same UID, such as those of two API groups, are taken once.
 */
export async function listOutlines(
  reader: ClusterReader,
  kinds: Kinds,
  namespace: string | undefined,
): Promise<Outlines> {
  const listed = kinds.all.filter(
    ({kind, namespaced, verbs}) =>
      namespaced === (namespace !== undefined) && verbs.includes('list') && !PASSING.includes(kind),
  )
  const lists = new Map<ApiResource, KubernetesObject[]>()
  const denied: {resource: ApiResource; reason: string}[] = []
  const truncated: ApiResource[] = []
  await mapConcurrent(listed, CONCURRENT, async resource => {
    const objects: KubernetesObject[] = []
    lists.set(resource, objects)
    try {
      for await (const object of reader.list(kindNamed(resource), {namespace, metadataOnly: true})) {
        if (objects.push(object) < MAX_LISTED) continue
        truncated.push(resource)
        break
      }
    } catch (error) {
      denied.push({resource, reason: deniedReason(error)})
    }
  })
  const outlines = listed.flatMap(resource => (lists.get(resource) ?? []).map(object => ({resource, object})))
  return {outlines: distinct(outlines), denied, truncated}
}

/** Returns how a request names a kind. */
export function kindNamed({group, version, kind}: ApiResource): {apiVersion: string; kind: string} {
  return {apiVersion: group === '' ? version : `${group}/${version}`, kind}
}

function distinct(outlines: readonly Outline[]): readonly Outline[] {
  const seen = new Set<JsonValue | undefined>()
  return outlines.filter(({object}) => {
    const {uid} = object.metadata
    if (uid !== undefined && seen.has(uid)) return false
    seen.add(uid)
    return true
  })
}

/** An object whose children are searched. */
export interface Parent {
  readonly resource: ApiResource
  readonly object: KubernetesObject
  readonly selectors: readonly Readonly<Record<string, string>>[]
}

/** A child, and what makes it one. */
export interface Child extends Outline {
  readonly relation: 'owned' | 'child' | 'selected'
}

/**
 * Finds the children of an object: objects that it owns, whose labels name it as their parent, or custom resources of
 * its namespace that one of its selectors matches.
 */
export function childrenOf(parent: Parent, outlines: readonly Outline[]): readonly Child[] {
  return outlines.flatMap(outline => {
    const relation = relationTo(parent, outline)
    return relation === undefined ? [] : [{...outline, relation}]
  })
}

function relationTo(parent: Parent, child: Outline): Child['relation'] | undefined {
  const {uid, namespace} = parent.object.metadata
  const {metadata} = child.object
  if (asText(uid) !== '' && metadata.uid === uid) return undefined
  if (ownersOf(metadata.ownerReferences).includes(asText(uid))) return 'owned'
  const labels = metadata.labels ?? {}
  if (isParentIn(labels, parent)) return 'child'
  const isNeighbor = namespace !== undefined && metadata.namespace === namespace && isCustom(child.resource)
  return isNeighbor && parent.selectors.some(selector => matches(labels, selector)) ? 'selected' : undefined
}

function ownersOf(references: JsonValue | undefined): readonly string[] {
  const uids = (isJsonArray(references) ? references : []).map(owner => asText(asObject(owner).uid))
  return uids.filter(uid => uid !== '')
}

function isParentIn(labels: Readonly<Record<string, string>>, {resource, object}: Parent): boolean {
  const named = parentIn(labels)
  return (
    named !== undefined &&
    named.kind === resource.kind &&
    named.group === resource.group &&
    named.name === object.metadata.name &&
    (!resource.namespaced || named.namespace === object.metadata.namespace)
  )
}

function matches(labels: Readonly<Record<string, string>>, selector: Readonly<Record<string, string>>) {
  return Object.entries(selector).every(([name, value]) => labels[name] === value)
}
