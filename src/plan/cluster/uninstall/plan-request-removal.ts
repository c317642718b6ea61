import {CONTENT_MANAGER, isAppliedBy} from '../../../cluster/claims.js'
import type {Inventory} from '../../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {nameOf, objectText} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {CUSTOM_RESOURCES_ANNOTATION} from '../../../render/labels.js'
import {asObject, asObjects} from '../../../yaml/json-value.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import type {Operation, Plan} from '../../plan.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {readConfirmed} from './confirmed-instances.js'
import {confirmationRejections, instanceRemovals, listedInstances} from '../objects/instance-removal.js'
import {kubectlGet} from '../objects/object-reasons.js'
import {contentHash} from '../state/live-object.js'
import {managerRejection} from '../inventories/managed-installs.js'
import {uidOf} from '../state/ownership.js'
import {unlisted} from './plan-uninstall.js'
import {sharedInstances} from './shared-instances.js'
import {unclaimedRejections} from '../crds/unclaimed-crds.js'
import {impactRejections, isNoImpact, uninstallImpact} from './uninstall-impact.js'
import type {UninstallOptions} from '../state/uninstall-options.js'

/** An install that a package manager processes. */
export interface ManagedInstall {
  readonly request: KubernetesObject
  /** The install with the CRDs that its record names, if an original manager deletes them. */
  readonly inventory: Inventory
  /** Whether the package manager of this program processes it. */
  readonly isOwn?: boolean
}

/** The state of a cluster for planning the removal of such an install. */
export interface ManagedSnapshot extends ClusterSnapshot {
  /** The CRDs that are marked as managed by the package manager of the install. */
  readonly marked: readonly KubernetesObject[]
}

/** Plans the removal of such an install: the request is deleted, and its package manager does the rest. */
export function planRequestRemoval(
  {request, inventory, isOwn = false}: ManagedInstall,
  snapshot: ManagedSnapshot,
  options: UninstallOptions,
): Plan {
  const object = nameOf(request)
  const impact = uninstallImpact([inventory], snapshot)
  const listed = listedInstances(snapshot)
  const operation: Operation = {
    action: 'delete',
    target: CLUSTER_TARGET,
    object,
    reason: 'its package manager removes the install',
    precondition: {uid: uidOf(request), sha256: contentHash(request)},
  }
  return {
    operations: [
      ...instanceRemovals(listed),
      ...(isOwn ? keepAnnotation(request, options) : []),
      operation,
      {
        ...operation,
        action: 'wait',
        reason: 'the package manager must complete it',
        precondition: {absent: true},
      },
    ],
    unchanged: 0,
    rejections: [
      ...(isOwn ? [] : [...foreign(request), ...keeping(snapshot, inventory, options)]),
      ...impactRejections(impact, options),
      ...sharedInstances([inventory], snapshot),
      ...confirmationRejections(listed, readConfirmed(request), options),
      ...unclaimedRejections(inventory, snapshot.marked),
      ...inventory.objects.filter(isCrd).flatMap(crd => unlisted(crd, snapshot)),
    ],
    ...(isNoImpact(impact) ? {} : {impact}),
  }
}

/** An original package manager has no option to keep CRDs. */
function keeping(
  {managers}: ClusterSnapshot,
  {install}: Inventory,
  {customResources}: UninstallOptions,
): readonly Diagnostic[] {
  const running = managers.get(install.era)
  if (customResources !== 'keep' || running === undefined) return []
  const {namespace, name} = install
  return [managerRejection(`deletes the CRDs of ${namespace}/${name}, which cannot be kept`, running)]
}

/** The package manager of this program learns from an annotation that custom resources are kept. */
function keepAnnotation(
  request: KubernetesObject,
  {customResources}: UninstallOptions,
): readonly Operation[] {
  const {apiVersion, kind, metadata} = request
  const annotations = {[CUSTOM_RESOURCES_ANNOTATION]: 'keep'}
  if (customResources !== 'keep' || hasAnnotation(request)) return []
  // With its uid, the apply does not create a request that is gone by then.
  const {name, namespace = '', uid = ''} = metadata
  return [
    {
      action: 'apply',
      target: CLUSTER_TARGET,
      object: nameOf(request),
      manager: KEEP_MANAGER,
      force: true,
      reason: 'its package manager keeps the custom resources',
      precondition: {uid: uidOf(request), sha256: contentHash(request)},
      content: writeJson({apiVersion, kind, metadata: {name, namespace, uid, annotations}}),
    },
  ]
}

/** An apply by the manager of the content would drop the spec of the request. */
const KEEP_MANAGER = `${CONTENT_MANAGER}:custom-resources`

function hasAnnotation({metadata}: KubernetesObject): boolean {
  return metadata.annotations?.[CUSTOM_RESOURCES_ANNOTATION] === 'keep'
}

function foreign(request: KubernetesObject): readonly Diagnostic[] {
  if (isAppliedBy(request, CONTENT_MANAGER) && !isTakenOver(request)) return []
  const object = objectText(nameOf(request))
  return [
    {
      severity: 'error',
      rule: 'object-unmanaged',
      message: `${object} was not created by this program`,
      subject: {object},
      suggestions: [kubectlGet(nameOf(request))],
    },
  ]
}

/** Reports whether another manager wrote the spec: the package manager only writes finalizers and the status. */
function isTakenOver({metadata}: KubernetesObject): boolean {
  return asObjects(metadata.managedFields).some(
    ({manager, subresource, fieldsV1}) =>
      subresource === undefined && manager !== CONTENT_MANAGER && asObject(fieldsV1)['f:spec'] !== undefined,
  )
}
