import {
  asText,
  type Behavior,
  CrossplaneError,
  type Diagnostic,
  groupOf,
  type JsonObject,
  type KubernetesObject,
} from 'kubectl-crossplane/plugin'
import type {CustomResource} from './custom-resource.js'
import type {Engine, Files} from './engines/engine.js'
import {renderGoTemplates} from './gotemplate/render-go-templates.js'
import type {TemplateSets} from './gotemplate/template-sets.js'
import {type Capabilities, renderChart} from './helm/render-chart.js'
import {renderKustomization} from './kustomize/render-kustomization.js'
import {childOf} from './objects/child-of.js'
import {duplicateErrors} from './objects/duplicate-objects.js'
import type {MadeObjects} from './objects/made-objects.js'
import type {ScopeOf} from './objects/object-scopes.js'
import type {ObjectPlace, TemplateObject} from './objects/template-object.js'

/** The templates of a package, and what rendering must know besides a custom resource. */
export interface Templates {
  readonly behavior: Behavior
  /** The files of the templates folder, by their path in it. */
  readonly files: Files
  /** The named templates of gotemplate, which reads no other files. */
  readonly sets: TemplateSets
  /** The permission scope of the package. */
  readonly scope: 'Cluster' | 'Namespaced'
  readonly scopeOf: ScopeOf
  readonly capabilities: Capabilities
  /** The objects that exist, for templates that read them. */
  readonly live: readonly JsonObject[]
}

/** An object as it is applied, and where templates wrote it. */
interface RenderedObject {
  readonly object: KubernetesObject
  readonly place: ObjectPlace
}

/** The objects of one custom resource, in the order in which they are applied. */
export interface RenderedResource {
  readonly resource: CustomResource
  readonly objects: readonly RenderedObject[]
  readonly status?: JsonObject
  readonly warnings: readonly Diagnostic[]
  readonly notes: readonly Diagnostic[]
  /** Templates that failed while others did not. */
  readonly failures: readonly Diagnostic[]
}

/**
 * Renders the objects of a custom resource. Throws `package-invalid` with every document that is not a valid object, and
 * the errors of the engines.
 */
export async function renderResource(
  templates: Templates,
  resource: CustomResource,
  engine: Engine,
): Promise<RenderedResource> {
  const first = await renderOnce(templates, resource, engine, false)
  if (first.errors.length === 0) return first.rendered
  const traced = hasTrace(templates) ? await attemptTrace(templates, resource, engine) : undefined
  throw invalidObjects(resource, (traced ?? first).errors)
}

/** A trace needs more time and memory than rendering: without it, only lines are missing. */
async function attemptTrace(
  templates: Templates,
  resource: CustomResource,
  engine: Engine,
): Promise<Attempt | undefined> {
  try {
    return await renderOnce(templates, resource, engine, true)
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}

/** Objects with what templates made of them, before they became those of the custom resource. */
export interface TracedResource {
  readonly rendered: RenderedResource
  readonly made: readonly TemplateObject[]
}

/** Renders with the lines of templates, unless tracing them exceeds a limit. Throws as `renderResource` does. */
export async function traceResource(
  templates: Templates,
  resource: CustomResource,
  engine: Engine,
): Promise<TracedResource> {
  const attempt =
    (await attemptTrace(templates, resource, engine)) ??
    (await renderOnce(templates, resource, engine, false))
  if (attempt.errors.length === 0) return attempt
  throw invalidObjects(resource, attempt.errors)
}

interface Attempt extends TracedResource {
  readonly errors: readonly Diagnostic[]
}

/** Only charts are traced again for the lines of their templates: kustomize has none, and gotemplate always has them. */
function hasTrace({behavior}: Templates): boolean {
  return behavior.engine.type === 'helm3'
}

async function renderOnce(
  templates: Templates,
  resource: CustomResource,
  engine: Engine,
  trace: boolean,
): Promise<Attempt> {
  const made = await make(templates, resource, engine, trace)
  const parent = {resource, scopeOf: templates.scopeOf, scope: templates.scope}
  const children = made.objects.map(each => ({place: each.place, ...childOf(each, parent)}))
  const rendered = {
    resource,
    objects: children.map(({object, place}) => ({object, place})),
    ...(made.status === undefined ? {} : {status: made.status}),
    warnings: [...made.warnings, ...children.flatMap(child => child.warnings)],
    notes: [...(made.notes ?? []), ...ownerNote(resource), ...scopeNotes(children)],
    failures: made.failures ?? [],
  }
  const errors = [...made.errors, ...children.flatMap(child => child.errors), ...duplicateErrors(children)]
  return {rendered, made: made.objects, errors}
}

/** A file never has a UID, which an API server assigns. */
function ownerNote({name, uid, file, line}: CustomResource): Diagnostic[] {
  if (uid !== undefined) return []
  const message = `${name} has no metadata.uid: its objects are printed without their owner reference`
  return [{severity: 'note', rule: 'owner-reference', message, file, line}]
}

function scopeNotes(
  children: readonly {readonly object: JsonObject; readonly isUnknownKind: boolean}[],
): Diagnostic[] {
  const unknown = children.filter(each => each.isUnknownKind).map(({object}) => kindName(object))
  if (unknown.length === 0) return []
  const message = `not known whether they are in a namespace, treated as if they were: ${[...new Set(unknown)].join(', ')}`
  return [{severity: 'note', rule: 'unknown-scope', message}]
}

function kindName({apiVersion, kind}: JsonObject): string {
  const group = groupOf(asText(apiVersion))
  return group === '' ? asText(kind) : `${asText(kind)}.${group}`
}

async function make(
  {behavior, files, sets, live, capabilities}: Templates,
  resource: CustomResource,
  engine: Engine,
  trace: boolean,
): Promise<MadeObjects> {
  const folder = behavior.source.path
  switch (behavior.engine.type) {
    case 'helm3':
      return await renderChart({files, folder, resource, capabilities}, engine, trace)
    case 'kustomize':
      return await renderKustomization({behavior, files, resource}, engine)
    // Reading a package rejects all other engines.
    default:
      return await renderGoTemplates({sets, resource, live}, engine)
  }
}

function invalidObjects({object, name}: CustomResource, errors: readonly Diagnostic[]): CrossplaneError {
  const what = `${asText(object.kind)} ${name}`
  return new CrossplaneError('package-invalid', `cannot render ${what}: invalid objects`, {
    diagnostics: errors,
  })
}
