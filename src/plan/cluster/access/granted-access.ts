import type {AccessReview} from '../../../cluster/api/access-reviews.js'
import {groupOf, objectKey} from '../../../kubernetes/object-key.js'
import {present} from '../../../present.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../../yaml/json-value.js'
import {parseExactJson} from '../../../yaml/exact-json.js'
import type {Operation} from '../../plan.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'

/**
 * A role or binding that is written. The API server accepts it from users who may `escalate` or `bind` the role, and from
 * those who may do all that it grants: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */
export interface Grant {
  readonly role: AccessReview
  /** The permissions of the role; absent for an aggregated role, which has those that others add to it. */
  readonly rules?: readonly AccessReview[]
}

const RBAC_GROUP = 'rbac.authorization.k8s.io'
const WRITES: readonly Operation['action'][] = ['apply', 'create-only', 'replace']

/** Returns the grants of the operations of a plan that write a role or a binding. */
export function grantsOf(
  operations: readonly Operation[],
  {live}: Pick<ClusterSnapshot, 'live'>,
): ReadonlyMap<Operation, Grant> {
  const applied = operations.flatMap(operation => {
    const {action, object, content} = operation
    return object !== undefined &&
      content !== undefined &&
      isRbac(object.apiVersion) &&
      WRITES.includes(action)
      ? [{operation, key: objectKey(object), object: asObject(parseExactJson(content))}]
      : []
  })
  const planned = new Map(applied.map(({key, object}) => [key, object]))
  return new Map(
    applied.flatMap(({operation, object}): [Operation, Grant][] => {
      const kind = asText(object.kind)
      if (kind.endsWith('Role')) return [[operation, roleGrant(operation, object)]]
      if (!kind.endsWith('Binding')) return []
      const {namespace} = asObject(object.metadata)
      const role = boundRole(object, asText(namespace))
      const roleObject = planned.get(role.key) ?? live.get(role.key)
      return [[operation, grantOf('bind', {...role.object, ...rulesIn(roleObject)}, asText(namespace))]]
    }),
  )
}

/** The grant of changing a system role that exists, even if only its annotations change. */
export function roleGrants(name: string, {live}: Pick<ClusterSnapshot, 'live'>): readonly Grant[] {
  const id = {apiVersion: `${RBAC_GROUP}/v1`, kind: 'ClusterRole', name}
  const role = live.get(objectKey(id))
  return role?.rules === undefined ? [] : [grantOf('escalate', role)]
}

/** The server authorizes a creation without the name, also for escalation. */
function roleGrant({action}: Operation, object: JsonObject): Grant {
  const {role, ...rules} = grantOf('escalate', object)
  const {name: _name, ...unnamed} = role
  return {role: action === 'create-only' ? unnamed : role, ...rules}
}

function isRbac(apiVersion: string): boolean {
  return groupOf(apiVersion) === RBAC_GROUP
}

function boundRole(
  {roleRef}: JsonObject,
  within: string,
): {readonly key: string; readonly object: JsonObject} {
  const {kind, name} = asObject(roleRef)
  const id = {apiVersion: `${RBAC_GROUP}/v1`, kind: asText(kind), name: asText(name)}
  const namespace = kind === 'Role' ? within : ''
  return {key: objectKey({...id, namespace}), object: {kind: id.kind, metadata: {name: id.name, namespace}}}
}

/** The permissions of a role, as far as they are known. */
function rulesIn(role: JsonObject | undefined): JsonObject {
  if (role === undefined) return {aggregationRule: {}}
  const {rules = [], aggregationRule} = role
  return {rules, ...present({aggregationRule})}
}

function grantOf(verb: 'escalate' | 'bind', role: JsonObject, within = ''): Grant {
  const {kind, metadata, aggregationRule, rules = []} = role
  const {name, namespace} = asObject(metadata)
  const place = asText(namespace) || within
  const where = place === '' ? {} : {namespace: place}
  const resource = kind === 'Role' ? 'roles' : 'clusterroles'
  return {
    role: {verb, group: RBAC_GROUP, resource, ...where, name: asText(name)},
    ...(aggregationRule === undefined
      ? {
          rules: asObjects(rules)
            .flatMap(ruleReviews)
            .map(review => ({...review, ...where})),
        }
      : {}),
  }
}

/** Each combination of a rule: RBAC divides rules in the same way. */
function ruleReviews({verbs, apiGroups, resources, resourceNames}: JsonObject): AccessReview[] {
  const names = asTexts(resourceNames)
  return asTexts(apiGroups).flatMap(group =>
    asTexts(resources).flatMap(text => {
      const [resource = '', subresource] = text.split('/')
      const part = subresource === undefined ? {} : {subresource}
      return asTexts(verbs).flatMap(verb =>
        (names.length === 0 ? [{}] : names.map(name => ({name}))).map(named => ({
          verb,
          group,
          resource,
          ...part,
          ...named,
        })),
      )
    }),
  )
}
