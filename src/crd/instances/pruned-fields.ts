import {
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {
  additionalOf,
  EMBEDDED,
  itemsOf,
  META_FIELDS,
  PRESERVE,
  propertyOf,
  type Schema,
} from '../schema-node.js'

/**
 * Lists the fields of an object that the API server drops when it reads the object by a structural schema. The algorithm
 * is Kubernetes' own: apiextensions-apiserver/pkg/apiserver/schema/pruning.
 */
export function prunedFields(object: JsonObject, schema: Schema): readonly FieldPath[] {
  const pruned: FieldPath[] = []
  prune(object, {...schema, [EMBEDDED]: true}, undefined, pruned)
  return pruned
}

/** The place of a value within its parent: nearly all are kept, and need no whole path. */
interface Step {
  readonly above: Step | undefined
  readonly step: string | number
}

function pathOf({above, step}: Step): FieldPath {
  return above === undefined ? [step] : [...pathOf(above), step]
}

function prune(
  value: JsonValue,
  schema: Schema | undefined,
  above: Step | undefined,
  pruned: FieldPath[],
): void {
  if (isJsonObject(value)) pruneObject(value, schema, above, pruned)
  if (!isJsonArray(value)) return
  const items = itemsAsKept(schema)
  if (items === undefined && isPreserving(schema)) return
  for (const [step, item] of value.entries()) prune(item, items, {above, step}, pruned)
}

function pruneObject(
  object: JsonObject,
  schema: Schema | undefined,
  above: Step | undefined,
  pruned: FieldPath[],
): void {
  const isEmbedded = schema?.[EMBEDDED] === true
  for (const [step, part] of Object.entries(object)) {
    if (isEmbedded && META_FIELDS.includes(step)) continue
    const field = schema && propertyOf(schema, step)
    if (field !== undefined) prune(part, field, {above, step}, pruned)
    else if (isMap(schema)) prune(part, additionalOf(schema), {above, step}, pruned)
    else if (!isPreserving(schema)) pruned.push(pathOf({above, step}))
  }
}

function isPreserving(schema: Schema | undefined): boolean {
  return schema?.[PRESERVE] === true
}

/** Reports whether other fields than the named ones are known, also with `true`, which leaves their content open. */
function isMap(schema: Schema | undefined): schema is Schema {
  const additional = schema?.additionalProperties
  return additional === true || isJsonObject(additional)
}

/** A list that keeps unknown fields keeps those of its items, too. */
function itemsAsKept(list: Schema | undefined): Schema | undefined {
  const items = list && itemsOf(list)
  return items !== undefined && isPreserving(list) ? {...items, [PRESERVE]: true} : items
}
