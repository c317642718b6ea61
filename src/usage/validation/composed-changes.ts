import type {SchemaChange, SchemaRule} from '../../crd/changes/schema-change.js'
import type {ObjectJudge} from '../../crd/instances/check-object.js'
import {asObjects, asText, type FieldPath, type JsonObject} from '../../yaml/json-value.js'
import {valueAt} from '../../yaml/value-at.js'
import type {KindJudgment} from '../objects/kind-judgments.js'
import {type JudgedObject, judgeObject, type ObjectFinding} from '../objects/object-findings.js'
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
  /** Those of later steps as well. */
  readonly patches: readonly PlacedPatch[]
  /** Whether a later step has another base for the resource. */
  readonly isReplaced: boolean
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
  if (judgment.kind !== 'pair' || composed.isReplaced) return []
  const {pair, findings, lostKeys} = judgment
  const origin: Parameters<typeof judgeObject>[3] = {
    ...object,
    changedBy: (path, keyword) => object.changedBy?.([...place, ...path], keyword),
  }
  const own = baseEffects(composed, judgeObject(composed.base, pair, judge, origin))
  return [
    ...[...own, ...findings].map(finding => ({...finding, path: [...place, ...finding.path]})),
    ...patchedChanges(composed, pair.differences),
    ...keyChanges(composed, lostKeys),
  ]
}

/** What the new schema rejects is reported of the Composition, which knows what patches complete. */
function baseEffects({patches}: ComposedBase, {findings, rejected}: JudgedObject): readonly ObjectFinding[] {
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
function patchedChanges(
  {base, patches}: ComposedBase,
  changes: readonly SchemaChange[],
): readonly ObjectFinding[] {
  if (patches.length === 0) return []
  const narrowed = changes.flatMap(({path, rule}) => {
    const message = NARROWED[rule]
    const steps = path === '' ? [] : path.replaceAll('[]', '.[]').split('.')
    return message === undefined ? [] : [{rule, steps, message}]
  })
  return patches.flatMap(({patch, place}) =>
    targetOf(patch).flatMap(target =>
      narrowed
        .filter(({rule, steps}) =>
          target.length > steps.length
            ? isAlong(target.slice(0, steps.length), steps) && concernsWhole(rule, base, steps)
            : isAlong(target, steps),
        )
        .map(({message}): ObjectFinding => ({verdict: 'meaning', path: place, message})),
    ),
  )
}

/** What a patch sets changes what is around it as well; what the base has is reported there. */
function concernsWhole(rule: SchemaRule, base: JsonObject, path: readonly string[]): boolean {
  return rule === 'condition-changed' || (rule === 'immutable' && valueAt(base, path) === undefined)
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
