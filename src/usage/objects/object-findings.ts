import {valueAt} from '../../yaml/value-at.js'
import type {SchemaChange} from '../../crd/changes/schema-change.js'
import {schemaChanges} from '../../crd/changes/schema-changes.js'
import {
  checkStrictly,
  blocksRules,
  checkWritten,
  type ObjectJudge,
  UNKNOWN_FIELD,
  type ValueError,
  type WrittenErrors,
} from '../../crd/instances/check-object.js'
import {prunedFields} from '../../crd/instances/pruned-fields.js'
import {withDefaults} from '../../crd/instances/with-defaults.js'
import {additionalOf, itemsOf, propertyOf, RULES, type Schema} from '../../crd/schema-node.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {isOpenText, openReason} from './open-values.js'
import type {UsedObject} from './used-object.js'
import type {Verdict} from './verdict.js'

/** A verdict about a field of an object, or about the whole object if the path is empty. */
export interface ObjectFinding {
  readonly verdict: Verdict
  readonly path: FieldPath
  readonly message: string
  /** The kind that is concerned, of which a text of a Composition can name several. */
  readonly composed?: {readonly apiVersion: string; readonly kind: string}
  /** The composite resources whose values show it; absent where the schemas show it. */
  readonly composites?: readonly UsedObject[]
}

/** A version of a CRD: what decides about the objects that are written in it. */
export interface UsedVersion {
  readonly schema: Schema
  /** The schema of the storage version, if another one has it and objects are only renamed for it. */
  readonly storageSchema?: Schema
  /** Whether the status is a subresource, so that the status of what users write is dropped. */
  readonly hasStatus: boolean
}

/** A version before and after an upgrade. */
export interface VersionPair {
  readonly before: UsedVersion
  readonly after: UsedVersion
  /** The differences of the schemas. */
  readonly differences: readonly SchemaChange[]
  /** Those that an accepted value can notice. */
  readonly changes: readonly SchemaChange[]
}

/** Pairs two contents of a version; what they have in common is compared once for all objects. */
export function versionPair(before: UsedVersion, after: UsedVersion): VersionPair {
  const differences = schemaChanges(before.schema, after.schema)
  return {before, after, differences, changes: differences.filter(isNoticed)}
}

/** Defaults are compared by what they make of an object. */
function isNoticed({rule, effect, path}: SchemaChange): boolean {
  if (path === 'status' || path.startsWith('status.')) return false
  return (
    rule === 'enum-narrowed' ||
    rule === 'rule-added' ||
    effect === 'frozen' ||
    (effect === 'changed' && !rule.startsWith('default-'))
  )
}

/** What is known about an object. */
export interface JudgedObject {
  readonly findings: readonly ObjectFinding[]
  /** The errors that the former schema reports. */
  readonly errors: readonly ValueError[]
  /** The places that the new schema rejects. */
  readonly rejected: readonly FieldPath[]
}

/** Judges an object by the schemas of its version before and after an upgrade. */
export function judgeObject(
  object: JsonObject,
  pair: VersionPair,
  judge: ObjectJudge,
  origin: Pick<UsedObject, 'changedBy' | 'configuration'> = {},
): JudgedObject {
  const before = checkWritten(object, pair.before, judge)
  const after = checkWritten(object, pair.after, judge)
  const former = placesOf(before.errors)
  const unknown = placesOf(before.errors.filter(isUnknown))
  const reasonOf = (error: ValueError) => openReason({...origin, value: object}, error)
  const isOpen = (error: ValueError) => reasonOf(error) !== undefined
  const gone = after.errors.filter(
    error => isUnknown(error) && !unknown.has(textOf(error.place)) && !isOpen(error),
  )
  const findings = [
    ...after.errors
      .filter(error => !former.has(textOf(error.place)) && !isOpen(error))
      .map(({place, message}): ObjectFinding => ({verdict: 'breaks', path: place, message})),
    ...openFields(pair, before.errors.filter(isOpen), after.errors.filter(isOpen), reasonOf),
    ...lostFields(object, pair, gone),
    ...changedDefaults(object, pair),
    ...changedMeanings(object, pair, after),
    ...undecidedFields(pair, after.undecided),
  ].filter(({verdict, path}) => verdict === 'breaks' || verdict === 'lost' || !isWithin(path, gone))
  return {
    findings: distinct(findings),
    errors: before.errors.filter(error => !isOpen(error)),
    rejected: after.errors.map(({place}) => place),
  }
}

function isUnknown({keyword}: ValueError): boolean {
  return keyword === UNKNOWN_FIELD
}

function placesOf(errors: readonly ValueError[]): ReadonlySet<string> {
  return new Set(errors.map(({place}) => textOf(place)))
}

/** Of a field that is gone, nothing else is of interest. */
function isWithin(path: FieldPath, fields: readonly ValueError[]): boolean {
  return fields.some(({place}) => place.every((step, index) => path[index] === step))
}

function distinct(findings: readonly ObjectFinding[]): readonly ObjectFinding[] {
  return [
    ...new Map(findings.map(one => [JSON.stringify([one.verdict, one.path, one.message]), one])).values(),
  ]
}

/** What variables and templates become is not known, but it is accepted or rejected as before where the schema is the same. */
function openFields(
  {before, after}: VersionPair,
  old: readonly ValueError[],
  now: readonly ValueError[],
  reasonOf: (error: ValueError) => string | undefined,
): readonly ObjectFinding[] {
  const byPlace = new Map([...old, ...now].map(error => [textOf(error.place), error]))
  const [former, current] = [placesOf(old), placesOf(now)]
  return [...byPlace].flatMap(([text, error]): readonly ObjectFinding[] => {
    const {place, message} = error
    const open = place.findIndex(isOpenText)
    const whole = open < 0 ? place : place.slice(0, open)
    const [was, is] = [schemaAt(before.schema, whole), schemaAt(after.schema, whole)]
    const isSame = former.has(text) && current.has(text) && jsonEqual(was ?? null, is ?? null)
    return isSame ? [] : [{verdict: 'unread', path: place, message: reasonOf(error) ?? message}]
  })
}

/** Fields that are dropped by the version or by its storage, nulls, and a status that becomes a subresource. */
function lostFields(
  object: JsonObject,
  {before, after}: VersionPair,
  unknown: readonly ValueError[],
): readonly ObjectFinding[] {
  const stored = storedLosses(object, after)
  const former = new Set(
    [...storedLosses(object, before), ...prunedFields(object, before.schema)].map(textOf),
  )
  const isNew = (path: FieldPath) => !former.has(textOf(path))
  const status =
    after.hasStatus && !before.hasStatus && object.status !== undefined ? [['status'] as FieldPath] : []
  const gone = (path: FieldPath, message: string): ObjectFinding => ({verdict: 'lost', path, message})
  return [
    ...unknown.map(({place}) => gone(place, 'its value is dropped')),
    ...stored.filter(isNew).map(path => gone(path, 'the storage version drops the field')),
    ...status.map(path => gone(path, 'the status becomes a subresource and is ignored')),
  ]
}

function storedLosses(object: JsonObject, {storageSchema}: UsedVersion): readonly FieldPath[] {
  return storageSchema === undefined ? [] : prunedFields(object, storageSchema)
}

function textOf(path: FieldPath): string {
  return JSON.stringify(path)
}

/** What the server adds to an object, or makes of its nulls. */
function changedDefaults(object: JsonObject, {before, after}: VersionPair): readonly ObjectFinding[] {
  const [old = {}, now = {}] = [before, after].map(({schema}) => withDefaults(object, schema))
  const changed = differences(old, now, []).filter(({path}) => path[0] !== 'status')
  const findings = changed.flatMap(({path, old: was, now: is}): readonly ObjectFinding[] => {
    const own = valueAt(object, path)
    if (own === null) return nullFindings(path, is)
    return own === undefined ? [{verdict: 'meaning', path, message: defaultText(was, is)}] : []
  })
  const stored = changed.filter(
    ({path, old: was}) => was !== undefined && valueAt(object, path) === undefined,
  )
  return stored.length === 0 ? findings : [...findings, ...storedFindings(object, old, after.schema)]
}

/** On creation, null is dropped where it is not accepted; applied over a null that is stored, it is rejected. */
function nullFindings(path: FieldPath, is: JsonValue | undefined): readonly ObjectFinding[] {
  const lost = {verdict: 'lost', path, message: `null becomes ${valueText(is)}`} as const
  return is === undefined ? [{verdict: 'breaks', path, message: 'null is no longer accepted'}, lost] : [lost]
}

/** A default that was stored and has another type now cannot be read by a server-side apply. */
function storedFindings(object: JsonObject, stored: JsonObject, schema: Schema): readonly ObjectFinding[] {
  return checkStrictly(stored, schema).flatMap(({keyword, place, message}): readonly ObjectFinding[] => {
    if (keyword !== 'type' || place[0] === 'status' || valueAt(object, place) !== undefined) return []
    return [{verdict: 'breaks', path: place, message: `of the default that is stored: ${message}`}]
  })
}

interface Difference {
  readonly path: FieldPath
  readonly old: JsonValue | undefined
  readonly now: JsonValue | undefined
}

/** Returns the outermost fields that differ. */
function differences(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
  path: FieldPath,
): readonly Difference[] {
  if (isJsonObject(old) && isJsonObject(now)) {
    const names = new Set([...Object.keys(old), ...Object.keys(now)])
    return [...names].flatMap(name => differences(ownField(old, name), ownField(now, name), [...path, name]))
  }
  if (isJsonArray(old) && isJsonArray(now) && old.length === now.length)
    return old.flatMap((item, index) => differences(item, now[index], [...path, index]))
  return jsonEqual(old ?? null, now ?? null) && (old === undefined) === (now === undefined)
    ? []
    : [{path, old, now}]
}

/** A field can have the name of a method of all objects. */
function ownField(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function defaultText(was: JsonValue | undefined, is: JsonValue | undefined): string {
  if (was === undefined) return `the default becomes ${valueText(is)}`
  if (is === undefined) return `the default ${valueText(was)} is removed`
  return `the default changes from ${valueText(was)} to ${valueText(is)}`
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? 'no value' : writeJson(value).trim()
}

/** Changes that concern values which the object has. */
function changedMeanings(
  object: JsonObject,
  {changes}: VersionPair,
  {errors, undecided}: WrittenErrors,
): readonly ObjectFinding[] {
  const areEvaluated = !errors.some(blocksRules)
  const open = new Set(undecided.flatMap(({keyword, place}) => (keyword === RULES ? [textOf(place)] : [])))
  return changes.flatMap(change =>
    matching(object, change.path).map((path): ObjectFinding => {
      const isRule = change.rule === 'rule-added' && change.effect === 'rejected'
      if (isRule && (!areEvaluated || open.has(textOf(path))))
        return {verdict: 'unread', path, message: `a new rule is not evaluated: ${valueText(change.after)}`}
      if (isRule) return {verdict: 'meaning', path, message: `a rule is added: ${valueText(change.after)}`}
      return {verdict: 'meaning', path, message: MEANINGS[change.rule] ?? 'it is treated in another way'}
    }),
  )
}

const MEANINGS: Readonly<Partial<Record<SchemaChange['rule'], string>>> = {
  'enum-narrowed': 'other values are no longer accepted',
  'rule-added': 'changes of it can be rejected',
  immutable: 'it can no longer be changed',
  'list-type-changed': 'it is applied in another way',
}

/** Returns the places of an object that a path of a schema names, such as `spec.list[].name` or `spec.map.*`. */
function matching(object: JsonObject, path: string): readonly FieldPath[] {
  const steps = path === '' ? [] : path.replaceAll('[]', '.[]').split('.')
  let places: readonly {readonly path: FieldPath; readonly value: JsonValue}[] = [{path: [], value: object}]
  for (const step of steps) places = places.flatMap(place => belowOf(place, step))
  return places.map(place => place.path)
}

function belowOf({path, value}: {readonly path: FieldPath; readonly value: JsonValue}, step: string) {
  const entries: readonly (readonly [string | number, JsonValue])[] = isJsonArray(value)
    ? value.map((part, index) => [index, part] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : []
  const isIn = (key: string | number) =>
    step === '[]' ? typeof key === 'number' : step === '*' || key === step
  return entries.flatMap(([key, part]) => (isIn(key) ? [{path: [...path, key], value: part}] : []))
}

/** A keyword that is not evaluated has the same result before and after if it is the same. */
function undecidedFields(
  {before, after}: VersionPair,
  undecided: WrittenErrors['undecided'],
): readonly ObjectFinding[] {
  return undecided.flatMap(({keyword, place}): readonly ObjectFinding[] => {
    // Rules are compared with the schemas.
    if (keyword === RULES) return []
    const [old, now] = [schemaAt(before.schema, place), schemaAt(after.schema, place)]
    const isSame = DECIDING.every(name => jsonEqual(old?.[name] ?? null, now?.[name] ?? null))
    if (isSame) return []
    return [{verdict: 'unread', path: place, message: `the new ${keyword} cannot be evaluated`}]
  })
}

const DECIDING = ['pattern', 'format', 'multipleOf', 'type', 'allOf', 'anyOf', 'oneOf', 'not']

function schemaAt(schema: Schema, place: FieldPath): Schema | undefined {
  return place.reduce<Schema | undefined>((node, step) => {
    if (node === undefined) return undefined
    if (typeof step === 'number') return itemsOf(node)
    return propertyOf(node, step) ?? additionalOf(node)
  }, schema)
}
