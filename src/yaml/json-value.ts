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

/** `spec.versions[0].name`: a path as people write it; keys that are not plain words are quoted in brackets. */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}
