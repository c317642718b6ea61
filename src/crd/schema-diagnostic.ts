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
export function child({path, place}: Spot, name: string, key = name): Spot {
  return {path: path === '' ? name : `${path}.${name}`, place: [...place, key]}
}

/** An entry of a map, which the server prints in brackets. */
export function entry({path, place}: Spot, key: string): Spot {
  return {path: `${path}[${key}]`, place: [...place, key]}
}

/** An item of a list. */
export function item({path, place}: Spot, index: number): Spot {
  return {path: `${path}[${index}]`, place: [...place, index]}
}
