import {isDnsSubdomain} from '../../../../reference/kubernetes-names.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../../../yaml/json-value.js'
import type {CompositionFinding} from '../composition-finding.js'
import {parsePath} from '../schema-path.js'
import {appliedPatch, type PatchTarget} from './apply-patch.js'
import {readAt} from './field-values.js'
import type {RenderInput} from './render-steps.js'

/** Judges readiness checks by the composed resources that exist, and the name of the Secret with connection details. */
export function stepFindings(
  input: JsonObject,
  place: FieldPath,
  context: RenderInput & {readonly hasSecret: boolean},
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

/** Crossplane stops if a composed resource, as the Secret is one, has no valid name. */
function secretFindings(
  input: JsonObject,
  around: FieldPath,
  {composite, reader}: RenderInput,
): readonly CompositionFinding[] {
  const {patches, ...reference} = asObject(input.writeConnectionSecretToRef)
  const place = [...around, 'writeConnectionSecretToRef']
  let target: PatchTarget = {object: reference, writes: [], open: [], skipped: []}
  for (const [at, patch] of asObjects(patches).entries()) {
    const result = appliedPatch({patch, place: [...place, 'patches', at]}, composite, target, reader)
    if ('failure' in result) return [{rule: 'patch-failed', ...result.failure}]
    target = result.target
  }
  const {name} = asObject(target.object)
  const isOpen = target.open.some(([step]) => step === undefined || step === 'name')
  if (isOpen || name === undefined || name === null || name === '') return []
  if (typeof name === 'string' && isDnsSubdomain(name)) return []
  const last = target.writes.findLast(({steps: [step]}) => step === 'name')
  const message = `name: ${JSON.stringify(name)} is not a name of a Secret`
  return [
    {
      rule: 'invalid',
      place: last === undefined ? [...place, 'name'] : [...last.place, 'toFieldPath'],
      message,
    },
  ]
}
