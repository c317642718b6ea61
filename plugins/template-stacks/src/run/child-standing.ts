import {
  asObjects,
  asText,
  DELETION_PRIORITY,
  type JsonObject,
  type KubernetesObject,
} from 'kubectl-crossplane/plugin'
import {PARENT_LABEL} from '../objects/parent-labels.js'
import type {ChildEntry} from './child-inventory.js'
import {MANAGER_PREFIX} from './stack.js'

/** The custom resource whose objects are judged, and the stack that applies them. */
export interface Family {
  readonly parent: KubernetesObject
  /** The labels that all objects of the custom resource have. */
  readonly labels: Readonly<Record<string, string>>
  readonly manager: string
  /** Whether the definition of the stack lets its custom resources take over objects without an owner. */
  readonly adopts: boolean
}

/** Why an object must not be changed or deleted; undefined for one of the custom resource. */
export type Objection = string | undefined

// eslint-disable-next-line no-restricted-syntax -- the same in both eras
const PRUNE = 'templatestacks.crossplane.io/prune'

/** Judges an object before it is applied: nothing that a user of the custom resource can write makes it theirs. */
export function objectionToApply(live: KubernetesObject, family: Family): Objection {
  const objection = objectionTo(live, family)
  return family.adopts && hasNoOwner(live, family) ? undefined : objection
}

/** Judges an object before it is deleted: it must also be the one that was recorded. */
export function objectionToDelete(live: KubernetesObject, entry: ChildEntry, family: Family): Objection {
  const isOther = entry.uid !== undefined && entry.uid !== live.metadata.uid
  if (isOther && !isControlled(live, family.parent))
    return 'it was deleted and created again by another program'
  const objection = objectionTo(live, family)
  if (objection !== undefined) return objection
  return hasLabels(live, family) || isControlled(live, family.parent)
    ? undefined
    : 'its labels do not name the custom resource'
}

/**
 * Judges whether an object is one of the custom resource: it is controlled by it. One that cannot have an owner, because only its kind is
 * cluster-scoped, has the labels of the custom resource and fields that this stack applied.
 */
export function objectionTo(live: KubernetesObject, family: Family): Objection {
  if (isControlled(live, family.parent)) return undefined
  const controller = controllerOf(live)
  if (controller !== undefined) {
    return `it is controlled by ${asText(controller.kind)} ${asText(controller.name)}`
  }
  const isOurs = hasLabels(live, family) && isAppliedBy(live, family.manager)
  return isOurs ? undefined : 'it exists, and does not belong to the custom resource'
}

function isControlled(live: KubernetesObject, {metadata}: KubernetesObject): boolean {
  return controllerOf(live)?.uid === metadata.uid
}

function controllerOf({metadata}: KubernetesObject): JsonObject | undefined {
  return asObjects(metadata.ownerReferences).find(({controller}) => controller === true)
}

function hasLabels({metadata}: KubernetesObject, {labels}: Family): boolean {
  return Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)
}

/**
 * An object outside of the namespace of its custom resource never has a controller: the labels of a custom resource, or
 * fields that a stack applied, name an owner as well. So does an owner that is no controller.
 */
function hasNoOwner(live: KubernetesObject, family: Family): boolean {
  const {labels = {}, managedFields, ownerReferences} = live.metadata
  const isOwned = asObjects(ownerReferences).some(({uid}) => uid !== family.parent.metadata.uid)
  const isOthers = Object.entries(labels).some(
    ([key, value]) => key.startsWith(PARENT_LABEL) && family.labels[key] !== value,
  )
  const isApplied = asObjects(managedFields).some(({manager}) => asText(manager).startsWith(MANAGER_PREFIX))
  return !isOwned && !isOthers && !isApplied
}

function isAppliedBy({metadata}: KubernetesObject, manager: string): boolean {
  return asObjects(metadata.managedFields).some(
    entry => entry.manager === manager && entry.operation === 'Apply',
  )
}

/** Whether an object that is no longer rendered stays. */
export function isKept({metadata}: KubernetesObject): boolean {
  return metadata.annotations?.[PRUNE] === 'false'
}

/** Objects with the highest priority are deleted first. Priorities are checked when objects are rendered. */
function priorityOf({metadata}: KubernetesObject): number {
  const text = metadata.annotations?.[DELETION_PRIORITY] ?? '0'
  return /^[-+]?\d{1,15}$/.test(text) ? Number(text) : 0
}

/** Returns the objects to delete next: those of the highest priority among all that exist. */
export function firstToDelete(existing: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const highest = Math.max(...existing.map(priorityOf))
  return existing.filter(object => priorityOf(object) === highest)
}

/** Whether an object is being deleted already. */
export function isDeleting({metadata}: KubernetesObject): boolean {
  return asText(metadata.deletionTimestamp) !== ''
}
