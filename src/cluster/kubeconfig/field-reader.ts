import {
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'

/** Reports an error of a field; the message continues its name, such as `must be a string`. */
export type ReportField = (path: FieldPath, message: string) => void

/**
 * Reads the fields of an object by their types, as Go does: null is the same as an absent field, unknown fields are
 * ignored. A value of another type is reported and read as absent. No message quotes a value, which may be a secret.
 */
export class FieldReader {
  readonly path: FieldPath
  readonly #object: JsonObject
  readonly #report: ReportField

  constructor(object: JsonObject, path: FieldPath, report: ReportField) {
    this.#object = object
    this.path = path
    this.#report = report
  }

  /** Empty where it is absent. */
  text(name: string): string {
    return this.#typed(name, '', value => (typeof value === 'string' ? value : undefined), 'must be a string')
  }

  isTrue(name: string): boolean {
    const isBoolean = (value: JsonValue) => (typeof value === 'boolean' ? value : undefined)
    return this.#typed(name, false, isBoolean, 'must be true or false')
  }

  /** Base64 as text; PEM is ASCII, so any other bytes are only kept apart. */
  decoded(name: string): string {
    return this.#typed(name, '', decode, 'must be base64')
  }

  texts(name: string): readonly string[] {
    return this.#typed(name, [], allTexts, 'must be a list of strings')
  }

  textMap(name: string): Readonly<Record<string, string>> {
    return this.#typed(name, {}, textsByName, 'must be an object of strings')
  }

  /** Lists by name, in the order of the file. */
  textLists(name: string): readonly (readonly [string, readonly string[]])[] {
    return this.#typed(name, [], listsByName, 'must be an object of lists of strings')
  }

  /** Undefined where it is absent. */
  object(name: string): FieldReader | undefined {
    const value = this.#typed(name, undefined, objectOf, 'must be an object')
    return value === undefined ? undefined : new FieldReader(value, [...this.path, name], this.#report)
  }

  objects(name: string): readonly FieldReader[] {
    const values = this.#typed(name, [], objectsOf, 'must be a list of objects')
    return values.map((value, at) => new FieldReader(value, [...this.path, name, at], this.#report))
  }

  value(name: string): JsonValue {
    return this.#object[name] ?? null
  }

  report(message: string, name?: string): void {
    this.#report(name === undefined ? this.path : [...this.path, name], message)
  }

  #typed<T>(name: string, absent: T, read: (value: JsonValue) => T | undefined, message: string): T {
    const value = this.value(name)
    if (value === null) return absent
    const field = read(value)
    if (field === undefined) this.report(message, name)
    return field ?? absent
  }
}

/** Go ignores line breaks in base64 and nothing else. */
function decode(value: JsonValue): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.replace(/[\r\n]/g, '')
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes.toString('latin1') : undefined
}

function allTexts(value: JsonValue): readonly string[] | undefined {
  if (!isJsonArray(value)) return undefined
  const texts = value.map(item => item ?? '').filter(item => typeof item === 'string')
  return texts.length === value.length ? texts : undefined
}

function textsByName(value: JsonValue): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined
  const texts = allTexts(Object.values(value))
  return texts && Object.fromEntries(Object.keys(value).map((key, at) => [key, texts[at] ?? '']))
}

function listsByName(value: JsonValue): readonly (readonly [string, readonly string[]])[] | undefined {
  if (!isJsonObject(value)) return undefined
  const lists = Object.entries(value).map(
    ([key, list]) => [key, list === null ? [] : allTexts(list)] as const,
  )
  const typed = lists.flatMap(([key, list]) => (list === undefined ? [] : [[key, list] as const]))
  return typed.length === lists.length ? typed : undefined
}

function objectOf(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

function objectsOf(value: JsonValue): readonly JsonObject[] | undefined {
  if (!isJsonArray(value)) return undefined
  const objects = value.map(item => item ?? {}).filter(isJsonObject)
  return objects.length === value.length ? objects : undefined
}
