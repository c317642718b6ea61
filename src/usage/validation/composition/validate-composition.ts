import {checkStrictly, UNKNOWN_FIELD} from '../../../crd/instances/check-object.js'
import {groupOf} from '../../../kubernetes/object-key.js'
import {builtinOfKind} from '../../../kubernetes/builtin-kinds.js'
import {asObject, asObjects, asText, type FieldPath, type JsonObject} from '../../../yaml/json-value.js'
import type {KnownKind, KnownKinds} from '../known-kinds.js'
import type {CompositionFinding, PlacedPatch} from './composition-finding.js'
import {inputErrors} from './input-errors.js'
import {baseFindings} from './validate-base.js'
import {patchFindings} from './validate-patch.js'
import {parsePath, schemaAtPath} from './schema-path.js'
import {typeOfSchema} from './value-type.js'

/** What is wrong with a Composition, and the steps that are not read. */
export interface CompositionResult {
  readonly findings: readonly CompositionFinding[]
  readonly unread: readonly Omit<CompositionFinding, 'rule'>[]
}

const PATCH_AND_TRANSFORM = 'pt.fn.crossplane.io'

/** Validates a Composition: the inputs of its functions, and the resources of function-patch-and-transform. */
export function validateComposition(composition: JsonObject, kinds: KnownKinds): CompositionResult {
  const {compositeTypeRef, pipeline} = asObject(composition.spec)
  const {apiVersion, kind} = asObject(compositeTypeRef)
  const definition = kinds.of(asText(apiVersion), asText(kind))
  const composite = typeof definition === 'object' ? definition : undefined
  const composed = new Set<string>()
  const results: CompositionResult[] = []
  for (const [at, step] of asObjects(pipeline).entries()) {
    const isOpen = results.some(({unread}) => unread.length > 0)
    results.push(stepResult(step, ['spec', 'pipeline', at], {kinds, composite, composed, isOpen}))
  }
  const message = definition ?? `no package defines ${asText(kind)} of ${asText(apiVersion)}`
  return {
    findings: distinct([
      ...(typeof message === 'string'
        ? [{rule: 'no-schema' as const, place: ['spec', 'compositeTypeRef'], message}]
        : []),
      ...pipelineFindings(asObject(composition.spec)),
      ...results.flatMap(({findings}) => findings),
    ]),
    unread: results.flatMap(({unread}) => unread),
  }
}

/** The schema of an input and the function itself can reject the same field. */
function distinct(findings: readonly CompositionFinding[]): readonly CompositionFinding[] {
  return [...new Map(findings.map(one => [JSON.stringify(one.place), one])).values()]
}

function pipelineFindings({mode, pipeline}: JsonObject): readonly CompositionFinding[] {
  const steps = asObjects(pipeline)
  if (steps.length === 0 && (mode === undefined || mode === 'Pipeline'))
    return [{rule: 'invalid', place: ['spec', 'pipeline'], message: 'at least one step is required'}]
  const names = steps.map(({step}) => asText(step))
  return names.flatMap((name, at): readonly CompositionFinding[] =>
    names.indexOf(name) === at
      ? []
      : [
          {
            rule: 'invalid',
            place: ['spec', 'pipeline', at, 'step'],
            message: 'an earlier step has the same name',
          },
        ],
  )
}

function stepResult(step: JsonObject, place: FieldPath, context: StepContext): CompositionResult {
  const input = asObject(step.input)
  const {findings, isRead} = inputFindings(input, context.kinds)
  const isKnown = groupOf(asText(input.apiVersion)) === PATCH_AND_TRANSFORM
  const own = isKnown ? stepFindings(input, context) : []
  const reason = isRead ? 'only the schema of its input is validated' : 'its input is not validated'
  const message = `the function ${asText(asObject(step.functionRef).name)}: ${reason}`
  return {
    findings: [...findings, ...own].map(one => below([...place, 'input'], one)),
    unread: isKnown ? [] : [{place, message}],
  }
}

function below(around: FieldPath, {place, ...finding}: CompositionFinding): CompositionFinding {
  return {...finding, place: [...around, ...place]}
}

function inputFindings(
  input: JsonObject,
  kinds: KnownKinds,
): {readonly findings: readonly CompositionFinding[]; readonly isRead: boolean} {
  const schema = kinds.inputOf(asText(input.apiVersion), asText(input.kind))
  if (schema === undefined) return {findings: [], isRead: false}
  const findings = checkStrictly(input, schema).map(({keyword, place, message}): CompositionFinding => ({
    rule: keyword === UNKNOWN_FIELD ? 'unknown-field' : 'input-invalid',
    ...{place, message},
  }))
  return {findings, isRead: true}
}

interface StepContext {
  readonly kinds: KnownKinds
  readonly composite: KnownKind | undefined
  /** The names of the resources of earlier steps. */
  readonly composed: Set<string>
  /** Whether an earlier step can compose resources that are not known. */
  readonly isOpen: boolean
}

function stepFindings(input: JsonObject, context: StepContext): readonly CompositionFinding[] {
  const errors = inputErrors(input).map((error): CompositionFinding => ({rule: 'input-invalid', ...error}))
  const sets = new Map(asObjects(input.patchSets).map(set => [asText(set.name), set]))
  const resources = asObjects(input.resources).flatMap((resource, at) =>
    resourceFindings(resource, {...context, sets, place: ['resources', at]}),
  )
  return [...errors, ...resources]
}

interface ResourceContext extends StepContext {
  readonly sets: ReadonlyMap<string, JsonObject>
  readonly place: FieldPath
}

function resourceFindings(resource: JsonObject, context: ResourceContext): readonly CompositionFinding[] {
  const {composed, isOpen, place} = context
  const name = asText(resource.name)
  const isMade = composed.has(name) || isOpen
  const sets = unknownSets(resource, context)
  if (resource.base === undefined) {
    const message = 'the resource has no base, and no earlier step composes it'
    return isMade ? sets : [...sets, {rule: 'input-invalid', place, message}]
  }
  composed.add(name)
  return [...sets, ...composedFindings(resource, context)]
}

function unknownSets({patches}: JsonObject, {sets, place}: ResourceContext): readonly CompositionFinding[] {
  return asObjects(patches).flatMap((patch, at): readonly CompositionFinding[] => {
    const set = asText(patch.patchSetName)
    if (patch.type !== 'PatchSet' || set === '' || sets.has(set)) return []
    const message = `no patch set has the name ${set}`
    return [{rule: 'input-invalid', place: [...place, 'patches', at, 'patchSetName'], message}]
  })
}

function composedFindings(resource: JsonObject, context: ResourceContext): readonly CompositionFinding[] {
  const place = [...context.place, 'base']
  const base = asObject(resource.base)
  const [apiVersion, kind] = [asText(base.apiVersion), asText(base.kind)]
  if (kind === '') return [{rule: 'invalid', place, message: 'the base has no kind'}]
  const definition = context.kinds.of(apiVersion, kind)
  const composed = typeof definition === 'object' ? definition : undefined
  const patches = placedPatches(resource, context)
  const pair = {composite: context.composite, composed}
  return [
    ...unknownKind(definition, base, place),
    ...(composed === undefined ? [] : baseFindings(base, {...pair, composed, patches, place})),
    ...patches.flatMap(patch => patchFindings(patch, pair)),
    ...observedPaths(resource, context.place, composed),
  ]
}

/** Kinds of Kubernetes are in no package. */
function unknownKind(
  definition: KnownKind | string | undefined,
  {apiVersion, kind}: JsonObject,
  place: FieldPath,
): readonly CompositionFinding[] {
  if (typeof definition === 'object') return []
  if (builtinOfKind(groupOf(asText(apiVersion)), asText(kind)) !== undefined) return []
  const message = definition ?? `no package defines ${asText(kind)} of ${asText(apiVersion)}`
  return [{rule: 'no-schema', place, message}]
}

function placedPatches(resource: JsonObject, {sets, place}: ResourceContext): readonly PlacedPatch[] {
  return asObjects(resource.patches).flatMap((patch, at): readonly PlacedPatch[] => {
    const own = [...place, 'patches', at]
    if (patch.type !== 'PatchSet') return [{patch, place: own}]
    const set = sets.get(asText(patch.patchSetName))
    return asObjects(set?.patches).map(inner => ({patch: inner, place: own}))
  })
}

/** Fields of the composed resource that readiness checks and connection details read. */
function observedPaths(
  resource: JsonObject,
  place: FieldPath,
  target: KnownKind | undefined,
): readonly CompositionFinding[] {
  if (target === undefined) return []
  const read = [
    ...asObjects(resource.readinessChecks).map((check, at) => ({
      text: asText(check.fieldPath),
      types: CHECKED[asText(check.type)],
      place: [...place, 'readinessChecks', at, 'fieldPath'],
    })),
    ...asObjects(resource.connectionDetails).map((detail, at) => ({
      text: asText(detail.fromFieldPath),
      types: undefined,
      place: [...place, 'connectionDetails', at, 'fromFieldPath'],
    })),
  ]
  return read.flatMap(({text, types, place: at}) =>
    text === '' ? [] : observedPath(text, at, {target, types}),
  )
}

/** The types that each readiness check can match; the function reads all numbers as fractions, so that no integer matches. */
const CHECKED: Readonly<Record<string, readonly string[]>> = {
  MatchString: ['string'],
  MatchInteger: [],
  MatchTrue: ['boolean'],
  MatchFalse: ['boolean'],
}

interface Observed {
  readonly target: KnownKind
  readonly types: readonly string[] | undefined
}

function observedPath(
  text: string,
  place: FieldPath,
  {target, types}: Observed,
): readonly CompositionFinding[] {
  const steps = parsePath(text)
  if ('error' in steps)
    return [{rule: 'path-unknown', place, message: `the path ${text} is malformed: ${steps.error}`}]
  const at = schemaAtPath(target.schema, steps)
  if ('error' in at) return [{rule: 'path-unknown', place, message: `the path ${text}: ${at.error}`}]
  const type = typeOfSchema(at.schema)
  if (type === undefined || types?.includes(type) !== false) return []
  return [{rule: 'type-mismatch', place, message: `the check never matches a value of type ${type}`}]
}
