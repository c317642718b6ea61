import {missingAccess} from '../../observe/missing-access.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {failureOf} from '../../cluster/api/cluster-failure.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {NeededAccess} from '../../plan/cluster/access/needed-access.js'
import {neededAccess} from '../../plan/cluster/access/needed-access.js'
import {
  permissionManifest,
  type PermissionRule,
  permissionRules,
  type PermissionRules,
} from '../../plan/cluster/access/permission-manifest.js'
import {count, escaped, listAll, listSome, quoted} from '../../text.js'
import {objectText} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {MissingPermissions} from './missing-permissions.js'
import type {Decision} from './cluster-change.js'

/** Throws `cluster-denied` if the user lacks permissions that a plan needs. */
export async function expectPlanAllowed({plan, snapshot}: Decision, api: ClusterApi): Promise<void> {
  if (plan.operations.length === 0) return
  await expectAllowed(neededAccess(plan, snapshot, await api.discover()), api)
}

/**
 * Runs a read. If the user lacks a permission for it, throws `cluster-denied` with all permissions that the command
 * needs, as far as they are known, and not only the one for the first read.
 */
export async function readAllowed<T>(
  read: () => Promise<T>,
  needed: () => Promise<NeededAccess>,
  api: ClusterApi,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isDenied(error)) throw error
    await expectAllowed(await needed(), api)
    throw error
  }
}

function isDenied(error: unknown): boolean {
  return (
    error instanceof CrossplaneError && error.code === 'cluster-denied' && failureOf(error)?.status === 403
  )
}

/** Throws `cluster-denied` with the objects that grant the user the missing permissions, in a `MissingPermissions`. */
async function expectAllowed(needed: NeededAccess, api: ClusterApi): Promise<void> {
  const {reviews, objects} = await missingAccess(needed, api)
  const missing = permissionRules(reviews)
  const diagnostics = [...objects.map(creationDiagnostic), ...missing.flatMap(diagnosticsOf)]
  if (diagnostics.length === 0) return
  const user = await api.user()
  const who = user === undefined ? 'the user' : `user ${quoted(user)}`
  const message = `cannot plan the change: ${who} lacks ${count(diagnostics.length, 'permission')}`
  throw new CrossplaneError('cluster-denied', message, {
    cause: new MissingPermissions([...objects, ...permissionManifest(missing, user ?? UNKNOWN)]),
    diagnostics,
    suggestions: [user === undefined ? REPLACE_USER : APPLY],
  })
}

function creationDiagnostic({kind, metadata}: KubernetesObject): Diagnostic {
  const object = objectText({kind, name: escaped(metadata.name)})
  return {
    severity: 'error',
    rule: 'permission-missing',
    message: `missing permission to create ${object}`,
    subject: {object},
  }
}

const APPLY = 'Have an administrator apply the printed objects, and run the command again.'
const REPLACE_USER =
  'Replace USER in the printed objects, have an administrator apply them, and run the command again.'

/** Older servers do not report the name of the user. */
const UNKNOWN = 'USER'

function diagnosticsOf(rules: PermissionRules): readonly Diagnostic[] {
  return permissionTexts([rules]).map(text => ({
    severity: 'error',
    rule: 'permission-missing',
    message: `missing permission to ${text}`,
  }))
}

/** Describes permissions: `create leases in coordination.k8s.io in namespace team`. */
export function permissionTexts(permissions: readonly PermissionRules[]): readonly string[] {
  return permissions.flatMap(({namespace, rules}) => {
    const place = namespace === undefined ? '' : ` in namespace ${escaped(namespace)}`
    return rules.map(rule => `${ruleText(rule)}${place}`)
  })
}

const SHOWN_NAMES = 3

function ruleText({verbs, apiGroups, resources, resourceNames}: PermissionRule): string {
  const actions = verbs.includes('*') ? 'use all verbs on' : listAll(verbs)
  const [group = ''] = apiGroups
  const what = `${listSome(resources.map(escaped))}${group === '' ? '' : ` in ${escaped(group)}`}`
  const names = resourceNames === undefined ? '' : `: ${listSome(resourceNames.map(escaped), SHOWN_NAMES)}`
  return `${actions} ${what}${names}`
}
