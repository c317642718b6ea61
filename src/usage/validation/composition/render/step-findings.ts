import {isDnsSubdomain} from '../../../../reference/kubernetes-names.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../yaml/json-value.js'
import type {CompositionFinding, PlacedPatch} from '../composition-finding.js'
import {parsePath} from '../schema-path.js'
import {appliedPatch, type PatchResult, type PatchTarget} from './apply-patch.js'
import {readAt} from './field-values.js'
import type {RenderInput} from './render-steps.js'

interface StepContext extends RenderInput {
  readonly hasSecret: boolean
  /** Whether the composite resource is in a namespace. */
  readonly isNamespaced: boolean
}

/** Judges readiness checks by the composed resources that exist, and the name of the Secret with connection details. */
export function stepFindings(
  input: JsonObject,
  place: FieldPath,
  context: StepContext,
): readonly CompositionFinding[] {
  const resources = asObjects(input.resources)
  const checks = resources.flatMap(({name, readinessChecks}, at) => {
    const object = context.observed.get(asText(name))
    if (object === undefined) return []
    return asObjects(readinessChecks).flatMap((check, index) =>
      checkFindings(object, check, [...place, 'resources', at, 'readinessChecks', index]),
    )
  })
  const hasDetails = resources.some(({connectionDetails}) => asObjects(connectionDetails).length > 0)
  return hasDetails && context.hasSecret ? [...checks, ...secretFindings(input, place, context)] : checks
}

const TYPES: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map(
  Object.entries({
    MatchString: value => typeof value === 'string',
    MatchInteger: () => false,
    MatchTrue: value => typeof value === 'boolean',
    MatchFalse: value => typeof value === 'boolean',
  }),
)

function checkFindings(
  object: JsonObject,
  check: JsonObject,
  place: FieldPath,
): readonly CompositionFinding[] {
  const steps = parsePath(asText(check.fieldPath))
  const isOfType = TYPES.get(asText(check.type))
  if ('error' in steps || isOfType === undefined) return []
  const read = readAt(object, steps)
  const message =
    'error' in read
      ? read.error
      : 'value' in read && !isOfType(read.value)
        ? `the check ${asText(check.type)} fails for the type of the value`
        : undefined
  return message === undefined
    ? []
    : [
        {
          rule: 'type-mismatch',
          place: [...place, 'fieldPath'],
          message: `${asText(check.fieldPath)}: ${message}`,
        },
      ]
}

/** Crossplane stops if a composed resource, as the Secret is one, has no valid name, or no namespace. */
function secretFindings(
  input: JsonObject,
  around: FieldPath,
  context: StepContext,
): readonly CompositionFinding[] {
  const setting = asObject(input.writeConnectionSecretToRef)
  const place = [...around, 'writeConnectionSecretToRef']
  const {reference, isOwn} = secretReference(setting, context)
  let target: PatchTarget = {object: reference, writes: [], open: [], skipped: []}
  for (const [at, patch] of asObjects(setting.patches).entries()) {
    const result = appliedSecretPatch({patch, place: [...place, 'patches', at]}, target, context)
    if ('failure' in result) return [{rule: 'patch-failed', ...result.failure}]
    target = textsOnly(result.target, target)
  }
  const at = (field: string) => {
    const last = target.writes.findLast(({steps: [step]}) => step === field)
    if (last !== undefined) return [...last.place, 'toFieldPath']
    return isOwn || setting[field] === undefined ? place : [...place, field]
  }
  const {name, namespace} = asObject(target.object)
  return [
    ...(isOpen(target, 'name') || asText(name) === '' || isDnsSubdomain(asText(name))
      ? []
      : [secretFinding('invalid', at('name'), `name: ${JSON.stringify(name)} is not a name of a Secret`)]),
    ...(context.isNamespaced || isOpen(target, 'namespace') || asText(namespace) !== ''
      ? []
      : [secretFinding('scope-mismatch', at('namespace'), WITHOUT_NAMESPACE)]),
  ]
}

const WITHOUT_NAMESPACE =
  'the Secret with the connection details of a composite resource of cluster scope has no namespace'

function secretFinding(
  rule: CompositionFinding['rule'],
  place: FieldPath,
  message: string,
): CompositionFinding {
  return {rule, place, message}
}

function isOpen({open}: PatchTarget, field: string): boolean {
  return open.some(([step]) => step === undefined || step === field)
}

/** What the composite resource says goes before the input; without both, Crossplane makes a name. */
function secretReference(
  {name, namespace}: JsonObject,
  {composite}: StepContext,
): {readonly reference: JsonObject; readonly isOwn: boolean} {
  const own = composite.read(['spec', 'writeConnectionSecretToRef'])
  if ('value' in own && isJsonObject(own.value)) return {reference: own.value, isOwn: true}
  return {
    reference: {
      ...(name === undefined ? {} : {name}),
      ...(namespace === undefined ? {} : {namespace}),
    },
    isOwn: false,
  }
}

/** Errors of an optional patch of one field are ignored; a combined value needs all of its variables. */
function appliedSecretPatch(
  placed: PlacedPatch,
  target: PatchTarget,
  {composite, reader}: StepContext,
): PatchResult {
  const {patch, place} = placed
  const isCombined = asText(patch.type).startsWith('Combine')
  const isRequired = isCombined || asObject(patch.policy).fromFieldPath === 'Required'
  const result = appliedPatch(placed, composite, target, reader)
  if (!isRequired) return 'failure' in result ? {target} : result
  if ('failure' in result || result.missing === undefined) return result
  const below = isCombined ? ['combine', 'variables'] : ['fromFieldPath']
  const message = `${result.missing} is required and has no value: no composed resource is applied`
  return {failure: {place: [...place, ...below], message}}
}

/** A name or a namespace that is no text is ignored. */
function textsOnly(target: PatchTarget, before: PatchTarget): PatchTarget {
  const {name, namespace} = asObject(before.object)
  const fields = Object.entries({name, namespace, ...asObject(target.object)}).flatMap(
    ([field, value]): [string, JsonValue][] => {
      const own = typeof value === 'string' ? value : asObject(before.object)[field]
      return own === undefined ? [] : [[field, own]]
    },
  )
  return {...target, object: Object.fromEntries(fields)}
}
