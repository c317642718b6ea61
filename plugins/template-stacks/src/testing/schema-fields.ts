import {
  asObject,
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'

/** Returns the fields of a schema that hold no further fields, as paths such as `spec.image.tag`; those of items with `[]`. */
export function schemaFields(schema: JsonObject, path: string): readonly string[] {
  const properties = Object.entries(asObject(schema.properties))
  if (properties.length > 0)
    return properties.flatMap(([name, field]) => schemaFields(asObject(field), below(path, name)))
  return isJsonObject(schema.items) ? schemaFields(schema.items, `${path}[]`) : [path]
}

/** Returns the paths of all parts of a value, in the same notation. */
export function valueFields(value: JsonValue, path: string): readonly string[] {
  if (isJsonArray(value)) return [path, ...value.flatMap(item => valueFields(item, `${path}[]`))]
  if (!isJsonObject(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([name, field]) => valueFields(field, below(path, name)))]
}

const ROOT = 'spec'

/** The path of a field, for example `spec.image` or `spec["a.b"]`. */
function below(path: string, name: string): string {
  return path + formatPath([ROOT, name]).slice(ROOT.length)
}
