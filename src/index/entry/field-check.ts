import type {Diagnostic} from '../../diagnostic.js'
import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {FieldForm} from './field-forms.js'

/** Of more than these nobody reads the others. */
const MAX_FAULTS = 20

/** Takes the fields of one document of an index, and notes those that are not of their form. */
export class FieldCheck {
  readonly diagnostics: Diagnostic[] = []
  readonly #place: Pick<Diagnostic, 'file' | 'line'>

  constructor(place: Pick<Diagnostic, 'file' | 'line'>) {
    this.#place = place
  }

  refuse(message: string, field?: string, rule = 'index-value'): void {
    if (this.diagnostics.length >= MAX_FAULTS) return
    const at = field === undefined ? {} : {field}
    this.diagnostics.push({severity: 'error', rule, message, ...this.#place, ...at})
  }

  text(value: JsonValue | undefined, field: string, form: FieldForm): string {
    if (typeof value === 'string' && form.is(value)) return value
    this.refuse(`${field} must be ${form.words}`, field)
    return ''
  }

  /** A list of at most `most`; of a longer one nothing. */
  list(value: JsonValue | undefined, field: string, most: number): readonly JsonValue[] {
    if (value !== undefined && isJsonArray(value) && value.length <= most) return value
    this.refuse(`${field} must be a list of at most ${most}`, field)
    return []
  }

  texts(value: JsonValue | undefined, field: string, most: number, form: FieldForm): string[] {
    return this.list(value, field, most).map((each, index) => this.text(each, `${field}[${index}]`, form))
  }

  object(value: JsonValue | undefined, field: string): JsonObject | undefined {
    if (isJsonObject(value)) return value
    this.refuse(`${field} must be an object`, field)
    return undefined
  }
}
