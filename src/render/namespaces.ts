import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {PermissionScope} from '../unpack/package.js'
import type {SetObject} from './install-set.js'
import {aggregateLabel, type Labels, namespaceLabel, parentLabels, PERSONAS, SCOPE_LABEL} from './labels.js'
import {aggregatedRole, labelled} from './rbac.js'

/** The label of a namespace that has such roles. */
export const MANAGED_ROLES = 'rbac.crossplane.io/managed-roles'

/**
 * Creates a Namespace. For Namespaced packages it also gets the roles with which the users of the namespace access
 * the kinds of those packages, as a package manager creates them for namespaces with this label.
 */
export function namespaceObjects(namespace: string, scope: PermissionScope): SetObject[] {
  const managed = scope === 'Namespaced'
  const labels: Labels = managed ? {[MANAGED_ROLES]: 'true'} : {}
  const object = {apiVersion: 'v1', kind: 'Namespace', metadata: labelled(namespace, labels)}
  return [
    {phase: 'namespaces', shared: 'namespace', object},
    ...(managed
      ? namespaceRoles(namespace).map(
          role => ({phase: 'identity', shared: 'namespace-role', object: role}) as const,
        )
      : []),
  ]
}

/** The roles with which the users of a namespace access the kinds of its Namespaced packages. */
export function namespaceRoles(namespace: string): KubernetesObject[] {
  return PERSONAS.map(persona =>
    aggregatedRole(
      `crossplane:ns:${namespace}:${persona}`,
      {
        ...parentLabels({group: '', version: 'v1', kind: 'Namespace', namespace: '', name: namespace}),
        ...namespaceLabel(namespace),
        ...(persona === 'admin' ? aggregateLabel('crossplane-admin') : {}),
        [SCOPE_LABEL]: 'namespace',
      },
      [
        {...namespaceLabel(namespace), ...aggregateLabel(`namespace-${persona}`)},
        aggregateLabel(`namespace-default-${persona}`),
      ],
    ),
  )
}
