import type {FieldPath} from '../yaml/json-value.js'

/** The rule of the API server that is violated, as a stable word. */
type SchemaRule =
  | 'metadata' // the object's own name, labels or annotations
  | 'api-approval' // a group of the Kubernetes community without its approval annotation
  | 'group'
  | 'scope'
  | 'names'
  | 'preserve-unknown-fields'
  | 'versions' // names, the one storage version, deprecation
  | 'conversion'
  | 'printer-column'
  | 'scale'
  | 'selectable-field'
  | 'schema-missing'
  | 'root' // not allowed at the root of a schema
  | 'keyword' // a keyword that structural schemas do not have
  | 'type' // missing, unknown or not the one that its place requires
  | 'items-missing'
  | 'additional-properties'
  | 'metadata-restriction'
  | 'embedded-resource'
  | 'int-or-string'
  | 'pattern' // not a regular expression of Go
  | 'junctor' // not allowed within allOf, anyOf, oneOf or not
  | 'incomplete' // a field that only a junctor names
  | 'list-type'
  | 'map-type'
  | 'validation-rule'
  | 'default'

/** A place with both of its names. */
export interface Spot {
  /** As the API server prints it: the path in its internal form, where equal schemas are one `spec.validation`. */
  readonly path: string
  /** Within the given CRD; that of the first version if the server sees all versions as one. */
  readonly place: FieldPath
}

/** An error that a current API server rejects. */
export interface SchemaDiagnostic extends Spot {
  readonly rule: SchemaRule
  readonly message: string
}

export type Report = (rule: SchemaRule, spot: Spot, message: string) => void

/** A field below a place; `key` is its name in the CRD if the server prints another. */
export function child(around: Spot, name: string, key = name): Spot {
  return new Below(around, `.${name}`, key)
}

/** An entry of a map, which the server prints in brackets. */
export function entry(around: Spot, key: string): Spot {
  return new Below(around, `[${key}]`, key)
}

/** An item of a list. */
export function item(around: Spot, index: number): Spot {
  return new Below(around, `[${index}]`, index)
}

/** A place below another: nearly all are visited without a diagnostic, so its names are made when they are read. */
class Below implements Spot {
  readonly #around: Spot
  readonly #step: string
  readonly #key: string | number

  constructor(around: Spot, step: string, key: string | number) {
    this.#around = around
    this.#step = step
    this.#key = key
  }

  get path(): string {
    const {path} = this.#around
    return path === '' && this.#step.startsWith('.') ? this.#step.slice(1) : path + this.#step
  }

  get place(): FieldPath {
    return [...this.#around.place, this.#key]
  }
}
