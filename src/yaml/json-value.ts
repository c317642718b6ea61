/**
 * What a YAML document holds after it was read as JSON. Integers that a double cannot hold exactly are bigints, so
 * that none loses a digit between reading and writing.
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

/** The value if it is an object, else one without fields: for looking into what was not checked. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The objects of a list; none for anything but a list. */
export function asObjects(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : []
}

/** The texts of a list; none for anything but a list. */
export function asTexts(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter(item => typeof item === 'string') : []
}

/** The value if it is text, else the empty one. */
export function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** `spec.versions[0].name`: a path as users write it; keys that are not plain words are quoted in brackets. */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}
