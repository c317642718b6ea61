import type {EraName} from '../reference/era-name.js'
import {type Era, ERAS} from './era.js'
import type {InstallId} from '../reference/install-id.js'
import {LABEL_LENGTH, truncate} from './truncate.js'

export type Labels = Readonly<Record<string, string>>

/** The object that owns another across namespaces and scopes, where owner references cannot. */
export interface Parent extends InstallId {
  readonly group: string
  readonly version: string
  readonly kind: string
}

const PARENT_PREFIX = 'core.crossplane.io/parent-'

/** Labels by which an object names its parent. */
export function parentLabels({group, version, kind, ...id}: Parent): Labels {
  return {
    [`${PARENT_PREFIX}group`]: group,
    [`${PARENT_PREFIX}version`]: version,
    [`${PARENT_PREFIX}kind`]: kind,
    ...parentIdLabels(id),
  }
}

/** Returns the labels with the namespace and name of a parent, which do not depend on its kind and era. */
export function parentIdLabels({namespace, name}: InstallId): Labels {
  return {
    [`${PARENT_PREFIX}namespace`]: truncate(namespace, LABEL_LENGTH),
    [`${PARENT_PREFIX}name`]: truncate(name, LABEL_LENGTH),
  }
}

/** Labels of everything that a record expands to. */
export function recordLabels(era: Era, id: InstallId): Labels {
  return parentLabels({group: era.group, version: era.version, kind: era.kinds.record, ...id})
}

/** The selector of everything that records of an era expand to. */
export function recordSelector({group, kinds}: Era): string {
  return `${PARENT_PREFIX}group=${group},${PARENT_PREFIX}kind=${kinds.record}`
}

/** The namespace and name of the parent that labels name, which truncate long ones. */
export function parentIn(labels: Labels): InstallId {
  const {[`${PARENT_PREFIX}namespace`]: namespace = '', [`${PARENT_PREFIX}name`]: name = ''} = labels
  return {namespace, name}
}

/** The API group and kind of the parent that labels name. */
export function parentKind(labels: Labels): Pick<Parent, 'group' | 'kind'> {
  const {[`${PARENT_PREFIX}group`]: group = '', [`${PARENT_PREFIX}kind`]: kind = ''} = labels
  return {group, kind}
}

const CLAIM_NAMESPACE_LENGTH = 32

/** Labels by which an install claims a CRD, which several installs can share. */
export function claimLabels(era: Era, install: InstallId): Labels {
  return {...namespaceLabel(install.namespace), [`${era.claimPrefix}${claimantOf(install)}`]: 'true'}
}

/** An install as a claim label spells it. */
export function claimantOf({namespace, name}: InstallId): string {
  return truncate(`${claimStart(namespace)}${name}`, LABEL_LENGTH)
}

function claimStart(namespace: string): string {
  return `${truncate(namespace, CLAIM_NAMESPACE_LENGTH)}-`
}

const NAMESPACE_PREFIX = 'namespace.crossplane.io/'

/** A claim of an install on a CRD. */
export interface Claim extends InstallId {
  readonly era: EraName
  /** The name of the label. */
  readonly label: string
}

/**
 * Reads the claims among the labels of a CRD, with the installs that they name. Claims join namespace and name by a
 * dash: those that fit none of the namespaces among the labels, or several, are left out.
 */
export function claimsIn(labels: Labels): readonly Claim[] {
  const namespaces = Object.keys(labels).flatMap(label =>
    label.startsWith(NAMESPACE_PREFIX) ? [label.slice(NAMESPACE_PREFIX.length)] : [],
  )
  return Object.keys(labels).flatMap(label => {
    const era = Object.values(ERAS).find(candidate => label.startsWith(candidate.claimPrefix))
    if (era === undefined) return []
    const text = label.slice(era.claimPrefix.length)
    const [namespace, ...others] = namespaces.filter(candidate => text.startsWith(claimStart(candidate)))
    if (namespace === undefined || others.length > 0) return []
    return [{era: era.name, label, namespace, name: text.slice(claimStart(namespace).length)}]
  })
}

export function namespaceLabel(namespace: string): Labels {
  return {[`${NAMESPACE_PREFIX}${namespace}`]: 'true'}
}

/** Returns the install of a claim label, as the label spells it; empty if it is not such a label. */
export function claimant(label: string): string[] {
  const era = Object.values(ERAS).find(candidate => label.startsWith(candidate.claimPrefix))
  return era === undefined ? [] : [label.slice(era.claimPrefix.length)]
}

/** Reports whether a label is one of those by which installs claim a CRD. */
export function isClaim(label: string): boolean {
  return (
    label.startsWith(NAMESPACE_PREFIX) || Object.values(ERAS).some(era => label.startsWith(era.claimPrefix))
  )
}

/** Labels without those by which installs claim a CRD. */
export function withoutClaims(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !isClaim(name)))
}

/** The users that a role is for; a label aggregates the role's rules to theirs. */
export const PERSONAS = ['admin', 'edit', 'view'] as const
export type Persona = (typeof PERSONAS)[number]

export function aggregateLabel(to: string): Labels {
  return {[`rbac.crossplane.io/aggregate-to-${to}`]: 'true'}
}

export const SCOPE_LABEL = 'crossplane.io/scope'
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by'

/** The annotation of a request that decides about custom resources: `keep`, or `delete=COUNT`. */
export const CUSTOM_RESOURCES_ANNOTATION = 'kubectl-crossplane.dev/custom-resources'

/** The annotation of a request with the runtime of its controller, as JSON; read by the package manager of this program. */
export const RUNTIME_ANNOTATION = 'kubectl-crossplane.dev/runtime'
