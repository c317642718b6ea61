import {CrossplaneError} from '../errors.js'
import {isReservedGroup} from '../kubernetes/api-groups.js'
import type {CrdDefinition, Dependency} from '../unpack/package.js'
import {asTexts, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import type {Era} from './era.js'
import {pluralOf} from './era.js'
import type {InstallId} from './install-set.js'

const ALL_VERBS = ['*']

/** The permissions of every package. */
const STANDARD_RULE = {apiGroups: [''], resources: ['configmaps', 'events', 'secrets'], verbs: ALL_VERBS}

/**
 * Returns the rules that a package requires: the standard one, those of its own CRDs and of the CRDs that it depends
 * on. Authors can also name these by singular or kind, but a rule requires plurals: `plurals` has those that are known,
 * by the text of the author.
 */
export function permissionRules(
  crds: readonly CrdDefinition[],
  dependencies: readonly Dependency[],
  plurals: ReadonlyMap<string, string> = new Map(),
): readonly JsonObject[] {
  const owned = [...crds].sort((a, b) => (identifier(a) < identifier(b) ? 1 : -1))
  return [
    STANDARD_RULE,
    ...owned.map(crd => ({
      apiGroups: [crd.group],
      resources: [...resourcesOf(crd), `${crd.plural}/finalizers`],
      verbs: ALL_VERBS,
    })),
    ...dependencies.flatMap(dependency =>
      'crd' in dependency ? [dependencyRule(dependency.crd, plurals)] : [],
    ),
  ]
}

function identifier({group, version, kind}: CrdDefinition): string {
  return `${group}/${version}, Kind=${kind}`
}

/** A CRD's plural and the subresources it serves. */
export function resourcesOf({plural, subresources}: CrdDefinition): string[] {
  return [
    plural,
    ...(subresources.status ? [`${plural}/status`] : []),
    ...(subresources.scale ? [`${plural}/scale`] : []),
  ]
}

function dependencyRule(crd: string, plurals: ReadonlyMap<string, string>): JsonObject {
  const [resource = ''] = crd.split('/', 1)
  const dot = resource.indexOf('.')
  const [first, group] = dot === -1 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)]
  return {apiGroups: [group], resources: [plurals.get(crd) ?? first], verbs: ALL_VERBS}
}

/** A template stack's controller also reads its own definition. */
export function definitionRule(era: Era, name: string): JsonObject {
  const plural = pluralOf(era.kinds.definition)
  return {
    apiGroups: [era.group],
    resourceNames: [name],
    resources: [plural, `${plural}/status`],
    verbs: ['get', 'list', 'watch'],
  }
}

/** Throws `permissions-refused` if a rule goes beyond the kinds of packages. */
export function rejectCorePermissions(id: InstallId, rules: readonly JsonObject[]): void {
  const rejected = rules.filter(isRejectedByDefault)
  if (rejected.length === 0) return
  const list = rejected.map(describeRule).join('; ')
  throw new CrossplaneError(
    'permissions-refused',
    `${id.namespace}/${id.name} requests permissions outside of packages' own API groups: ${list}`,
    {suggestions: ['Review them, then pass --allow-core-permissions to grant them.']},
  )
}

/** Reports whether a rule is granted only if core permissions are allowed. */
export function isRejectedByDefault(rule: JsonObject): boolean {
  return !isStandard(rule) && reachesCore(rule)
}

function isStandard(rule: JsonObject): boolean {
  const {apiGroups, resources, verbs, resourceNames, nonResourceURLs} = rule
  const {apiGroups: groups, resources: kinds, verbs: all} = STANDARD_RULE
  return (
    sameList(apiGroups, groups) &&
    sameList(resources, kinds) &&
    sameList(verbs, all) &&
    sameList(resourceNames, []) &&
    sameList(nonResourceURLs, [])
  )
}

function sameList(value: JsonValue | undefined, requested: readonly string[]): boolean {
  const items = asTexts(value)
  return items.length === requested.length && items.every((item, index) => item === requested[index])
}

function reachesCore({apiGroups, nonResourceURLs}: JsonObject): boolean {
  const groups = asTexts(apiGroups)
  return asTexts(nonResourceURLs).length > 0 || groups.length === 0 || groups.some(isReservedGroup)
}

/** Describes a rule for a message. */
export function describeRule({apiGroups, resources, nonResourceURLs, verbs}: JsonObject): string {
  const groups = asTexts(apiGroups).map(group => (group === '' ? 'core' : group))
  const urls = asTexts(nonResourceURLs)
  const what = urls.length > 0 ? urls : asTexts(resources)
  return `${asTexts(verbs).join(',')} on ${what.join(',')}${groups.length > 0 ? ` of ${groups.join(',')}` : ''}`
}
