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
  return prunedIn(object, {...schema, [EMBEDDED]: true}, [])
}

function prunedIn(value: JsonValue, schema: Schema | undefined, path: FieldPath): readonly FieldPath[] {
  if (isJsonArray(value)) {
    const items = itemsAsKept(schema)
    if (items === undefined && isPreserving(schema)) return []
    return value.flatMap((item, index) => prunedIn(item, items, [...path, index]))
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, part]) => {
    if (schema?.[EMBEDDED] === true && META_FIELDS.includes(name)) return []
    const below = [...path, name]
    const field = schema && propertyOf(schema, name)
    if (field !== undefined) return prunedIn(part, field, below)
    if (isMap(schema)) return prunedIn(part, additionalOf(schema), below)
    return isPreserving(schema) ? [] : [below]
  })
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
