import {schemaChanges} from '../changes/schema-changes.js'
import type {Schema} from '../schema-node.js'

/** A field for which a schema accepts less than another one. */
export interface NarrowedField {
  /** Such as `spec.size`; empty for the whole object. */
  readonly path: string
  /** Whether its values are dropped, or rejected. */
  readonly kind: 'pruned' | 'rejected'
}

/** Returns the fields for which the second schema accepts less than the first, in the order of the first. */
export function narrowedFields(before: Schema, after: Schema): readonly NarrowedField[] {
  const narrowed = new Map<string, NarrowedField>()
  for (const {path, effect} of schemaChanges(before, after)) {
    if (effect === 'none' || effect === 'changed') continue
    const kind = effect === 'dropped' ? 'pruned' : 'rejected'
    narrowed.set(`${kind} ${path}`, {path, kind})
  }
  return [...narrowed.values()]
}
