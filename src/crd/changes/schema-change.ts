import type {JsonValue} from '../../yaml/json-value.js'

/**
 * What a change does to a value that the former schema accepts: the API server drops it, rejects it, rejects changes of it,
 * treats it or its absence in another way, or does nothing else.
 */
export type ChangeEffect = 'dropped' | 'rejected' | 'frozen' | 'changed' | 'none'

/** The kinds of changes of a schema. The names are an interface, described in docs/compare.md. */
export type SchemaRule =
  | ('field-removed' | 'field-added' | 'unknown-fields-dropped' | 'unknown-fields-kept')
  | ('type-changed' | 'type-widened' | 'null-rejected' | 'null-accepted')
  | ('required-added' | 'required-removed' | 'default-added' | 'default-changed' | 'default-removed')
  | ('enum-narrowed' | 'enum-widened' | 'limit-narrowed' | 'limit-widened')
  | ('pattern-changed' | 'pattern-removed' | 'format-changed' | 'condition-changed' | 'condition-removed')
  | ('rule-added' | 'rule-removed' | 'immutable' | 'list-type-changed' | 'unread')

/** How a schema differs from its former content in one place. */
export interface SchemaChange {
  /** Such as `spec.size`, `spec.list[]` or `spec.map.*`; empty for the whole object. Of a required field, its object. */
  readonly path: string
  readonly rule: SchemaRule
  readonly effect: ChangeEffect
  /** The former value of what changed; absent if there was none. */
  readonly before?: JsonValue
  /** The new value of what changed; absent if there is none. */
  readonly after?: JsonValue
}
