import {prunedFields} from '../../../../crd/instances/pruned-fields.js'
import {withDefaults} from '../../../../crd/instances/with-defaults.js'
import type {Schema} from '../../../../crd/schema-node.js'
import {
  asObject,
  asText,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../yaml/json-value.js'
import {isOpenText} from '../../../objects/open-values.js'
import type {PathStep} from '../schema-path.js'
import {readAt, type ValueRead} from './field-values.js'

/** What a patch reads: a value, none, why it fails, or that it is not certain, such as a status. */
type SourceRead = ValueRead | {readonly isUncertain: true}

/** An object that patches read. */
export interface PatchSource {
  read(steps: readonly PathStep[]): SourceRead
}

/** Returns a composite resource as a function sees it: without unknown fields, with defaults, all numbers as float64. */
export function compositeSource(object: JsonObject, schema: Schema, isClaim: boolean): PatchSource {
  const own = isClaim ? compositeOfClaim(object) : object
  const stored = withDefaults(withoutPlaces(own, prunedFields(own, schema)), schema)
  return sourceOf(floats(stored), steps => isUncertain(steps, isClaim))
}

/** Returns an object that is read as it is, all numbers as float64. */
export function plainSource(object: JsonValue): PatchSource {
  return sourceOf(floats(object), () => false)
}

/** Returns the environment: what the same step writes keeps its kind of numbers. */
export function environmentSource({
  object,
  open,
}: {
  readonly object: JsonValue
  readonly open: readonly (readonly PathStep[])[]
}): PatchSource {
  const source = sourceOf(object, () => false)
  return {
    read: steps => {
      const isUnknown = open.some(own =>
        own.every((step, at) => at >= steps.length || step === '[*]' || step === steps[at]),
      )
      return isUnknown ? {isUncertain: true} : source.read(steps)
    },
  }
}

function sourceOf(object: JsonValue, isOpen: (steps: readonly PathStep[]) => boolean): PatchSource {
  return {
    read: steps => {
      const read = readAt(object, steps)
      if ('value' in read) {
        return hasOpenText(read.value) || isOpenWhole(steps) ? {isUncertain: true} : read
      }
      return isOpen(steps) ? {isUncertain: true} : read
    },
  }

  function isOpenWhole(steps: readonly PathStep[]): boolean {
    return isOpen(steps) && (WHOLE.has(steps.join('.')) || steps[0] === 'status')
  }
}

/** Parts that Crossplane and Kubernetes add fields to. */
const WHOLE = new Set(['metadata', 'metadata.labels', 'metadata.annotations', 'spec', 'spec.crossplane', ''])

/** Fields of the spec that Crossplane sets. */
const MACHINERY = [
  ...['compositionRef', 'compositionSelector', 'compositionRevisionRef', 'compositionRevisionSelector'],
  ...['compositionUpdatePolicy', 'resourceRefs', 'writeConnectionSecretToRef', 'crossplane'],
  'publishConnectionDetailsTo',
]

function isUncertain([first, second, third]: readonly PathStep[], isClaim: boolean): boolean {
  if (first === undefined || first === 'status') return true
  if (first === 'spec') return second === undefined || MACHINERY.includes(String(second))
  if (first !== 'metadata') return false
  const isMap = second === 'labels' || second === 'annotations'
  return !isMap || third === undefined || isClaim || /\.?(?:crossplane|kubernetes)\.io\//.test(String(third))
}

const OF_CLAIM = [...MACHINERY, 'resourceRef', 'compositeDeletePolicy']

function compositeOfClaim({metadata, spec, ...claim}: JsonObject): JsonObject {
  const {labels, annotations, name, namespace} = asObject(metadata)
  const reference = {apiVersion: claim.apiVersion ?? '', kind: claim.kind ?? '', name: name ?? ''}
  const own = Object.entries(asObject(spec)).filter(([field]) => !OF_CLAIM.includes(field))
  return {
    ...claim,
    metadata: {
      ...(labels === undefined ? {} : {labels}),
      ...(annotations === undefined ? {} : {annotations}),
    },
    spec: {
      ...Object.fromEntries(own),
      claimRef: asText(namespace) === '' ? reference : {...reference, namespace: namespace ?? ''},
    },
  }
}

function withoutPlaces(object: JsonObject, places: readonly FieldPath[]): JsonObject {
  return places.reduce<JsonObject>((all, place) => asObject(without(all, place)), object)
}

function without(value: JsonValue, [step, ...below]: FieldPath): JsonValue {
  if (isJsonArray(value)) return value.map((item, at) => (at === step ? without(item, below) : item))
  if (!isJsonObject(value) || step === undefined) return value
  const {[step]: field, ...others} = value
  return below.length === 0 || field === undefined ? others : {...value, [step]: without(field, below)}
}

/** All numbers as float64, as each step gets them. */
export function floats(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (isJsonArray(value)) return value.map(floats)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, floats(field)]))
}

function hasOpenText(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(hasOpenText)
  if (!isJsonObject(value)) return isOpenText(value)
  return Object.entries(value).some(([name, field]) => isOpenText(name) || hasOpenText(field))
}
