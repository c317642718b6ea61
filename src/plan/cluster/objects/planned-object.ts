import {CONTENT_MANAGER} from '../../../cluster/claims.js'
import {isBuiltinGroup} from '../../../kubernetes/api-groups.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {groupOf, nameOf, objectKey, objectText} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {ERAS} from '../../../render/era.js'
import {REQUEST_KINDS} from '../state/core-state.js'
import {escaped} from '../../../text.js'
import {parseExactJson} from '../../../yaml/exact-json.js'
import {isJsonObject, type JsonValue} from '../../../yaml/json-value.js'
import type {Operation} from '../../plan.js'
import {isInstanceRemoval, isInstanceWait} from './instance-removal.js'
import {isInventoryOperation} from '../inventories/inventory-operations.js'

/** The command that removes installs; only it deletes CRDs and custom resources. */
const UNINSTALL = 'package uninstall'

/** The kinds of objects that install sets have, besides CRDs and those of package managers, as `group/kind`. */
const KINDS: ReadonlySet<string> = new Set([
  ...['/Namespace', '/ServiceAccount', 'apps/Deployment'],
  ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map(
    kind => `rbac.authorization.k8s.io/${kind}`,
  ),
  ...['ImageConfig', 'DeploymentRuntimeConfig', ...REQUEST_KINDS].map(kind => `pkg.crossplane.io/${kind}`),
  'apiextensions.crossplane.io/ManagedResourceActivationPolicy',
  ...Object.values(ERAS).flatMap(({group, kinds}) => Object.values(kinds).map(kind => `${group}/${kind}`)),
])

/** An operation on an object, and the command that planned it. */
interface CommandOperation extends Operation {
  readonly object: ObjectName
  readonly command: string
  readonly isRemoval: boolean
}

type Check = (operation: CommandOperation) => string | undefined

/**
 * Returns the reason why an operation of a saved plan is none that its command can plan in any cluster, by its action,
 * kind, field manager and content.
 */
export function operationProblem(operation: Operation, command: string): string | undefined {
  const {object} = operation
  if (object === undefined) return undefined
  const named = {...operation, object, command, isRemoval: command === UNINSTALL}
  for (const check of checksOf(operation)) {
    const problem = check(named)
    if (problem !== undefined) return problem
  }
  return undefined
}

function checksOf(operation: Operation): readonly Check[] {
  if (isInventoryOperation(operation)) return [inventoryProblem, managerProblem]
  if (isInstanceRemoval(operation) || isInstanceWait(operation)) return [instanceProblem]
  // Its content names versions, and is compared with those of the current plan.
  if (operation.action === 'migrate') return [crdProblem, kindProblem]
  return [preconditionProblem, crdProblem, kindProblem, managerProblem, contentProblem]
}

function inventoryProblem({action, precondition, isRemoval, command}: CommandOperation): string | undefined {
  const isOwn = action === (isRemoval ? 'delete' : 'apply')
  const isTyped = precondition !== undefined && !('absent' in precondition)
  return isOwn && !isTyped ? undefined : `${command} does not do this to an inventory`
}

function instanceProblem({object, isRemoval, command}: CommandOperation): string | undefined {
  const isCustom = !isBuiltinGroup(groupOf(object.apiVersion))
  return isRemoval && isCustom ? undefined : `${command} deletes no such object by its uid alone`
}

function preconditionProblem({action, precondition}: CommandOperation): string | undefined {
  const needsOne = action === 'delete' || action === 'apply'
  return needsOne && precondition === undefined ? 'only an inventory has no precondition' : undefined
}

function crdProblem({action, object, isRemoval, command}: CommandOperation): string | undefined {
  if (!isCrdOfServer(object)) {
    return OF_CRDS.includes(action) ? `${action} is only for CRDs` : undefined
  }
  return action === 'delete' && !isRemoval ? `${command} deletes no CRDs` : undefined
}

const OF_CRDS: readonly Operation['action'][] = ['claim', 'unclaim', 'migrate']

function kindProblem({action, object, isRemoval, command}: CommandOperation): string | undefined {
  const {apiVersion, kind} = object
  if (isCrdOfServer(object)) return undefined
  if (kind === 'Namespace' && action === 'delete') return `${command} deletes no Namespaces`
  const isRemoved = action === 'delete' || action === 'wait'
  if (isRemoval && !isRemoved) return `${command} creates and changes no objects`
  return KINDS.has(`${groupOf(apiVersion)}/${kind}`) ? undefined : 'installs have no objects of this kind'
}

function isCrdOfServer(object: ObjectName): boolean {
  return isCrd(object) && groupOf(object.apiVersion) === 'apiextensions.k8s.io'
}

/** Content has one field manager, and claims have one for each install. */
function managerProblem({action, manager}: CommandOperation): string | undefined {
  if (manager === undefined) return undefined
  const isOfClaims = action === 'claim' || action === 'unclaim'
  const isRight = isOfClaims ? manager.startsWith(`${CONTENT_MANAGER}:`) : manager === CONTENT_MANAGER
  return isRight ? undefined : `${escaped(manager)} is not the field manager of such an operation`
}

function contentProblem({object, content}: CommandOperation): string | undefined {
  if (content === undefined) return undefined
  const value = parsed(content)
  if (!isJsonObject(value)) return 'the content is not an object'
  const name = nameOf(value)
  return objectKey(name) === objectKey(object) && name.apiVersion === object.apiVersion
    ? undefined
    : `the content is ${escaped(objectText(name))}`
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
