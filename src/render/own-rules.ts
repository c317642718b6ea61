import {CrossplaneError} from '../errors.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import type {CrdDefinition} from '../unpack/package.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../yaml/json-value.js'
import type {Era} from './era.js'
import {recordId} from './expand-record.js'
import {definitionRule, describeRule, permissionRules} from './permissions.js'

/**
 * Throws `permissions-refused` if a record that a user wrote has rules that a package with the same CRDs and dependencies
 * does not get.
 */
export function rejectWiderRules(era: Era, record: KubernetesObject, crds: readonly CrdDefinition[]): void {
  const {permissions, dependsOn} = asObject(record.spec)
  const dependencies = asObjects(dependsOn).flatMap(({crd}) =>
    asText(crd) === '' ? [] : [{crd: asText(crd)}],
  )
  const allowed = [...permissionRules(crds, dependencies), definitionRule(era, record.metadata.name)]
  const wider = asObjects(asObject(permissions).rules).filter(rule => !isCovered(rule, allowed))
  if (wider.length === 0) return
  const {namespace, name} = recordId(record)
  throw new CrossplaneError(
    'permissions-refused',
    `${namespace}/${name} requests permissions that its CRDs and dependencies do not give: ${wider.map(describeRule).join('; ')}`,
    {suggestions: ['Review them, then pass --allow-core-permissions to grant them.']},
  )
}

function isCovered(rule: JsonObject, allowed: readonly JsonObject[]): boolean {
  const {apiGroups, resources, nonResourceURLs} = rule
  if (asTexts(nonResourceURLs).length > 0) return false
  return asTexts(apiGroups).every(group =>
    asTexts(resources).every(resource => allowed.some(own => covers(own, {group, resource, rule}))),
  )
}

interface Wanted {
  readonly group: string
  readonly resource: string
  readonly rule: JsonObject
}

function covers(own: JsonObject, {group, resource, rule}: Wanted): boolean {
  const [verbs, names] = [asTexts(own.verbs), asTexts(own.resourceNames)]
  const wanted = asTexts(rule.resourceNames)
  return (
    asTexts(own.apiGroups).includes(group) &&
    asTexts(own.resources).includes(resource) &&
    (verbs.includes('*') || asTexts(rule.verbs).every(verb => verbs.includes(verb))) &&
    (names.length === 0 || (wanted.length > 0 && wanted.every(name => names.includes(name))))
  )
}
