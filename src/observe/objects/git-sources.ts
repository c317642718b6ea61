import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {failureOf} from '../../cluster/api/cluster-failure.js'
import {gitApplier} from '../../cluster/git-applier.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {
  type GitSource,
  hasLeft,
  INSTANCE,
  isSyncing,
  type SyncSource,
  syncSources,
} from '../../plan/cluster/state/git-sources.js'

/** Reads the objects of Flux or Argo CD that a source names; Argo CD can have several Applications of a name. Throws the errors of the API. */
export async function readSources(source: SyncSource, api: ClusterApi): Promise<readonly KubernetesObject[]> {
  if (source.kind !== 'Application') {
    const object = await api.get(source)
    return object === undefined ? [] : [object]
  }
  const {name, namespace} = source
  const all: KubernetesObject[] = []
  for await (const object of api.list({apiVersion: 'argoproj.io/v1alpha1', kind: 'Application'})) {
    const {metadata} = object
    if (metadata.name === name && (namespace ?? metadata.namespace) === metadata.namespace)
      all.push({...object, kind: 'Application'})
  }
  return all
}

/**
 * Returns what Flux and Argo CD do with those of the objects that they apply from Git, by the keys of the objects. Sources that the user
 * may not read count as unread. Throws the other errors of the API.
 */
export async function observeGitSources(
  live: ReadonlyMap<string, KubernetesObject>,
  api: ClusterApi,
): Promise<ReadonlyMap<string, GitSource>> {
  const read = new Map<string, Promise<readonly KubernetesObject[]>>()
  const readOnce = (source: SyncSource) => {
    const {kind, name, namespace = ''} = source
    const key = `${kind} ${namespace}/${name}`
    const objects = read.get(key) ?? readSources(source, api).catch(unlessDenied)
    read.set(key, objects)
    return objects
  }
  const result = new Map<string, GitSource>()
  for (const [key, object] of live) {
    const source = await gitSource(object, readOnce)
    if (source !== undefined) result.set(key, source)
  }
  return result
}

function unlessDenied(error: unknown): readonly KubernetesObject[] {
  if (failureOf(error)?.status === 403) return []
  throw error
}

async function gitSource(
  object: KubernetesObject,
  readOnce: (source: SyncSource) => Promise<readonly KubernetesObject[]>,
): Promise<GitSource | undefined> {
  const applier = gitApplier(object)
  const marks = ownMarks(syncSources({object}), applier)
  const unread: GitSource[] = []
  for (const mark of marks) {
    const objects = await readOnce(mark)
    const listing = objects.find(one => !hasLeft(one, nameOf(object)))
    if (listing !== undefined) return listingSource(object, listing)
    if (objects.length === 0) unread.push(unreadSource(mark))
  }
  if (marks.length > 0 || applier === undefined) return unread[0]
  return {program: applier, state: 'unread'}
}

/** Charts have the label of instances as well: it counts where Argo CD has no other mark. */
function ownMarks(marks: readonly SyncSource[], applier: string | undefined): readonly SyncSource[] {
  const others = marks.filter(({mark}) => mark.key !== INSTANCE)
  return others.length > 0 || applier !== 'Argo CD' ? others : marks
}

function listingSource(object: KubernetesObject, listing: KubernetesObject): GitSource {
  const {kind, metadata} = listing
  const {name, namespace = ''} = metadata
  const state = isSyncing(listing, nameOf(object)) ? 'syncing' : 'paused'
  return {program: programOf(kind), source: {kind, name, namespace}, state}
}

function unreadSource({kind, name, namespace}: SyncSource): GitSource {
  const source = {kind, name, ...(namespace === undefined ? {} : {namespace})}
  return {program: programOf(kind), source, state: 'unread'}
}

function programOf(kind: string): string {
  return kind === 'Application' ? 'Argo CD' : 'Flux'
}
