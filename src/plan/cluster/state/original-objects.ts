import {ORIGINAL_MANAGER} from '../../../cluster/claims.js'
import type {Inventory} from '../../../cluster/inventory/inventory.js'
import {type Era, eraOf, ERAS, finalizerOf} from '../../../render/era.js'
import type {InstallId} from '../../../reference/install-id.js'
import {MANAGED_BY_LABEL, parentIdLabels, parentKind} from '../../../render/labels.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asTexts, type JsonObject} from '../../../yaml/json-value.js'
import type {Operation} from '../../plan.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {objectKey} from '../../../kubernetes/object-key.js'

type Install = Pick<Inventory['install'], 'namespace' | 'name' | 'era'>

/**
 * Reports whether an object is part of an install that the original package manager processed: that manager wrote it, and
 * it has the name of the install or names it as its parent; a CRD has to be created by that manager.
 */
export function isOriginal(live: KubernetesObject, install: Install): boolean {
  const era = ERAS[install.era]
  if (isCrd(live)) return isOriginalCrd(live, era)
  if (!isWritten(live)) return false
  if (eraOf(live.apiVersion) === era) return isNamed(live.metadata, install)
  return isLabeled(live, install) || isOwned(live, install)
}

/** Servers before Kubernetes 1.18 recorded no managers. */
function isWritten(live: KubernetesObject): boolean {
  return asObjects(live.metadata.managedFields).length === 0 || originalFields(live).length > 0
}

function isNamed({namespace = '', name}: KubernetesObject['metadata'], install: InstallId): boolean {
  return namespace === install.namespace && name === install.name
}

/** The original manager marks CRDs that it takes over, too; those have a specification by others. */
function isOriginalCrd(live: KubernetesObject, {managedBy}: Era): boolean {
  const hasSpec = ({fieldsV1}: JsonObject) => asObject(fieldsV1)['f:spec'] !== undefined
  const others = asObjects(live.metadata.managedFields).filter(
    ({manager, operation}) => manager !== ORIGINAL_MANAGER && operation !== 'Apply',
  )
  return (
    live.metadata.labels?.[MANAGED_BY_LABEL] === managedBy &&
    originalFields(live).some(hasSpec) &&
    !others.some(hasSpec)
  )
}

/** The fields of an object that the original manager has written. */
function originalFields({metadata}: KubernetesObject): readonly JsonObject[] {
  return asObjects(metadata.managedFields).filter(
    ({manager, operation}) => manager === ORIGINAL_MANAGER && operation === 'Update',
  )
}

/** The labels name the record or the request of the install. */
function isLabeled({metadata}: KubernetesObject, install: Install): boolean {
  const {labels = {}} = metadata
  const {group, kinds} = ERAS[install.era]
  const parent = parentKind(labels)
  return (
    parent.group === group &&
    Object.values(kinds).includes(parent.kind) &&
    Object.entries(parentIdLabels(install)).every(([key, value]) => labels[key] === value)
  )
}

/** Service accounts and RoleBindings have no labels, but are owned by the record. */
function isOwned({metadata}: KubernetesObject, {namespace, name, era}: Install): boolean {
  const {apiVersion, kinds} = ERAS[era]
  return (
    metadata.namespace === namespace &&
    asObjects(metadata.ownerReferences).some(
      owner => owner.apiVersion === apiVersion && owner.kind === kinds.record && owner.name === name,
    )
  )
}

/**
 * Adds the finalizers that only the original package manager would remove to the deletions of records and requests:
 * once their objects are deleted, no work is left for the manager.
 */
export function withFinalizers(
  operations: readonly Operation[],
  {live}: Pick<ClusterSnapshot, 'live'>,
): readonly Operation[] {
  return operations.map(operation => {
    const {action, object} = operation
    const liveObject = object && live.get(objectKey(object))
    const finalizer = object && finalizerOf(object)
    if (action !== 'delete' || liveObject === undefined || finalizer === undefined) return operation
    return asTexts(liveObject.metadata.finalizers).includes(finalizer)
      ? {...operation, finalizers: [finalizer]}
      : operation
  })
}
