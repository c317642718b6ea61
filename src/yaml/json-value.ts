/**
 * The content of a YAML document as JSON. Integers that a double cannot hold exactly are bigints, so that none loses
 * a digit between reading and writing.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject
export type JsonArray = readonly JsonValue[]
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** A place within a document: the keys and indexes that lead to it from the root. */
export type FieldPath = readonly (string | number)[]

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value)
}

/** Returns the value if it is an object, else an empty one: for reading unchecked values. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Returns the objects of a list; none for any other value. */
export function asObjects(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : []
}

/** Returns the texts of a list; none for any other value. */
export function asTexts(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter(item => typeof item === 'string') : []
}

/** Returns the value if it is text, else the empty text. */
export function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Formats a path as users write it, `spec.versions[0].name`; keys that are not plain words are quoted in brackets.
 */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}
