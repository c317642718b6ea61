import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {requestName} from '../../../reference/named.js'
import {escaped, shellWord} from '../../../text.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import type {CoreRequest} from '../state/core-state.js'
import {requestText} from './lock/problem-texts.js'

/** The object by which Flux or Argo CD applies a request from Git; Argo CD says only its name, and maybe its namespace. */
export type SyncSource = {
  /** The label or annotation that names it. */
  readonly mark: {readonly of: 'label' | 'annotation'; readonly key: string}
} & (
  | (ObjectName & {readonly kind: 'Kustomization' | 'HelmRelease'})
  | {readonly kind: 'Application'; readonly name: string; readonly namespace?: string}
)

/** The kinds of Flux, which label what they apply. */
const FLUX = [
  {group: 'kustomize.toolkit.fluxcd.io', version: 'v1', kind: 'Kustomization'},
  {group: 'helm.toolkit.fluxcd.io', version: 'v2', kind: 'HelmRelease'},
] as const
const TRACKING = 'argocd.argoproj.io/tracking-id'
/** Argo CD tracks by this label if it is configured to; Helm charts have it as well. */
const INSTANCE = 'app.kubernetes.io/instance'

/** Returns what applies a request from Git, as its labels and annotations say. */
export function syncSources({object: {metadata}}: Pick<CoreRequest, 'object'>): readonly SyncSource[] {
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

/** Reports whether an object of Flux or Argo CD would apply the former request again: it is not paused, and Git still has the request. */
export function isSyncing(source: KubernetesObject, request: Requested): boolean {
  const {suspend, syncPolicy} = asObject(source.spec)
  const isPaused =
    source.kind === 'Application' ? asObject(syncPolicy).automated === undefined : suspend === true
  return !isPaused && !hasLeft(source, request)
}

/** Reports whether an object of Flux or Argo CD says that Git does not have a request. */
function hasLeft({kind, status}: KubernetesObject, request: Requested): boolean {
  return kind === 'Application'
    ? isOutOfGit(asObject(status), request)
    : isOutOfInventory(asObject(status), request)
}

type Requested = Pick<CoreRequest, 'kind' | 'name'>

/**
 * Returns the objects of Flux or Argo CD that do not list a request yet, of those that its marks name: the first sync of the request has not ended. None if one of
 * them lists it: another one of its name never does.
 */
export function notListing(
  sources: readonly KubernetesObject[],
  request: Requested,
): readonly KubernetesObject[] {
  const isListing = ({kind, status}: KubernetesObject) =>
    (kind === 'Application' ? isInResources : isInInventory)(asObject(status), request)
  return sources.some(isListing) ? [] : sources.filter(source => hasLeft(source, request))
}

/** Flux lists what it applied last. A HelmRelease has no list. */
function isOutOfInventory(status: JsonObject, request: Requested): boolean {
  return Array.isArray(asObject(status.inventory).entries) && !isInInventory(status, request)
}

/** As `NAMESPACE_NAME_GROUP_KIND`. */
function isInInventory({inventory}: JsonObject, {kind, name}: Requested): boolean {
  return asObjects(asObject(inventory).entries).some(({id}) => id === `_${name}_pkg.crossplane.io_${kind}`)
}

/** Argo CD lists what is in Git or was. A sync of an earlier commit that still runs could apply it once more. */
function isOutOfGit(status: JsonObject, request: Requested): boolean {
  const {resources, sync, operationState} = status
  if (!Array.isArray(resources)) return false
  const {phase, operation, syncResult} = asObject(operationState)
  const revision =
    asText(asObject(syncResult).revision) || asText(asObject(asObject(operation).sync).revision)
  const isRunning = phase === 'Running' || phase === 'Terminating'
  if (isRunning && revision !== asText(asObject(sync).revision)) return false
  return !isInResources(status, request)
}

function isInResources({resources}: JsonObject, request: Requested): boolean {
  return asObjects(resources).some(
    ({group, kind, name, requiresPruning}) =>
      group === 'pkg.crossplane.io' &&
      kind === request.kind &&
      name === request.name &&
      requiresPruning !== true,
  )
}

/** Says what would apply a request again, of the objects that a source names: also that it cannot be read, such as one in another cluster. */
export function sourceRejections(
  request: CoreRequest,
  source: SyncSource,
  objects: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const syncing = objects.find(object => isSyncing(object, request))
  if (syncing !== undefined) return [syncRejection(request, syncing)]
  if (objects.length > 0 || source.mark.key === INSTANCE) return []
  const {kind, name, mark} = source
  const verb = mark.of === 'label' ? 'label' : 'annotate'
  return [
    {
      severity: 'error',
      rule: 'xpkg-move-synced',
      message: `${requestText(request)} has the ${mark.of} ${mark.key} of ${kind} ${escaped(name)}, which is not in this cluster and may apply it again during the move`,
      suggestions: [
        `Pause it where it is, and remove the ${mark.of}: kubectl ${verb} ${shellWord(requestName(request))} ${mark.key}-`,
      ],
    },
  ]
}

/** Says that a request would come back from Git, and how its controller pauses. */
function syncRejection(request: CoreRequest, {kind, metadata}: KubernetesObject): Diagnostic {
  const {name, namespace = ''} = metadata
  const flux = FLUX.find(one => one.kind === kind)
  const [resource, patch] =
    flux !== undefined
      ? [`${flux.kind.toLowerCase()}s.${flux.group}`, '{"spec":{"suspend":true}}']
      : ['applications.argoproj.io', '{"spec":{"syncPolicy":{"automated":null}}}']
  return {
    severity: 'error',
    rule: 'xpkg-move-synced',
    message: `${kind} ${escaped(name)} applies ${requestText(request)} from Git, and would apply it again during the move`,
    suggestions: [
      // A HelmRelease does not list what it applies, so that no commit can be awaited.
      ...(kind === 'HelmRelease'
        ? []
        : ['Pass --git with its repository, and --context, to move the package by commits.']),
      `kubectl patch ${resource} ${shellWord(name)} --namespace ${shellWord(namespace)} --type merge --patch '${patch}'`,
      'After the move, replace the package in the declaration, commit that, and resume the controller.',
    ],
  }
}
