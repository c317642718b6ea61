import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {bindingSteps} from '../../unpack/templates/binding-steps.js'
import {kustomizeObjects, type KustomizeObject} from '../../unpack/templates/kustomize-kinds.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import type {Candidate} from './candidate.js'
import {fieldSchema, versionSchema, type FieldSchema} from './schema-fields.js'
import {watchedCrd} from './watched-crd.js'

/** Checks overlays against the objects of the kustomization, and bindings against the schema of the CRD. */
export function checkOverlays(candidate: Candidate): Diagnostic[] {
  const {behavior, templates} = candidate
  if (behavior === undefined || asText(behavior.value.engine.type) !== 'kustomize') return []
  const objects = templates === undefined ? undefined : kustomizeObjects(templates).objects
  const overlays = asObjects(asObject(behavior.value.engine.kustomize).overlays)
  const find = fieldFinder(candidate)
  return overlays.flatMap((overlay, index) => {
    const at = ['engine', 'kustomize', 'overlays', index]
    const target = objects?.find(object => isTarget(object, overlay))
    const report = (rule: string, path: FieldPath, message: string) =>
      diagnosticAt(behavior.document, rule, [...at, ...path], message)
    const missing =
      objects === undefined || target !== undefined
        ? []
        : [report('overlay-target', [], missingTarget(overlay, objects))]
    const {bindings} = overlay
    const all = asObjects(bindings)
    return [
      ...missing,
      ...all.flatMap((binding, place) => {
        const path = ['bindings', place]
        return [
          ...sourceProblem(binding, find).map(message =>
            report('binding-source', [...path, 'from'], message),
          ),
          ...targetProblem(binding, find, target).map(message =>
            report('binding-target', [...path, 'to'], message),
          ),
        ]
      }),
      ...twice(all).map(({place, message}) => report('binding-twice', ['bindings', place, 'to'], message)),
    ]
  })
}

/** Names can have the prefixes of bases; an overlay can use either name. */
function isTarget({object}: KustomizeObject, {apiVersion, kind, name}: JsonObject): boolean {
  const own = asText(asObject(object.metadata).name)
  const isNamed = own === name || (own !== '' && asText(name).endsWith(own))
  return object.apiVersion === apiVersion && object.kind === kind && isNamed
}

function missingTarget({apiVersion, kind, name}: JsonObject, objects: readonly KustomizeObject[]): string {
  const what = `${asText(kind)} ${asText(name)} of ${asText(apiVersion)}`
  const other = objects.find(
    ({object}) =>
      object.kind === kind && asObject(object.metadata).name === name && object.apiVersion !== apiVersion,
  )
  const why =
    other === undefined
      ? 'the kustomization has no such object'
      : `there it has the version ${asText(other.object.apiVersion)}`
  return `the overlay of ${what} has no target: ${why}`
}

type FindField = (path: readonly string[]) => FieldSchema | undefined

/** Undefined where the CRD or its schema is not known. */
function fieldFinder(candidate: Candidate): FindField {
  const watched = watchedCrd(candidate)
  const schema = watched && versionSchema(watched.crd, watched.version)
  return path => schema && fieldSchema(schema, path)
}

const INDEX = /\[\d*\]|(?:^|\.)\d+(?:\.|$)/

function sourceProblem({from}: JsonObject, find: FindField): readonly string[] {
  const field = asText(from)
  const schema = find(bindingSteps(field))
  if (schema === 'list' || (INDEX.test(field) && schema !== 'any' && !isJsonObject(schema)))
    return [`${field} goes through a list, which a binding cannot read`]
  return schema === 'none' ? [`the schema of the CRD has no ${field}`] : []
}

function targetProblem(
  {from, to}: JsonObject,
  find: FindField,
  target: KustomizeObject | undefined,
): readonly string[] {
  const field = asText(to)
  if (/\[\d*\]/.test(field)) return [`${field} goes through a list, which a binding cannot set`]
  if (target === undefined) return []
  const base = ownValueAt(target.object, bindingSteps(field))
  if (base === THROUGH_LIST) return [`${field} goes through a list, which a binding cannot set`]
  const schema = find(bindingSteps(asText(from)))
  if (base === undefined || !isJsonObject(schema)) return []
  const [bound, own] = [typeOfSchema(schema), typeOfValue(base)]
  if (bound === undefined || own === undefined || bound === own) return []
  return [`${asText(from)} is ${article(bound)}, but ${field} is ${article(own)} in the kustomization`]
}

function article(type: string): string {
  return type === 'integer' || type === 'object' || type === 'array' ? `an ${type}` : `a ${type}`
}

const THROUGH_LIST = Symbol('through a list')

function ownValueAt(
  object: JsonObject,
  path: readonly string[],
): JsonValue | typeof THROUGH_LIST | undefined {
  let value: JsonValue | undefined = object
  for (const step of path) {
    if (isJsonArray(value)) return THROUGH_LIST
    if (!isJsonObject(value)) return undefined
    value = value[step]
  }
  return value ?? undefined
}

function typeOfSchema(schema: JsonObject): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return undefined
  const type = asText(schema.type)
  return type === 'integer' ? 'number' : type || undefined
}

function typeOfValue(value: JsonValue): string | undefined {
  if (isJsonArray(value)) return 'array'
  if (isJsonObject(value)) return 'object'
  return typeof value === 'bigint' ? 'number' : typeof value
}

interface Repeated {
  readonly place: number
  readonly message: string
}

/** A binding also replaces the fields below its own that earlier ones set. */
function twice(bindings: readonly JsonObject[]): readonly Repeated[] {
  const fields = bindings.map(({to}) => bindingSteps(asText(to)))
  return fields.flatMap((field, place) => {
    const other = fields.slice(0, place).find(before => field.every((step, index) => before[index] === step))
    if (other === undefined) return []
    const message = `the field ${field.join('.')} replaces ${other.join('.')}, which an earlier binding sets`
    return [{place, message}]
  })
}
