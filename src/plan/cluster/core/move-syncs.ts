import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {requestName} from '../../../reference/named.js'
import {escaped, shellWord} from '../../../text.js'
import type {CoreRequest} from '../state/core-state.js'
import {INSTANCE, isSyncing, pauseCommand, type SyncSource} from '../state/git-sources.js'
import {requestText} from './lock/problem-texts.js'

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
  return {
    severity: 'error',
    rule: 'xpkg-move-synced',
    message: `${kind} ${escaped(name)} applies ${requestText(request)} from Git, and would apply it again during the move`,
    suggestions: [
      // A HelmRelease does not list what it applies, so that no commit can be awaited.
      ...(kind === 'HelmRelease'
        ? []
        : ['Pass --git with its repository, and --context, to move the package by commits.']),
      pauseCommand({kind: kind, name, namespace}),
      'After the move, replace the package in the declaration, commit that, and resume the controller.',
    ],
  }
}
