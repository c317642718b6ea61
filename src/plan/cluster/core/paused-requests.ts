import {CONTENT_MANAGER} from '../../../cluster/claims.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {PAUSED} from '../../../render/xpkg/request-object.js'
import {asObject, asObjects, asText} from '../../../yaml/json-value.js'
import {
  type CoreRequest,
  isPackageRequest,
  isPaused,
  type RequestKind,
  resumeCommand,
} from '../state/core-state.js'
import {coreReference} from './read-core-object.js'

/** A request that Crossplane ignores once a set is applied, and how a user has it look at the request again. */
export interface PausedRequest extends Pick<CoreRequest, 'kind' | 'name' | 'repository'> {
  readonly resume: readonly string[]
}

/** Returns the live requests and those of a set that are paused once it is applied. @param entries - the packages of a declaration. */
export function pausedRequests(
  objects: readonly KubernetesObject[],
  requests: readonly CoreRequest[],
  entries: ReadonlySet<string>,
): readonly PausedRequest[] {
  const desired = objects.filter(isPackageRequest)
  const isOf = (object: KubernetesObject) => (request: CoreRequest) =>
    request.kind === object.kind && request.name === object.metadata.name
  const old = requests.flatMap((request): readonly PausedRequest[] => {
    const own = desired.find(object => isOf(object)(request))
    const isEntry = own !== undefined && isPaused({object: own}) && entries.has(request.repository)
    return isPausedAfter(request, own) ? [{...request, resume: resumeOf(request, isEntry)}] : []
  })
  const fresh = desired.filter(object => isPaused({object}) && !requests.some(isOf(object)))
  return [
    ...old,
    ...fresh.map(({kind, metadata: {name}, spec}) => {
      const {repository} = coreReference(asText(asObject(spec).package))
      return {kind: kind as RequestKind, name, repository, resume: [FROM_ENTRY]}
    }),
  ]
}

const FROM_ENTRY = 'Remove paused: true from its entry in the declaration.'

/** @param isEntry - whether its entry in a declaration pauses it. */
function resumeOf(request: CoreRequest, isEntry: boolean): readonly string[] {
  if (!isEntry) return [resumeCommand(request)]
  const isByOthers = isPaused(request) && !isPausedByUs(request.object)
  return isByOthers ? [FROM_ENTRY, resumeCommand(request)] : [FROM_ENTRY]
}

/** What only this program applied goes when it applies the request without it. */
function isPausedAfter(live: CoreRequest, desired: KubernetesObject | undefined): boolean {
  if (desired !== undefined && isPaused({object: desired})) return true
  return isPaused(live) && (desired === undefined || !isPausedByUs(live.object))
}

function isPausedByUs(live: KubernetesObject): boolean {
  const managers = pauseManagers(live)
  return managers.length > 0 && managers.every(manager => manager === CONTENT_MANAGER)
}

/** Reports whether this program applied that a request is paused. */
export function appliesPause(live: KubernetesObject): boolean {
  return live.metadata.annotations?.[PAUSED] === 'true' && pauseManagers(live).includes(CONTENT_MANAGER)
}

/** The managers of the annotation; a write of ours that is no apply is not taken back by one. */
function pauseManagers({metadata}: KubernetesObject): readonly string[] {
  return asObjects(metadata.managedFields)
    .filter(({fieldsV1}) => {
      const annotations = asObject(asObject(asObject(fieldsV1)['f:metadata'])['f:annotations'])
      return annotations[`f:${PAUSED}`] !== undefined
    })
    .map(({manager, operation}) => (operation === 'Apply' ? asText(manager) : ''))
}
