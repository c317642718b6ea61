import {quoted} from '../text.js'
import {isJsonArray, isJsonObject, type JsonValue} from '../yaml/json-value.js'

/** A field of a saved plan and the reason why it is invalid. */
export interface PlanDiagnostic {
  readonly field: string
  readonly message: string
}

/** Checks a value from any source; `field` is its path for messages. */
export type Shape = (value: JsonValue | undefined, field: string) => readonly PlanDiagnostic[]

/** Shapes of the fields of an object, by their names. */
export type Fields = Readonly<Record<string, Shape>>

/** Accepts what fulfils a condition, which `words` describe. */
export function shape(words: string, isValid: (value: JsonValue | undefined) => boolean): Shape {
  return (value, field) => (isValid(value) ? [] : [{field, message: `the value is not ${words}`}])
}

/** Accepts one of these texts. */
export function oneOf(texts: readonly string[]): Shape {
  return (value, field) =>
    texts.some(text => text === value)
      ? []
      : [{field, message: `unknown value ${quoted(shortened(value))}: use ${texts.join(', ')}`}]
}

/** Accepts lists of valid items. */
export function listOf(item: Shape): Shape {
  return (value, field) =>
    isJsonArray(value)
      ? value.flatMap((entry, index) => item(entry, `${field}[${index}]`))
      : [{field, message: 'the value is not a list'}]
}

/** Accepts objects with all required fields, any of the optional ones, and no others. */
export function objectOf(required: Fields, optional: Fields = {}): Shape {
  return (value, field) => {
    if (!isJsonObject(value)) return [{field, message: 'the value is not an object'}]
    const at = (name: string) => (field === '' ? name : `${field}.${name}`)
    const missing = Object.keys(required).filter(name => !Object.hasOwn(value, name))
    return [
      ...missing.map(name => ({field: at(name), message: 'the field is missing'})),
      ...Object.entries(value).flatMap(([name, part]) => {
        const memberShape = shapeIn(name, required) ?? shapeIn(name, optional)
        if (memberShape === undefined) return [{field: at(quotedIfNeeded(name)), message: 'unknown field'}]
        return memberShape(part, at(name))
      }),
    ]
  }
}

export const TEXT = shape('a string', value => typeof value === 'string')
export const TEXTS = listOf(TEXT)
export const BOOLEAN = shape('true or false', value => typeof value === 'boolean')
export const COUNT = shape(
  'a count',
  value => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
)
export const SHA256 = shape(
  'a SHA-256 in 64 lowercase hex digits',
  value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
)

function shapeIn(name: string, fields: Fields): Shape | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function quotedIfNeeded(name: string): string {
  return /^[\w-]{1,80}$/.test(name) ? name : quoted(shortened(name))
}

function shortened(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null, bigintText)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const MAX_SHOWN = 80

function bigintText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
