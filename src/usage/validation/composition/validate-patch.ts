import type {Schema} from '../../../crd/schema-node.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../../yaml/json-value.js'
import type {KnownKind} from '../known-kinds.js'
import {readAt} from './render/field-values.js'
import {parsePath, schemaAtPath} from './schema-path.js'
import {type CompositionFinding, dropped, type PlacedPatch} from './composition-finding.js'
import {transformed, transformsOf, typeMismatch, typeOfSchema, type ValueType} from './value-type.js'

/** The kinds of both sides; undefined where a schema is missing. */
interface PatchedKinds {
  readonly composite: KnownKind | undefined
  readonly composed: KnownKind | undefined
  /** The base of the resource, if the step has it. */
  readonly base?: JsonObject
}

/** Validates both paths of a patch, and the types that it moves. */
export function patchFindings(
  {patch, place}: PlacedPatch,
  kinds: PatchedKinds,
): readonly CompositionFinding[] {
  const type = asText(patch.type) || 'FromCompositeFieldPath'
  const [, combine = '', direction, other] = PATCH_TYPE.exec(type) ?? []
  if (direction === undefined) return []
  const isCombined = combine !== ''
  const outer = other === 'Composite' ? kinds.composite : undefined
  const [source, target] = inDirection(direction, outer, kinds.composed)
  const read = sourcesOf(patch, isCombined).map(({text, at}) =>
    lookUp(text, [...place, ...at], source, 'read'),
  )
  const {text, at} = targetOf(patch, isCombined)
  const write = lookUp(text, [...place, ...at], target, 'write')
  const types = {
    source: isCombined ? 'string' : typeOfSchema(read[0]?.schema),
    target: {path: text, schema: write.schema},
  } as const
  return [
    ...(isCombined ? combinedItems(text, [...place, ...at]) : []),
    ...read.flatMap(({finding}) => finding ?? []),
    ...[
      ...(write.finding === undefined ? statusOnly(type, text, [...place, ...at]) : [write.finding]),
      ...typeFindings(patch, place, {...types, isKept: keepsValue(patch, text, kinds.base)}),
    ].map(finding => (stopsFunction(finding, text) ? finding : withEffect(finding, type, text))),
  ]
}

const KEEPING: readonly (JsonValue | undefined)[] = [
  'MergeObjects',
  'MergeObject',
  'MergeObjectsAppendArrays',
]

/** A value of the base that is neither empty nor merged stays, whatever is written. */
function keepsValue({policy}: JsonObject, target: string, base: JsonObject | undefined): boolean {
  if (base === undefined || !KEEPING.includes(asObject(policy).toFieldPath)) return false
  const steps = parsePath(target)
  const read = 'error' in steps ? steps : readAt(base, steps)
  return 'value' in read && ['string', 'number', 'boolean'].includes(typeof read.value) && Boolean(read.value)
}

/** A malformed path and a transform stop the function; a target that a schema does not have, or of another type, does not. */
function stopsFunction({rule, place}: CompositionFinding, target: string): boolean {
  if (rule === 'type-mismatch') return place.at(-2) === 'transforms'
  return lookUp(target, place, undefined, 'write').finding !== undefined
}

function withEffect(finding: CompositionFinding, type: string, target: string): CompositionFinding {
  const isDropped = isOutsideStatus(type, target) && !target.includes('[*]')
  return isDropped ? {...finding, isDropped} : dropped(finding, target)
}

/** Returns the kind that is read and the kind that is written. */
function inDirection(direction: string, outer: KnownKind | undefined, inner: KnownKind | undefined) {
  return direction === 'From' ? ([outer, inner] as const) : ([inner, outer] as const)
}

const PATCH_TYPE = /^(Combine)?(From|To)(Composite|Environment)(?:FieldPath)?$/

/** A path of a patch, and where the patch has it. */
interface PatchPath {
  readonly text: string
  readonly at: FieldPath
}

function sourcesOf(patch: JsonObject, isCombined: boolean): readonly PatchPath[] {
  return isCombined ? variablesOf(patch) : [{text: asText(patch.fromFieldPath), at: ['fromFieldPath']}]
}

/** Without a target, a value is written to the path that it is read from. */
function targetOf({toFieldPath, fromFieldPath}: JsonObject, isCombined: boolean): PatchPath {
  if (toFieldPath !== undefined || isCombined) return {text: asText(toFieldPath), at: ['toFieldPath']}
  return {text: asText(fromFieldPath), at: ['fromFieldPath']}
}

function combinedItems(text: string, place: FieldPath): readonly CompositionFinding[] {
  if (!text.includes('[*]')) return []
  return [
    {rule: 'path-unknown', place, message: `the path ${text}: a combined value cannot be written to [*]`},
  ]
}

function variablesOf({combine}: JsonObject): readonly PatchPath[] {
  return asObjects(asObject(combine).variables).map(({fromFieldPath}, at) => ({
    text: asText(fromFieldPath),
    at: ['combine', 'variables', at, 'fromFieldPath'],
  }))
}

interface LookedUp {
  readonly schema?: Schema | undefined
  readonly finding?: CompositionFinding
}

/** The largest index that a patch can write. */
const MAX_INDEX = 1024

function lookUp(
  text: string,
  place: FieldPath,
  kind: KnownKind | undefined,
  access: 'read' | 'write',
): LookedUp {
  if (text === '') return {}
  const finding = (message: string): LookedUp => ({
    finding: {rule: 'path-unknown', place, message: `the path ${text}: ${message}`},
  })
  const steps = parsePath(text)
  if ('error' in steps) return finding(steps.error)
  if (access === 'read' && steps.includes('[*]')) return finding('[*] cannot be read')
  if (steps.some(step => typeof step === 'number' && step > MAX_INDEX))
    return access === 'read' ? {} : finding(`an index is greater than ${MAX_INDEX}`)
  if (kind === undefined) return {}
  const at = schemaAtPath(kind.schema, steps)
  return 'error' in at ? finding(at.error) : {schema: at.schema}
}

function isOutsideStatus(type: string, text: string): boolean {
  return /^(?:Combine)?ToComposite/.test(type) && text !== '' && !/^status\b/.test(text)
}

/** Crossplane writes only the status of a composite resource. */
function statusOnly(type: string, text: string, place: FieldPath): readonly CompositionFinding[] {
  if (!isOutsideStatus(type, text)) return []
  return [
    {
      rule: 'path-unknown',
      place,
      message: `the path ${text}: only the status of a composite resource is written`,
    },
  ]
}

interface MovedTypes {
  readonly source: ValueType
  readonly target: {readonly path: string; readonly schema: Schema | undefined}
  /** Whether a value of the base stays. */
  readonly isKept: boolean
}

function typeFindings(
  patch: JsonObject,
  place: FieldPath,
  {source, target, isKept}: MovedTypes,
): readonly CompositionFinding[] {
  const result = transformed(source, transformsOf(patch))
  if ('error' in result)
    return [{rule: 'type-mismatch', place: [...place, 'transforms', result.index], message: result.error}]
  const message = isKept ? undefined : typeMismatch(result.type, target)
  return message === undefined ? [] : [{rule: 'type-mismatch', place, message}]
}
