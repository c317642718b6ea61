import type {SchemaChange, SchemaRule} from '../../crd/changes/schema-change.js'
import {schemaChanges} from '../../crd/changes/schema-changes.js'
import {checkWritten, type ObjectJudge} from '../../crd/instances/check-object.js'
import {asObjects, asText, type FieldPath, type JsonObject} from '../../yaml/json-value.js'
import type {KindJudgment} from '../objects/kind-judgments.js'
import {judgeObject, type ObjectFinding} from '../objects/object-findings.js'
import type {UsedObject} from '../objects/used-object.js'
import type {PlacedPatch} from './composition/composition-finding.js'
import {targetOf} from './composition/validate-base.js'
import type {PathStep} from './composition/schema-path.js'

/** The base of a resource of patches and transforms. */
export interface ComposedBase {
  readonly resource: JsonObject
  readonly base: JsonObject
  readonly apiVersion: string
  readonly kind: string
  readonly patches: readonly PlacedPatch[]
  /** The place of the base. */
  readonly place: FieldPath
}

/**
 * Returns what a change of its kind does to a composed resource, besides what is wrong with the Composition: fields that are dropped, and values that
 * are treated in another way. What patches set is not known.
 */
export function composedChanges(
  composed: ComposedBase,
  judgment: KindJudgment,
  {judge, object}: {readonly judge: ObjectJudge; readonly object: UsedObject},
): readonly ObjectFinding[] {
  const {place} = composed
  if (judgment.kind === 'whole') return [{...judgment.finding, path: place}]
  if (judgment.kind !== 'pair') return []
  const {pair, findings, lostKeys} = judgment
  const changedBy: UsedObject['changedBy'] = (path, keyword) =>
    object.changedBy?.([...place, ...path], keyword)
  const own = baseEffects(composed, judgeObject(composed.base, pair, judge, changedBy).findings, {
    rejected: checkWritten(composed.base, pair.after, judge).errors.map(error => error.place),
  })
  return [
    ...[...own, ...findings].map(finding => ({...finding, path: [...place, ...finding.path]})),
    ...patchedChanges(composed, schemaChanges(pair.before.schema, pair.after.schema)),
    ...keyChanges(composed, lostKeys),
  ]
}

/** What the new schema rejects is reported of the Composition, which knows what patches complete. */
function baseEffects(
  {patches}: ComposedBase,
  findings: readonly ObjectFinding[],
  {rejected}: {readonly rejected: readonly FieldPath[]},
): readonly ObjectFinding[] {
  const errors = new Set(rejected.map(path => JSON.stringify(path)))
  const targets = patches.flatMap(({patch}) => targetOf(patch))
  const isSet = (path: FieldPath) =>
    targets.some(target => target.length <= path.length && isAlong(target, path.map(String)))
  return findings.filter(
    ({verdict, path}) =>
      (path.length === 0 || !isSet(path)) && (verdict !== 'breaks' || !errors.has(JSON.stringify(path))),
  )
}

/** Changes that reject values which the former schema accepts. */
const NARROWED: Readonly<Partial<Record<SchemaRule, string>>> = {
  'enum-narrowed': 'some values of the patch can be rejected: the enum is narrowed',
  'limit-narrowed': 'some values of the patch can be rejected: a limit is narrowed',
  'pattern-changed': 'some values of the patch can be rejected: the pattern changes',
  'format-changed': 'some values of the patch can be rejected: the format changes',
  'condition-changed': 'some values of the patch can be rejected: a condition changes',
  immutable: 'the field that the patch sets can no longer be changed',
}

/** A patch sets a value that is not known, and that the new schema may reject. */
function patchedChanges({patches}: ComposedBase, changes: readonly SchemaChange[]): readonly ObjectFinding[] {
  return patches.flatMap(({patch, place}) =>
    targetOf(patch).flatMap(target =>
      changes.flatMap(({path, rule}): readonly ObjectFinding[] => {
        const message = NARROWED[rule]
        const steps = path.replaceAll('[]', '.[]').split('.')
        if (message === undefined || target.length > steps.length || !isAlong(target, steps)) return []
        return [{verdict: 'meaning', path: place, message}]
      }),
    ),
  )
}

/** Reports whether a target is the same as a path, or around it. */
function isAlong(target: readonly PathStep[], path: readonly string[]): boolean {
  return target.every((step, at) => {
    const other = path[at]
    const isItem = typeof step === 'number' || step === '[*]'
    return other === String(step) || other === '*' || (isItem && (other === '[]' || step === '[*]'))
  })
}

function keyChanges({resource, place}: ComposedBase, lostKeys: readonly string[]): readonly ObjectFinding[] {
  return asObjects(resource.connectionDetails).flatMap((detail, at): readonly ObjectFinding[] => {
    const key = asText(detail.fromConnectionSecretKey)
    if (!lostKeys.includes(key)) return []
    const path = [...place.slice(0, -1), 'connectionDetails', at, 'fromConnectionSecretKey']
    return [{verdict: 'meaning', path, message: `connection details no longer have ${key}`}]
  })
}
