import {
  type OverwrittenField,
  overwrittenFields,
  overwrittenText,
  setByOthers,
} from '../health/sides/overwritten-fields.js'
import {objectKey, objectText} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import type {Decision} from '../pipeline/cluster/cluster-change.js'
import type {ClusterDiff} from '../pipeline/cluster/diff.js'

/** An object that a change overwrites: with its fields, or `absent` if someone deleted it. */
export interface OverwrittenObject {
  readonly object: ObjectName
  readonly fields: readonly OverwrittenField[] | 'absent'
}

/** Returns the objects that a plan changes, with each field. */
export function overwrittenObjects(
  {objects}: ClusterDiff,
  {snapshot: {live}}: Pick<Decision, 'snapshot'>,
): readonly OverwrittenObject[] {
  return objects.flatMap(({object, before, after}): readonly OverwrittenObject[] => {
    if (before === undefined) return [{object, fields: 'absent'}]
    const existing = live.get(objectKey(object))
    if (after === undefined || existing === undefined) return []
    const fields = overwrittenFields(existing, {before, after})
    return fields.length === 0 ? [] : [{object, fields}]
  })
}

/** Returns the objects of which other managers set fields that a change overwrites, with these fields. */
export function objectsSetByOthers(overwritten: readonly OverwrittenObject[]): readonly OverwrittenObject[] {
  return overwritten
    .map(({object, fields}) => ({object, fields: fields === 'absent' ? [] : setByOthers(fields)}))
    .filter(({fields}) => fields.length > 0)
}

/** Describes overwritten objects, without values. */
export function overwrittenObjectsText(overwritten: readonly OverwrittenObject[]): string {
  return overwritten
    .map(({object, fields}) =>
      fields === 'absent'
        ? `${objectText(object)} restored`
        : `${objectText(object)}: ${overwrittenText(fields)}`,
    )
    .join('; ')
}
