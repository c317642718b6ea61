import {
  asObject,
  asText,
  bindingSteps,
  CrossplaneError,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listSome,
  quoted,
} from 'kubectl-crossplane/plugin'
import {boundValue, withBoundValue} from '../kustomize/binding-value.js'
import {valueType} from './value-type.js'

/** A `--bind FROM=KIND/NAME:TO`: a field of the custom resource that sets a field of an object. */
export interface FieldBinding {
  /** Dots separate the steps, as in behavior.yaml; below `spec`. */
  readonly from: string
  readonly kind: string
  readonly name: string
  readonly to: string
}

/** Parses `spec.region=Bucket/main:spec.region`. Throws `usage`. */
export function parseBinding(text: string): FieldBinding {
  const [, from, kind, name, to] = /^(spec(?:\.[^=]+)+)=([^/:]+)\/([^:]+):(.+)$/.exec(text) ?? []
  if (from === undefined || kind === undefined || name === undefined || to === undefined) {
    throw new CrossplaneError('usage', `invalid binding ${quoted(text)}`, {
      suggestions: [
        'Pass --bind FIELD=KIND/NAME:FIELD, for example --bind spec.region=Bucket/main:spec.region.',
      ],
    })
  }
  return {from, kind, name, to}
}

/** What bindings mean for a package: the overlays of behavior.yaml, and the schema and an example of `spec`. */
export interface Bound {
  readonly overlays: readonly JsonObject[]
  readonly schema: JsonObject
  readonly example: JsonObject
}

/**
 * Joins bindings with the objects that they change. A field gets the type and, in the example, the value that the object
 * has there. Throws `usage` for an object that the kustomization does not have.
 */
export function bind(bindings: readonly FieldBinding[], objects: readonly JsonObject[]): Bound {
  const bound = bindings.map(binding => ({binding, target: targetOf(binding, objects)}))
  const targets = [...new Set(bound.map(({target}) => target))]
  const values = bound.map(({binding, target}) => ({
    path: bindingSteps(binding.from).slice(1),
    value: valueAt(target, binding.to),
  }))
  return {
    overlays: targets.map(target => ({
      apiVersion: asText(target.apiVersion),
      kind: asText(target.kind),
      name: nameOf(target),
      bindings: bound.filter(each => each.target === target).map(({binding: {from, to}}) => ({from, to})),
    })),
    schema: values.reduce<JsonObject>((schema, {path, value}) => withProperty(schema, path, typeOf(value)), {
      type: 'object',
    }),
    example: values.reduce<JsonObject>(
      (spec, {path, value}) => (value === undefined ? spec : (withBoundValue(spec, path, value) ?? spec)),
      {},
    ),
  }
}

function targetOf({kind, name}: FieldBinding, objects: readonly JsonObject[]): JsonObject {
  const [target, other] = objects.filter(object => object.kind === kind && nameOf(object) === name)
  if (target !== undefined && other === undefined) return target
  const problem = target === undefined ? 'does not have' : 'has several objects'
  throw new CrossplaneError('usage', `the kustomization ${problem} ${kind}/${name}`, {
    suggestions: [
      objects.length === 0
        ? 'Pass the folder that contains the YAML files of the objects.'
        : `Use one of its objects: ${listSome(objects.map(object => `${asText(object.kind)}/${nameOf(object)}`))}.`,
    ],
  })
}

function nameOf(object: JsonObject): string {
  return asText(asObject(object.metadata).name)
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  return boundValue(object, bindingSteps(path)).found
}

function typeOf(value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null) return {'x-kubernetes-preserve-unknown-fields': true}
  if (isJsonArray(value)) return {type: 'array', items: typeOf(value[0])}
  if (isJsonObject(value)) return {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}
  return {type: valueType(value)}
}

function withProperty(
  schema: JsonObject,
  [step, ...others]: readonly string[],
  leaf: JsonObject,
): JsonObject {
  if (step === undefined) return leaf
  const properties = asObject(schema.properties)
  const inner = withProperty(asObject(properties[step] ?? {type: 'object'}), others, leaf)
  return {type: 'object', properties: {...properties, [step]: inner}}
}
