import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {groupOf} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {shellWord} from '../../../text.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'

/** The object by which Flux or Argo CD applies an object from Git; Argo CD says only its name, and maybe its namespace. */
export type SyncSource = {
  /** The label or annotation that names it. */
  readonly mark: {readonly of: 'label' | 'annotation'; readonly key: string}
} & (
  | (ObjectName & {readonly kind: 'Kustomization' | 'HelmRelease'})
  | {readonly kind: 'Application'; readonly name: string; readonly namespace?: string}
)

/** What Flux or Argo CD does with an object that it applies from Git. */
export interface GitSource {
  /** Flux or Argo CD. */
  readonly program: string
  /** The object by which it applies it; undefined where none is known. */
  readonly source?: {readonly kind: string; readonly name: string; readonly namespace?: string}
  /** Syncing without a command, paused, or not readable in this cluster. */
  readonly state: 'syncing' | 'paused' | 'unread'
}

/** The kinds of Flux, which label what they apply. */
const FLUX = [
  {group: 'kustomize.toolkit.fluxcd.io', version: 'v1', kind: 'Kustomization'},
  {group: 'helm.toolkit.fluxcd.io', version: 'v2', kind: 'HelmRelease'},
] as const
const TRACKING = 'argocd.argoproj.io/tracking-id'
/** Argo CD tracks by this label if it is configured to; Helm charts have it as well. */
export const INSTANCE = 'app.kubernetes.io/instance'

/** Returns what applies an object from Git, as its labels and annotations say. */
export function syncSources({
  object: {metadata},
}: {
  readonly object: KubernetesObject
}): readonly SyncSource[] {
  const {labels = {}, annotations = {}} = metadata
  const [tracked = ''] = (annotations[TRACKING] ?? '').split(':')
  return [
    ...FLUX.flatMap(({group, version, kind}): readonly SyncSource[] => {
      const [name, namespace = 'flux-system'] = [labels[`${group}/name`], labels[`${group}/namespace`]]
      const mark = {of: 'label', key: `${group}/name`} as const
      return name === undefined ? [] : [{mark, apiVersion: `${group}/${version}`, kind, name, namespace}]
    }),
    ...application(tracked, {of: 'annotation', key: TRACKING}),
    ...application(labels[INSTANCE] ?? '', {of: 'label', key: INSTANCE}),
  ]
}

function application(text: string, mark: SyncSource['mark']): readonly SyncSource[] {
  if (text === '') return []
  const [namespace, own] = text.split('_')
  if (own === undefined) return [{mark, kind: 'Application', name: text}]
  return [{mark, kind: 'Application', name: own, ...(namespace === undefined ? {} : {namespace})}]
}

/** Reports whether an object of Flux or Argo CD would apply an object again: it is not paused, and Git still has the object. */
export function isSyncing(source: KubernetesObject, request: Listed): boolean {
  return !isPausedSource(source) && !hasLeft(source, request)
}

/** Argo CD 3 can turn automated syncs off without removing their settings. */
function isPausedSource({kind, spec}: KubernetesObject): boolean {
  const {suspend, syncPolicy} = asObject(spec)
  if (kind !== 'Application') return suspend === true
  const {automated} = asObject(syncPolicy)
  return automated === undefined || asObject(automated).enabled === false
}

/** Reports whether an object of Flux or Argo CD says that Git does not have an object. */
export function hasLeft({kind, status}: KubernetesObject, request: Listed): boolean {
  return kind === 'Application'
    ? isOutOfGit(asObject(status), request)
    : isOutOfInventory(asObject(status), request)
}

/** An object that a source can list; without an API version, a request for a package. */
type Listed = Pick<ObjectName, 'kind' | 'name' | 'namespace'> & {readonly apiVersion?: string}

/**
 * Returns the objects of Flux or Argo CD that do not list a request yet, of those that its marks name: the first sync of the request has not ended. None if one of
 * them lists it: another one of its name never does.
 */
export function notListing(
  sources: readonly KubernetesObject[],
  request: Listed,
): readonly KubernetesObject[] {
  const isListing = ({kind, status}: KubernetesObject) =>
    (kind === 'Application' ? isInResources : isInInventory)(asObject(status), request)
  return sources.some(isListing) ? [] : sources.filter(source => hasLeft(source, request))
}

/** Flux lists what it applied last. A HelmRelease has no list. */
function isOutOfInventory(status: JsonObject, request: Listed): boolean {
  return Array.isArray(asObject(status.inventory).entries) && !isInInventory(status, request)
}

/** As `NAMESPACE_NAME_GROUP_KIND`. */
function isInInventory({inventory}: JsonObject, {apiVersion, kind, name, namespace = ''}: Listed): boolean {
  return asObjects(asObject(inventory).entries).some(
    ({id}) => id === `${namespace}_${flat(name)}_${groupIn(apiVersion)}_${kind}`,
  )
}

/** Argo CD lists what is in Git or was. A sync of an earlier commit that still runs could apply it once more. */
function isOutOfGit(status: JsonObject, request: Listed): boolean {
  const {resources, sync, operationState} = status
  if (!Array.isArray(resources)) return false
  const {phase, operation, syncResult} = asObject(operationState)
  const revision =
    asText(asObject(syncResult).revision) || asText(asObject(asObject(operation).sync).revision)
  const isRunning = phase === 'Running' || phase === 'Terminating'
  if (isRunning && revision !== asText(asObject(sync).revision)) return false
  return !isInResources(status, request)
}

function isInResources({resources}: JsonObject, request: Listed): boolean {
  return asObjects(resources).some(
    ({group, kind, name, namespace, requiresPruning}) =>
      asText(group) === groupIn(request.apiVersion) &&
      kind === request.kind &&
      name === request.name &&
      (request.namespace === undefined || namespace === request.namespace) &&
      requiresPruning !== true,
  )
}

function groupIn(apiVersion = 'pkg.crossplane.io/v1'): string {
  return groupOf(apiVersion)
}

/** Flux writes the colons of RBAC so, because its ids have underscores between their parts. */
function flat(name: string): string {
  return name.replaceAll(':', '__')
}

/** Returns the command that pauses a source. */
export function pauseCommand({kind, name, namespace = ''}: NonNullable<GitSource['source']>): string {
  const flux = FLUX.find(one => one.kind === kind)
  const [resource, patch] =
    flux !== undefined
      ? [`${flux.kind.toLowerCase()}s.${flux.group}`, '{"spec":{"suspend":true}}']
      : ['applications.argoproj.io', '{"spec":{"syncPolicy":{"automated":null}}}']
  return `kubectl patch ${resource} ${shellWord(name)} --namespace ${shellWord(namespace)} --type merge --patch '${patch}'`
}

/** Returns the command that has Flux or Argo CD apply what is in Git now; undefined where the source is not known, or is in another cluster. */
export function syncCommand({source, state}: GitSource): string | undefined {
  if (source === undefined || state === 'unread') return undefined
  const {kind, name, namespace = ''} = source
  const place = ['--namespace', namespace]
  const words =
    kind === 'Kustomization'
      ? ['flux', 'reconcile', 'kustomization', name, ...place, '--with-source']
      : kind === 'HelmRelease'
        ? ['flux', 'reconcile', 'helmrelease', name, ...place, '--with-source']
        : state === 'paused'
          ? ['argocd', 'app', 'sync', `${namespace}/${name}`]
          : [
              'kubectl',
              'annotate',
              'applications.argoproj.io',
              name,
              ...place,
              '--overwrite',
              'argocd.argoproj.io/refresh=normal',
            ]
  return words.map(shellWord).join(' ')
}
