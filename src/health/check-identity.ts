import {nameOf, objectKey, objectText} from '../kubernetes/object-key.js'
import {escaped, quoted} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../yaml/json-value.js'
import {type BreakId, breakKind} from './break-kinds.js'
import {terminating} from './check-install.js'
import type {ExpectedObjects} from './expected-objects.js'
import {broken} from './findings.js'
import type {Finding} from './health.js'
import type {HealthSnapshot} from './health-snapshot.js'
import {reinstall} from './reinstall.js'

/** Checks the service account of a controller, the roles, and the binding between the two. */
export function checkIdentity(expected: ExpectedObjects, snapshot: HealthSnapshot): readonly Finding[] {
  const {account, systemRole, personaRoles, binding} = expected
  return [
    ...existing(account, 'account-missing', snapshot, () => []),
    ...existing(systemRole, 'role-missing', snapshot, roleFindings),
    ...personaRoles.flatMap(role => existing(role, 'role-missing', snapshot, () => [])),
    ...existing(binding, 'binding-missing', snapshot, bindingFindings),
  ]
}

/** Compares an object as it is with an object as it has to be. */
type Compare = (
  live: KubernetesObject,
  want: KubernetesObject,
  snapshot: HealthSnapshot,
) => readonly Finding[]

/** Checks that an object exists and is not being deleted, and then its content. */
export function existing(
  want: KubernetesObject | undefined,
  id: BreakId,
  snapshot: HealthSnapshot,
  compare: Compare,
): readonly Finding[] {
  if (want === undefined) return []
  const object = nameOf(want)
  const key = objectKey(object)
  const live = snapshot.live.get(key)?.object
  if (live !== undefined) {
    const ending = terminating('object-terminating', live, breakKind(id).link)
    return ending.length > 0 ? ending : compare(live, want, snapshot)
  }
  if (snapshot.denials.has(key)) return []
  const message = `${escaped(objectText(object))} does not exist`
  return [broken(id, {object, message, suggestion: reinstall(snapshot)})]
}

const roleFindings: Compare = (live, want, snapshot) => {
  const granted = asObjects(live.rules)
  const absent = asObjects(want.rules).find(rule => !granted.some(grantedRule => grants(grantedRule, rule)))
  if (absent === undefined) return []
  const object = nameOf(live)
  const what = [...asTexts(absent.resources), ...asTexts(absent.nonResourceURLs)].join(', ')
  const groups = asTexts(absent.apiGroups).join(', ')
  const message = `${escaped(objectText(object))} does not grant ${quoted(what)} of ${quoted(groups)}, which the record requires`
  return [broken('role-incomplete', {object, message, suggestion: reinstall(snapshot)})]
}

/** Reports whether a rule grants all that another one does. */
function grants(rule: JsonObject, wanted: JsonObject): boolean {
  const isListed = (field: string) => {
    const listed = asTexts(rule[field])
    return listed.includes('*') || asTexts(wanted[field]).every(text => listed.includes(text))
  }
  const names = asTexts(rule.resourceNames)
  const isNamed =
    names.length === 0 || (asTexts(wanted.resourceNames).length > 0 && isListed('resourceNames'))
  return ['apiGroups', 'resources', 'verbs', 'nonResourceURLs'].every(isListed) && isNamed
}

const bindingFindings: Compare = (live, want, snapshot) => {
  const object = nameOf(live)
  const text = escaped(objectText(object))
  const suggestion = reinstall(snapshot)
  const [role, wanted] = [asObject(live.roleRef), asObject(want.roleRef)]
  if (['apiGroup', 'kind', 'name'].some(field => role[field] !== wanted[field])) {
    const message = `${text} binds ${roleText(role)} instead of ${roleText(wanted)}`
    return [broken('binding-other-role', {object, message, suggestion})]
  }
  const isBound = (subject: JsonObject) =>
    asObjects(live.subjects).some(liveSubject =>
      ['kind', 'name', 'namespace'].every(field => liveSubject[field] === subject[field]),
    )
  const absent = asObjects(want.subjects).find(subject => !isBound(subject))
  if (absent === undefined) return []
  const account = quoted(`${asText(absent.namespace)}/${asText(absent.name)}`)
  const message = `${text} does not name the service account ${account}`
  return [broken('binding-other-subject', {object, message, suggestion})]
}

function roleText({kind, name}: JsonObject): string {
  return `${escaped(asText(kind))} ${quoted(asText(name))}`
}
