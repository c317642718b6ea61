import {present} from '../../present.js'
import {ERA_NAMES, type EraName} from '../../reference/era-name.js'
import {ERAS} from '../../render/era.js'
import type {InstallId} from '../../reference/install-id.js'
import {parentIdLabels} from '../../render/labels.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asText} from '../../yaml/json-value.js'
import {CONTENT_MANAGER, isAppliedBy} from '../claims.js'
import {type Witness, WITNESS_MANAGER, witnessIn} from './witness.js'

/** The ClusterRole of an install's controller, which only users who can change ClusterRoles can write. */
export interface SystemRole extends InstallId {
  readonly era: EraName
  /** The name of the ClusterRole. */
  readonly role: string
  readonly uid: string
  /** Whether this program applied it. */
  readonly isApplied: boolean
  /** Absent for none that this program wrote. */
  readonly witness?: Witness
}

/** The system roles of installs, by NAMESPACE/NAME; an upgrade has one of the version before and one of the new. */
export type SystemRoles = ReadonlyMap<string, readonly SystemRole[]>

type RoleOwner = InstallId & {readonly era: EraName}

/** The record that a user wrote may have no version. */
const ROLE = /^([^:]+:)([^:]+):([^:]+):(.*):(?:system|admin|edit|view)$/

/** Returns the install, and the era, of which a name is that of its system role. */
export function systemRoleName(name: string): RoleOwner | undefined {
  return name.endsWith(':system') ? installRoleName(name) : undefined
}

/** Returns the install, and the era, of which a name is that of a ClusterRole: its system role, or one of its users. */
export function installRoleName(name: string): RoleOwner | undefined {
  const [, prefix, namespace = '', install = ''] = ROLE.exec(name) ?? []
  const era = ERA_NAMES.find(text => ERAS[text].personaRolePrefix === prefix)
  return era === undefined ? undefined : {era, namespace, name: install}
}

/** Reads a system role; undefined for another object. Its name has to agree with its labels. */
export function systemRoleIn(role: KubernetesObject): SystemRole | undefined {
  const {metadata} = role
  const install = systemRoleName(metadata.name)
  if (install === undefined) return undefined
  const labels = Object.entries(parentIdLabels(install))
  if (!labels.every(([key, value]) => metadata.labels?.[key] === value)) return undefined
  const witness = isAppliedBy(role, WITNESS_MANAGER) ? witnessIn(role) : undefined
  return {
    ...install,
    role: metadata.name,
    uid: asText(metadata.uid),
    isApplied: isAppliedBy(role, CONTENT_MANAGER),
    ...present({witness}),
  }
}
