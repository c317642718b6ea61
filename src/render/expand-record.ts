import type {Runtime} from '../declaration/runtime/runtime.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {CrdDefinition, PermissionScope} from '../unpack/package.js'
import {type JsonValue, asObject, asObjects, isJsonObject} from '../yaml/json-value.js'
import {controllerDeployment} from './deployment.js'
import type {Era} from './era.js'
import type {InstallId, SetObject} from './install-set.js'
import {rejectCorePermissions} from './permissions.js'
import {identityObjects} from './rbac.js'

/** The permissions of packages beyond the default. */
export interface Allowances {
  readonly allowCorePermissions: boolean
  readonly allowFullDeployment: boolean
  /** Whether a record without rules gets an identity too, which a record of a package always has. */
  readonly alwaysIdentity?: boolean
}

export function recordId(record: KubernetesObject): InstallId {
  const {namespace = '', name} = record.metadata
  return {namespace, name}
}

export function scopeOf(record: KubernetesObject): PermissionScope {
  return asObject(record.spec).permissionScope === 'Cluster' ? 'Cluster' : 'Namespaced'
}

/**
 * Expands a package record, generated or user-written, to identity, roles and controller. `crds` are
 * those the record names, in its order. Throws `permissions-refused`.
 */
export function expandRecord(
  era: Era,
  record: KubernetesObject,
  crds: readonly CrdDefinition[],
  allowances: Allowances,
  runtime?: Runtime,
): SetObject[] {
  const id = recordId(record)
  const spec = asObject(record.spec)
  const rules = asObjects(asObject(spec.permissions).rules)
  if (!allowances.allowCorePermissions) rejectCorePermissions(id, rules)
  const controller = asObject(spec.controller)
  const deployment = asObject(controller.deployment).spec
  return [
    ...identityObjects(era, {
      id,
      version: typeof spec.version === 'string' ? spec.version : '',
      scope: scopeOf(record),
      rules,
      serviceAccountAnnotations: stringMap(asObject(controller.serviceAccount).annotations),
      crds,
      isAlways: allowances.alwaysIdentity === true,
    }),
    ...(isJsonObject(deployment)
      ? [
          {
            phase: 'controllers',
            install: id,
            object: controllerDeployment(era, id, deployment, allowances, runtime),
          } as const,
        ]
      : []),
  ]
}

function stringMap(value: JsonValue | undefined): Readonly<Record<string, string>> {
  return asObject(value) as Readonly<Record<string, string>>
}
