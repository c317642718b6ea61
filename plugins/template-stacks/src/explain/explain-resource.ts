import {
  asObject,
  CrossplaneError,
  type FieldPath,
  formatPath,
  type JsonValue,
  type KubernetesObject,
  nameOf,
  objectKey,
  writeJson,
} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'
import type {Engine} from '../engines/engine.js'
import {fieldSteps} from '../kustomize/field-steps.js'
import {overlaysOf} from '../kustomize/overlay.js'
import type {TemplateLine, TemplateObject} from '../objects/template-object.js'
import {renderResource, type Templates, traceResource} from '../render-resource.js'
import {readFields, type ReadFields} from './read-fields.js'
import {isWithin, leavesOf, otherValue, valueAt, withValueAt} from './spec-fields.js'

/** A field of an object and what set it. */
export interface ExplainedField {
  readonly path: FieldPath
  readonly value: JsonValue
  /** The controller, which sets owner, namespace and labels of all objects. */
  readonly byController: boolean
  readonly template?: TemplateLine
  /** Fields of the custom resource whose value it depends on, each with the origin of that value. */
  readonly from: readonly {readonly field: string; readonly origin: Origin}[]
}

/** The custom resource, the default of its CRD, or the default of the chart; only charts have defaults. */
type Origin = 'custom resource' | 'CRD default' | 'chart default' | 'not set'

/** The objects of a custom resource with what set each field. */
export interface ExplainedResource {
  readonly resource: CustomResource
  readonly objects: readonly {readonly object: KubernetesObject; readonly fields: readonly ExplainedField[]}[]
  /** Fields of `spec` that nothing reads. */
  readonly unread: readonly string[]
}

/** Fields of `spec` that are changed one after the other. */
const MAX_CHANGES = 200

/**
 * Explains each field of the objects: by the line of the template that wrote it, and by changing each field of `spec` and
 * rendering again, which also shows what a condition or a computed name depends on.
 */
export async function explainResource(
  templates: Templates,
  resource: CustomResource,
  engine: Engine,
): Promise<ExplainedResource> {
  const {rendered, made} = await traceResource(templates, resource, engine)
  const reads = await readFields(templates, engine)
  const effects = await effectsOf(templates, resource, rendered.objects, engine)
  const objects = rendered.objects.map(({object}, index) => ({
    object,
    fields: leavesOf(object).map(({path, value}): ExplainedField => {
      const template = made[index]?.writtenAt(path)
      const byController = isControllers(made[index], path, value)
      const dependsOn = byController ? [] : [...effectOn(effects, object, path), ...reads.at(template)]
      const from = [...new Set(dependsOn)]
        .sort()
        .map(field => ({field, origin: originOf(field, resource, templates)}))
      return {path, value, byController, ...(byController || template === undefined ? {} : {template}), from}
    }),
  }))
  return {resource, objects, unread: unreadFields(templates, resource, reads, effects)}
}

function isControllers(made: TemplateObject | undefined, path: FieldPath, value: JsonValue): boolean {
  const before = valueAt(made?.object, path)
  return before === undefined || writeJson(before) !== writeJson(value)
}

/** Numbers are indices of lists. */
function stepsOf(field: string): FieldPath {
  return field.split('.').map(step => (/^\d+$/.test(step) ? Number(step) : step))
}

function originOf(field: string, {given, object}: CustomResource, {behavior}: Templates): Origin {
  const steps = stepsOf(field)
  if (valueAt(given, steps) !== undefined) return 'custom resource'
  if (valueAt(object, steps) !== undefined) return 'CRD default'
  return behavior.engine.type === 'helm3' ? 'chart default' : 'not set'
}

/** What a change of one field of `spec` changes; an error is a change of everything. */
interface Effect {
  readonly field: string
  readonly changed: ReadonlySet<string> | 'all'
}

async function effectsOf(
  templates: Templates,
  resource: CustomResource,
  before: readonly {readonly object: KubernetesObject}[],
  engine: Engine,
): Promise<readonly Effect[]> {
  const {spec} = resource.object
  if (spec === undefined) return []
  const effects: Effect[] = []
  for (const {path, value} of leavesOf(spec).slice(0, MAX_CHANGES)) {
    const changed = {
      ...resource,
      object: {...resource.object, spec: withValueAt(spec, path, otherValue(value))},
    }
    effects.push({
      field: `spec.${path.join('.')}`,
      changed: await changesBy(templates, changed, before, engine),
    })
  }
  return effects
}

async function changesBy(
  templates: Templates,
  resource: CustomResource,
  before: readonly {readonly object: KubernetesObject}[],
  engine: Engine,
): Promise<ReadonlySet<string> | 'all'> {
  try {
    const {objects} = await renderResource(templates, resource, engine)
    const after = new Set(objects.flatMap(({object}) => keysOf(object)))
    const keys = new Set(before.flatMap(({object}) => keysOf(object)))
    const changed = [...[...keys].filter(key => !after.has(key)), ...[...after].filter(key => !keys.has(key))]
    return new Set(changed.map(withoutValue))
  } catch (error) {
    if (error instanceof CrossplaneError) return 'all'
    throw error
  }
}

const END = '\n'

/** One text for each field of an object, with its value at the end. */
function keysOf(object: KubernetesObject): readonly string[] {
  return leavesOf(object).map(({path, value}) => `${fieldKey(object, path)}${END}${writeJson(value)}`)
}

function fieldKey(object: KubernetesObject, path: FieldPath): string {
  return `${objectKey(nameOf(object))} ${formatPath(path)}`
}

function withoutValue(key: string): string {
  return key.slice(0, key.indexOf(END))
}

function effectOn(effects: readonly Effect[], object: KubernetesObject, path: FieldPath): readonly string[] {
  const key = fieldKey(object, path)
  return effects.flatMap(({field, changed}) => (changed !== 'all' && changed.has(key) ? [field] : []))
}

function unreadFields(
  {behavior}: Templates,
  {object}: CustomResource,
  reads: ReadFields,
  effects: readonly Effect[],
): readonly string[] {
  const bound = overlaysOf(behavior).flatMap(({bindings}) =>
    bindings.map(({from}) => (fieldSteps(from) ?? []).join('.')),
  )
  const byField = new Map(effects.map(effect => [effect.field, effect]))
  return leavesOf(asObject(object.spec))
    .map(({path}) => ['spec', ...path].join('.'))
    .filter(field => field !== 'spec' && !reads.has(field) && !bound.some(each => isWithin(field, each)))
    .filter(field => {
      const effect = byField.get(field)
      return effect === undefined || (effect.changed !== 'all' && effect.changed.size === 0)
    })
}
