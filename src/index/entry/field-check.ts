import type {Diagnostic} from '../../diagnostic.js'
import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {FieldForm} from './field-forms.js'

/** The maximum number of errors that are reported for one document. */
const MAX_ERRORS = 20

/** Reads the fields of one document of an index, and collects the errors. */
export class FieldCheck {
  readonly diagnostics: Diagnostic[] = []
  readonly #place: Pick<Diagnostic, 'file' | 'line'>

  constructor(place: Pick<Diagnostic, 'file' | 'line'>) {
    this.#place = place
  }

  reject(message: string, field?: string, rule = 'index-value'): void {
    if (this.diagnostics.length >= MAX_ERRORS) return
    const at = field === undefined ? {} : {field}
    this.diagnostics.push({severity: 'error', rule, message, ...this.#place, ...at})
  }

  text(value: JsonValue | undefined, field: string, form: FieldForm): string {
    if (typeof value === 'string' && form.is(value)) return value
    this.reject(`${field} must be ${form.words}`, field)
    return ''
  }

  /** Returns a list of at most `max` items; an empty one for a longer list. */
  list(value: JsonValue | undefined, field: string, max: number): readonly JsonValue[] {
    if (value !== undefined && isJsonArray(value) && value.length <= max) return value
    this.reject(`${field} must be a list of at most ${max}`, field)
    return []
  }

  texts(value: JsonValue | undefined, field: string, max: number, form: FieldForm): string[] {
    return this.list(value, field, max).map((item, index) => this.text(item, `${field}[${index}]`, form))
  }

  object(value: JsonValue | undefined, field: string): JsonObject | undefined {
    if (isJsonObject(value)) return value
    this.reject(`${field} must be an object`, field)
    return undefined
  }
}
