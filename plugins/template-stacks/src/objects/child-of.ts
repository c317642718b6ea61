import {
  asObject,
  asText,
  DELETION_PRIORITY,
  type Diagnostic,
  groupOf,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectText,
} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'
import type {ScopeOf} from './object-scopes.js'
import {otherController, ownerReference, withOwner} from './owner-references.js'
import {harmlessLabels, parentLabels} from './parent-labels.js'
import type {TemplateObject} from './template-object.js'
import {readTextMap} from './text-map.js'

/** What the objects of a custom resource get from it, and the scopes of kinds. */
export interface Parent {
  readonly resource: CustomResource
  readonly scopeOf: ScopeOf
  /** The permission scope of the package. */
  readonly scope: 'Cluster' | 'Namespaced'
}

/** An object as it is applied, and what is wrong with it or must be known. */
export interface Child {
  readonly object: KubernetesObject
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  /** Whether the scope of its kind is not known. */
  readonly isUnknownKind: boolean
}

// eslint-disable-next-line no-restricted-syntax -- the same in both eras
const REMOVE_DEFAULTS = 'templatestacks.crossplane.io/remove-defaulting-annotations'
const DEFAULT_CLASS = 'resourceclass.crossplane.io/is-default-class'

/** Makes an object one of a custom resource: owner, namespace and labels. */
export function childOf(made: TemplateObject, parent: Parent): Child {
  const {object} = made
  const metadata = asObject(object.metadata)
  const scope = parent.scopeOf(groupOf(asText(object.apiVersion)), asText(object.kind))
  const [labels, annotations] = [
    readTextMap('metadata.labels', metadata.labels),
    readTextMap('metadata.annotations', metadata.annotations),
  ]
  const problems = [
    labels.problem,
    annotations.problem,
    ...('texts' in annotations ? [priorityProblem(annotations.texts)] : []),
    controllerProblem(metadata, parent),
    scopeProblem(scope, parent),
  ]
  const errors = problems
    .filter(each => each !== undefined)
    .map(text => about(made, 'error', 'template-metadata', text))
  const own = 'texts' in labels ? labels.texts : {}
  const given = labelsFor(metadata, scope, parent)
  const patched = {
    ...metadata,
    ...ownerPart(metadata, scope, parent),
    ...annotationsPart(metadata, parent),
    ...namespacePart(metadata, scope, parent),
    labels: {...own, ...given, ...parentLabels(parent.resource)},
  }
  return {
    object: {...object, metadata: patched} as unknown as KubernetesObject,
    errors,
    warnings: selectorWarnings(made, own, given),
    isUnknownKind: scope === undefined,
  }
}

function about(
  {object, place}: TemplateObject,
  severity: 'error' | 'warning',
  rule: string,
  text: string,
): Diagnostic {
  const {name, namespace} = asObject(object.metadata)
  const place_ = typeof namespace === 'string' ? {namespace} : {}
  const what = objectText({kind: asText(object.kind), name: asText(name), ...place_})
  return {severity, rule, message: `${what}: ${text}`, file: place.file, line: place.line}
}

function priorityProblem({
  [DELETION_PRIORITY]: priority,
}: Readonly<Record<string, string>>): string | undefined {
  if (priority === undefined || /^[-+]?\d{1,15}$/.test(priority)) return undefined
  return `the annotation ${DELETION_PRIORITY} is not an integer`
}

function controllerProblem({ownerReferences}: JsonObject, {resource}: Parent): string | undefined {
  const other = otherController(ownerReferences, resource.uid)
  return other && `metadata.ownerReferences has another controller, ${other}`
}

/** A RoleBinding of a Namespaced package cannot grant access to objects without a namespace. */
function scopeProblem(scope: 'Cluster' | 'Namespaced' | undefined, parent: Parent): string | undefined {
  if (scope !== 'Cluster' || parent.scope === 'Cluster') return undefined
  return 'the kind is cluster-scoped, but the package is Namespaced'
}

/** An owner in a namespace cannot own an object outside of it: garbage collection would delete it. */
function ownerPart(metadata: JsonObject, scope: string | undefined, {resource}: Parent): JsonObject {
  const owner = ownerReference(resource)
  if (owner === undefined || isOutside(metadata, scope, resource)) return {}
  return {ownerReferences: withOwner(metadata.ownerReferences, owner)}
}

/** Whether an object is not in the namespace of its custom resource, if that is in one. */
function isOutside(
  {namespace}: JsonObject,
  scope: string | undefined,
  resource: Pick<CustomResource, 'namespace'>,
): boolean {
  if (resource.namespace === undefined) return false
  return scope === 'Cluster' || !['', resource.namespace].includes(asText(namespace))
}

function annotationsPart({annotations}: JsonObject, {resource}: Parent): JsonObject {
  const own = asObject(asObject(resource.object.metadata).annotations)
  if (own[REMOVE_DEFAULTS] !== 'true' || !isJsonObject(annotations)) return {}
  const {[DEFAULT_CLASS]: _removed, ...kept} = annotations
  return {annotations: kept}
}

function namespacePart({namespace}: JsonObject, scope: string | undefined, {resource}: Parent): JsonObject {
  if (scope === 'Cluster' || asText(namespace) !== '' || resource.namespace === undefined) return {}
  return {namespace: resource.namespace}
}

/** Its user may write in its namespace only, so objects outside of it have no label of theirs: policies select by labels. */
function labelsFor(
  metadata: JsonObject,
  scope: string | undefined,
  {resource}: Parent,
): Readonly<Record<string, string>> {
  const labels = readTextMap('metadata.labels', asObject(resource.object.metadata).labels)
  return 'texts' in labels && !isOutside(metadata, scope, resource) ? harmlessLabels(labels.texts) : {}
}

/** The object would no longer be one of those that it selects. */
function selectorWarnings(
  made: TemplateObject,
  own: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Diagnostic[] {
  const {selector} = asObject(made.object.spec)
  const selected = asObject(asObject(selector).matchLabels ?? selector)
  return Object.entries(given).flatMap(([key, value]) => {
    const isReplaced = Object.hasOwn(own, key) && own[key] !== value && Object.hasOwn(selected, key)
    if (!isReplaced) return []
    const text = `the label ${key} of the custom resource replaces one that the selector of the object names`
    return [about(made, 'warning', 'template-label', text)]
  })
}
