import type {ApiResource, Discovery} from 'kubectl-crossplane/plugin'
import type {Reference} from './find-references.js'

/** The kinds that a cluster serves, each in one version. */
export interface Kinds {
  readonly all: readonly ApiResource[]
  find(group: string, kind: string): ApiResource | undefined
}

/** Takes each kind in the version that the server prefers. */
export function kindsIn({resources}: Pick<Discovery, 'resources'>): Kinds {
  const readable = new Map<string, ApiResource>()
  for (const resource of resources) {
    const key = keyOf(resource.group, resource.kind)
    if (!readable.has(key) && resource.verbs.includes('get')) readable.set(key, resource)
  }
  return {all: [...readable.values()], find: (group, kind) => readable.get(keyOf(group, kind))}
}

function keyOf(group: string, kind: string): string {
  return `${kind}.${group}`
}

/** Reports whether a kind comes from a CRD: the groups of Kubernetes have no dot, or end with `.k8s.io`. */
export function isCustom({group}: Pick<ApiResource, 'group'>): boolean {
  return group.includes('.') && !group.endsWith('.k8s.io')
}

/** Finds kinds by `TYPE[.GROUP]` as kubectl does: a plural, a kind in any case, or a short name. */
export function kindsNamed(text: string, {all}: Kinds): readonly ApiResource[] {
  const [type = '', ...rest] = text.toLowerCase().split('.')
  const group = rest.join('.')
  const isGroup = (resource: ApiResource) =>
    resource.group === group || `${resource.version}.${resource.group}` === group || group === ''
  const named = all.filter(isGroup)
  const exact = named.filter(({plural, kind}) => plural === type || kind.toLowerCase() === type)
  return exact.length > 0 ? exact : named.filter(({shortNames}) => shortNames.includes(type))
}

/** The kind of a reference, or why it is not known. */
export type ReferencedKind =
  | {readonly resource: ApiResource}
  | {readonly apiVersion: string; readonly kind: string; readonly isServed: false}
  | {readonly unknown: string}

/**
 * Finds the kind of a reference that an object of `referrer` has. A reference without a kind has it in the name of its
 * field: `providerRef` refers to a `Provider` of the group of the object, of the group above it, or of one beside it.
 */
export function kindOf(reference: Reference, referrer: ApiResource, kinds: Kinds): ReferencedKind {
  const {kind, group, version = ''} = reference
  if (kind !== undefined && group !== undefined) {
    const resource = kinds.find(group, kind)
    if (resource !== undefined) return {resource}
    return {apiVersion: group === '' ? version : `${group}/${version}`, kind, isServed: false}
  }
  const names = kind === undefined ? namesIn(reference.stem, referrer) : [kind.toLowerCase()]
  for (const name of names) {
    const resource = nearestKind(name, referrer, kinds)
    if (resource !== undefined) return {resource}
  }
  return {unknown: `no served kind matches the field ${reference.field}`}
}

/** What a reference can be named after, the most precise first, in lowercase. */
function namesIn(stem: string, {kind}: ApiResource): readonly string[] {
  if (/secret(To|Key)?$/i.test(stem)) return ['secret']
  if (/configMap(Key)?$/i.test(stem)) return ['configmap']
  if (stem === 'class') return [`${kind}class`.toLowerCase()]
  const words = stem.split(/(?<=[a-z0-9])(?=[A-Z])/).map(word => word.toLowerCase())
  const last = words.at(-1) ?? ''
  const noun = words.length > 1 && SUFFIXES.includes(last) ? words.slice(0, -1) : words
  return [words.join(''), ...noun.map((_, index) => noun.slice(index).join(''))]
}

/** What the fields of providers have after the name of a kind: `resourceGroupNameRef`. */
const SUFFIXES = ['id', 'ids', 'name', 'names', 'arn', 'arns', 'link', 'uri']

/** Finds the kind of that name in the nearest group; else one whose name ends so, in the same group. */
function nearestKind(name: string, {group}: ApiResource, {all}: Kinds): ApiResource | undefined {
  const near = all
    .filter(({kind}) => kind.toLowerCase() === name)
    .map(resource => ({resource, nearness: nearness(resource.group, group)}))
    .filter(({nearness}) => nearness > 0)
    .sort((a, b) => b.nearness - a.nearness)
  const [first, second] = near
  if (first !== undefined) return first.nearness === second?.nearness ? undefined : first.resource
  const ending = all.filter(
    resource => resource.group === group && resource.kind.toLowerCase().endsWith(name),
  )
  return ending.length === 1 ? ending[0] : undefined
}

/**
 * Rates how near a group is: 0 for one that has nothing to do with the other. Related are the groups above and below, and
 * those that differ in the first label only; those of Kubernetes are related to all.
 */
function nearness(group: string, referrer: string): number {
  if (group === referrer) return Infinity
  const [labels, own] = [group.split('.').reverse(), referrer.split('.').reverse()]
  const different = own.findIndex((label, index) => labels[index] !== label)
  const shared = different === -1 ? own.length : different
  const isRelated = labels.length <= own.length || shared === own.length
  if (isRelated && shared >= Math.max(2, own.length - 1)) return shared + 1 / (1 + labels.length)
  return isCustom({group}) ? 0 : 0.1
}
