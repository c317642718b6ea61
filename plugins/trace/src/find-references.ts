import {asObject, asText, isJsonArray, isJsonObject} from 'kubectl-crossplane/plugin'
import type {JsonObject, JsonValue, KubernetesObject} from 'kubectl-crossplane/plugin'

/** A reference as an object has it; the kind can be unknown. */
export interface Reference {
  /** Where it is, such as `spec.classRef`. */
  readonly field: string
  /** The name of the field without `Ref` or `Refs`, such as `class`. */
  readonly stem: string
  readonly name: string
  readonly namespace?: string
  readonly kind?: string
  /** Empty for the core group; undefined if the reference does not have it. */
  readonly group?: string
  readonly version?: string
}

const MAX_DEPTH = 32
/** Keys of the top level that have no references. */
const WITHOUT_REFERENCES = ['apiVersion', 'kind', 'metadata', 'data', 'binaryData', 'stringData']

/**
 * Finds the references of an object by the conventions of Kubernetes: objects in fields whose name ends with `Ref` or
 * `Refs`, and the items of fields whose name ends with `secrets`. Objects that are embedded in another one, such as
 * templates for another cluster, have references of their own.
 */
export function findReferences(object: KubernetesObject): readonly Reference[] {
  return Object.entries(object)
    .filter(([key]) => !WITHOUT_REFERENCES.includes(key))
    .flatMap(([key, value]) => referencesAt(key, value, [key]))
}

function referencesAt(key: string, value: JsonValue, path: readonly string[]): readonly Reference[] {
  if (path.length > MAX_DEPTH) return []
  const stem = stemOf(key)
  const values = isJsonArray(value) ? value : [value]
  return values.filter(isJsonObject).flatMap(object => {
    if (isEmbedded(object)) return []
    const reference = stem === undefined ? undefined : referenceIn(object, path.join('.'), stem)
    if (reference !== undefined) return reference
    return Object.entries(object).flatMap(([name, inner]) => referencesAt(name, inner, [...path, name]))
  })
}

/** What a field refers to by its name; undefined for a field that is not a reference. */
function stemOf(key: string): string | undefined {
  if (/secrets$/i.test(key)) return 'secret'
  return /^(.+)Refs?$/.exec(key)?.[1]
}

/** An optional reference is one that may lead to nothing. */
function referenceIn(value: JsonObject, field: string, stem: string): readonly Reference[] | undefined {
  const name = asText(value.name)
  if (name === '') return undefined
  if (value.optional === true) return []
  const [namespace, kind] = [asText(value.namespace), asText(value.kind)]
  return [
    {
      field,
      stem,
      name,
      ...(namespace === '' ? {} : {namespace}),
      ...(kind === '' ? {} : {kind}),
      ...groupIn(value),
    },
  ]
}

function groupIn({apiVersion, apiGroup}: JsonObject): Pick<Reference, 'group' | 'version'> {
  if (typeof apiGroup === 'string') return {group: apiGroup}
  return typeof apiVersion === 'string' && apiVersion !== '' ? splitApiVersion(apiVersion) : {}
}

/** Splits `apps/v1`; the group of `v1` is empty. */
function splitApiVersion(apiVersion: string): {readonly group: string; readonly version: string} {
  const [first = '', second] = apiVersion.split('/')
  return second === undefined ? {group: '', version: first} : {group: first, version: second}
}

function isEmbedded({apiVersion, kind, metadata}: JsonObject): boolean {
  return asText(apiVersion) !== '' && asText(kind) !== '' && isJsonObject(metadata)
}

/** Finds the owners of an object, and the parent that labels such as `core.crossplane.io/parent-kind` name. */
export function findParents({metadata}: KubernetesObject): readonly Reference[] {
  const {ownerReferences, namespace, labels = {}} = metadata
  const owners = (isJsonArray(ownerReferences) ? ownerReferences : []).map(asObject).map(owner => ({
    field: 'owner',
    stem: 'owner',
    name: asText(owner.name),
    kind: asText(owner.kind),
    ...splitApiVersion(asText(owner.apiVersion)),
    ...(namespace === undefined ? {} : {namespace}),
  }))
  const parent = parentIn(labels)
  return parent === undefined ? owners : [...owners, parent]
}

const PARENT_KIND = /^(.+\/parent-)kind$/

/** Reads the parent from the labels of an object: their prefix can be any. */
export function parentIn(labels: Readonly<Record<string, string>>): Reference | undefined {
  const prefix = Object.keys(labels).flatMap(key => PARENT_KIND.exec(key)?.[1] ?? [])[0]
  if (prefix === undefined) return undefined
  const {[`${prefix}kind`]: kind = '', [`${prefix}name`]: name = ''} = labels
  const {[`${prefix}group`]: group = '', [`${prefix}version`]: version = ''} = labels
  const {[`${prefix}namespace`]: namespace} = labels
  if (kind === '' || name === '') return undefined
  const place = namespace === undefined || namespace === '' ? {} : {namespace}
  return {field: 'parent', stem: 'parent', name, kind, group, version, ...place}
}

/** Finds the label selectors of the spec, except for those whose result is in a reference beside them. */
export function findSelectors({spec}: KubernetesObject): readonly Readonly<Record<string, string>>[] {
  const fields = asObject(spec)
  return Object.entries(fields).flatMap(([key, value]) => {
    const stem = /^(.+)Selector$/.exec(key)?.[1]
    if (stem === undefined || fields[`${stem}Ref`] !== undefined) return []
    const labels = Object.entries(asObject(asObject(value).matchLabels))
    return labels.length === 0
      ? []
      : [Object.fromEntries(labels.map(([name, label]) => [name, asText(label)]))]
  })
}
