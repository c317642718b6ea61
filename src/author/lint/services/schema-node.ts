import {asObject, asTexts, type FieldPath, isJsonObject, type JsonObject} from '../../../yaml/json-value.js'

/** A part of the schema of a CRD, and its place in the document. */
export interface SchemaNode {
  readonly schema: JsonObject
  readonly path: FieldPath
}

/** Returns the schema of a field; undefined if it is not declared. */
export function fieldOf({schema, path}: SchemaNode, ...names: readonly string[]): SchemaNode | undefined {
  const [name, ...rest] = names
  if (name === undefined) return {schema, path}
  const declared = asObject(schema.properties)[name]
  if (!isJsonObject(declared)) return undefined
  return fieldOf({schema: declared, path: [...path, 'properties', name]}, ...rest)
}

/** The names of the declared fields. */
export function fieldNames({schema}: SchemaNode): readonly string[] {
  return Object.keys(asObject(schema.properties))
}

/** Reports whether objects must have the field. */
export function requires({schema}: SchemaNode, name: string): boolean {
  return asTexts(schema.required).includes(name)
}
