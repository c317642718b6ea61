import {
  checkStrictly,
  checkWritten,
  type ObjectJudge,
  UNKNOWN_FIELD,
  type ValueError,
} from '../../../../crd/instances/check-object.js'
import {additionalOf, itemsOf, propertyOf, type Schema} from '../../../../crd/schema-node.js'
import {isDnsSubdomain, isLabelValue, isQualifiedName} from '../../../../reference/kubernetes-names.js'
import {
  asObject,
  asText,
  type FieldPath,
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../yaml/json-value.js'
import type {ValidationRule} from '../../validation.js'
import {isOpenError} from '../../../objects/open-values.js'
import type {KnownKind} from '../../known-kinds.js'
import {OBJECT_META} from '../../object-meta.js'
import type {CompositionFinding} from '../composition-finding.js'
import type {PathStep} from '../schema-path.js'
import type {PatchTarget} from './apply-patch.js'
import type {RenderedResource} from './render-steps.js'

/** Judges a composed resource with the values of one composite resource, as the server-side apply of Crossplane does. */
export function renderedFindings(
  resource: RenderedResource,
  kind: KnownKind,
  {isNamespaced, judge}: {readonly isNamespaced: boolean; readonly judge: ObjectJudge},
): readonly CompositionFinding[] {
  const object = asObject(resource.object)
  const isIgnored = ({keyword, place}: ValueError) =>
    kind.hasStatus && place[0] === 'status' && keyword !== UNKNOWN_FIELD
  const own = checkWritten(object, kind, judge).errors
  const places = new Set(own.map(({place}) => formatPath(place)))
  const isNew = ({place}: ValueError) => !places.has(formatPath(place))
  const errors = [
    ...[...own, ...nullErrors(object, kind.schema, []).filter(isNew)].filter(error => !isIgnored(error)),
    ...metadataErrors(asObject(object.metadata)),
    ...(isNamespaced || !kind.isNamespaced ? [] : namespaceErrors(object)),
  ]
  return placedFindings(errors, resource, resource.place)
}

/** Judges what patches write to the status of a composite resource. */
export function statusFindings(
  target: PatchTarget,
  {schema}: KnownKind,
  judge: ObjectJudge,
): readonly CompositionFinding[] {
  const {status} = asObject(target.object)
  const own = asObject(schema.properties).status
  if (!isJsonObject(status) || !isJsonObject(own)) return []
  const placed = checkStrictly(status, {...own, required: []}, judge).map(error => ({
    ...error,
    place: ['status', ...error.place],
  }))
  return placedFindings(placed, target, [])
}

/** Returns the findings of errors at the patches that write the fields, or at the base. */
function placedFindings(
  errors: readonly ValueError[],
  target: PatchTarget,
  base: FieldPath,
): readonly CompositionFinding[] {
  const object = asObject(target.object)
  return errors
    .filter(error => !isOpenError(object, error) && !target.open.some(open => covers(open, error.place)))
    .map(({keyword, place, message}) => ({
      rule: ruleOf(keyword),
      place: patchPlace(target, {keyword, place}) ?? [...base, ...(keyword === SCOPE ? [] : place)],
      message: `${formatPath(place)}: ${message}`,
    }))
}

/** Returns the part of the last patch that an error is due to. */
function patchPlace(
  {writes, skipped}: PatchTarget,
  {keyword, place}: Pick<ValueError, 'keyword' | 'place'>,
): FieldPath | undefined {
  const own = writes.findLast(({steps}) => covers(steps, place) || isFilled(steps, place))
  if (own !== undefined) return [...own.place, 'toFieldPath']
  const source = skipped.find(({steps}) => covers(steps, place))
  if (source !== undefined) return [...source.place, 'fromFieldPath']
  const around = place.slice(0, -1)
  const beside =
    keyword === 'required'
      ? writes.findLast(({steps}) => steps.length === place.length && covers(steps, around))
      : undefined
  return beside === undefined ? undefined : [...beside.place, 'toFieldPath']
}

/** A write to an index fills the items before it with nulls. */
function isFilled(steps: readonly PathStep[], place: FieldPath): boolean {
  const at = place.length - 1
  const [index, own] = [place[at], steps[at]]
  return (
    typeof index === 'number' && typeof own === 'number' && index < own && covers(steps.slice(0, at), place)
  )
}

/** A path covers what is within it, and what is around it. */
function covers(steps: readonly PathStep[], place: FieldPath): boolean {
  return steps.every((step, at) => at >= place.length || step === '[*]' || String(step) === String(place[at]))
}

const SCOPE = 'scope'
const RULES: Readonly<Record<string, ValidationRule>> = {
  [UNKNOWN_FIELD]: 'unknown-field',
  required: 'required-unset',
  [SCOPE]: 'scope-mismatch',
  type: 'type-mismatch',
}

function ruleOf(keyword: string): ValidationRule {
  return RULES[keyword] ?? 'invalid'
}

/** A plain request drops nulls of fields that are not nullable; the one of Crossplane is rejected. */
function nullErrors(value: JsonValue, schema: Schema | undefined, place: FieldPath): readonly ValueError[] {
  if (schema === undefined) return []
  if (value === null) {
    const isAny = schema.nullable === true || asText(schema.type) === ''
    return isAny ? [] : [{keyword: 'type', place, message: 'it is null'}]
  }
  if (isJsonArray(value))
    return value.flatMap((item, at) => nullErrors(item, itemsOf(schema), [...place, at]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, field]) =>
    nullErrors(field, propertyOf(schema, name) ?? additionalOf(schema), [...place, name]),
  )
}

function metadataErrors(metadata: JsonObject): readonly ValueError[] {
  const types = checkStrictly(metadata, OBJECT_META)
  const {name, labels, annotations} = metadata
  const errors: ValueError[] = [...types]
  if (typeof name === 'string' && name !== '' && !isDnsSubdomain(name))
    errors.push({
      keyword: 'name',
      place: ['name'],
      message: `${JSON.stringify(name)} is not a name of an object`,
    })
  for (const [key, value] of Object.entries(asObject(labels))) {
    if (!isQualifiedName(key))
      errors.push({keyword: 'label', place: ['labels', key], message: 'it is not a name of a label'})
    else if (typeof value === 'string' && !isLabelValue(value))
      errors.push({
        keyword: 'label',
        place: ['labels', key],
        message: `${JSON.stringify(value)} is not a value of a label`,
      })
  }
  for (const key of Object.keys(asObject(annotations)))
    if (!isQualifiedName(key.toLowerCase()))
      errors.push({
        keyword: 'label',
        place: ['annotations', key],
        message: 'it is not a name of an annotation',
      })
  return errors.map(error => ({...error, place: ['metadata', ...error.place]}))
}

function namespaceErrors({metadata}: JsonObject): readonly ValueError[] {
  if (asText(asObject(metadata).namespace) !== '') return []
  const message = 'the kind is namespaced, and there is no namespace'
  return [{keyword: SCOPE, place: ['metadata', 'namespace'], message}]
}
