import {checkStrictly, UNKNOWN_FIELD} from '../../../crd/instances/check-object.js'
import {isPatchAndTransform, kindsOfTexts, WITHOUT_RESOURCES} from '../../../xpkg/content/composed-kinds.js'
import {asObject, asObjects, asText, type FieldPath, type JsonObject} from '../../../yaml/json-value.js'
import {isModern, type KnownKind, type KnownKinds} from '../known-kinds.js'
import {builtinSchemaOf} from './builtin-schemas.js'
import {
  certainlyLacking,
  composesOthers,
  type CompositionFinding,
  laterPatches,
  placedPatches,
} from './composition-finding.js'
import {type CoreGeneration, isOfResources, resourcesMode} from './composition-mode.js'
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

/** Validates a Composition: the inputs of its functions, and the resources of function-patch-and-transform. */
export function validateComposition(
  composition: JsonObject,
  {kinds, allows, generation}: StepSetting & {readonly generation?: CoreGeneration | undefined},
): CompositionResult {
  const {compositeTypeRef, pipeline} = asObject(composition.spec)
  const {apiVersion, kind} = asObject(compositeTypeRef)
  const definition = kinds.of(asText(apiVersion), asText(kind))
  const composite = typeof definition === 'object' ? definition : undefined
  const composed = new Map<string, JsonObject>()
  const results: CompositionResult[] = []
  const steps = asObjects(pipeline)
  for (const [at, step] of steps.entries()) {
    const isOpen = steps.slice(0, at).some(composesOthers)
    results.push(stepResult(step, at, {kinds, allows, composite, composed, isOpen, pipeline: steps}))
  }
  const referenced = {apiVersion: asText(apiVersion), kind: asText(kind)}
  const whole = isOfResources(composition)
    ? resourcesMode(composition, generation)
    : {findings: pipelineFindings(asObject(composition.spec)), unread: []}
  return {
    findings: distinct([
      ...unknownKind(referenced, {kinds, allows: () => false}, ['spec', 'compositeTypeRef']),
      ...whole.findings,
      ...results.flatMap(({findings}) => findings),
    ]),
    unread: [
      ...whole.unread,
      ...(composite?.isStored === false ? [NOT_REFERENCEABLE] : []),
      ...results.flatMap(({unread}) => unread),
    ],
  }
}

/** Crossplane reads composite resources in the version of their XRD that is referenceable; an API server accepts the Composition. */
const NOT_REFERENCEABLE: CompositionResult['unread'][number] = {
  place: ['spec', 'compositeTypeRef', 'apiVersion'],
  message: 'the version is not the referenceable one of the XRD: no composite resource uses the Composition',
}

/** The schema of an input and the function itself can reject the same field; a text can name several kinds. */
function distinct(findings: readonly CompositionFinding[]): readonly CompositionFinding[] {
  return [...new Map(findings.map(one => [JSON.stringify([one.place, one.composed]), one])).values()]
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

function stepResult(step: JsonObject, at: number, context: Omit<StepContext, 'step'>): CompositionResult {
  const place = ['spec', 'pipeline', at]
  const input = asObject(step.input)
  const {findings, isRead} = inputFindings(input, context.kinds)
  const isKnown = isPatchAndTransform(step)
  const own = isKnown ? stepFindings(input, {...context, step: at}) : []
  const name = asText(asObject(step.functionRef).name)
  const isWhole = isKnown || (WITHOUT_RESOURCES.test(name) && (isRead || step.input === undefined))
  const reason = isRead ? 'only the schema of its input is validated' : 'its input is not validated'
  const others = isKnown ? [] : namedKinds(input, context)
  return {
    findings: [...findings, ...own, ...others].map(one => below([...place, 'input'], one)),
    unread: isWhole ? [] : [{place, message: `the function ${name}: ${reason}`}],
  }
}

/** Of a template or a program, the kinds that it names are read; functions have kinds of their own, of which no objects are made. */
function namedKinds(input: JsonObject, {kinds, allows}: StepSetting): readonly CompositionFinding[] {
  const named = kindsOfTexts(input).filter(({group}) => !/(?:^|\.)fn\.crossplane\.io$/.test(group))
  return named.flatMap(({group, version, kind}) => {
    const composed = {apiVersion: `${group}/${version}`, kind}
    return unknownKind(composed, {kinds, allows}, []).map(finding => ({...finding, composed}))
  })
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

/** What is known about kinds. */
interface StepSetting {
  readonly kinds: KnownKinds
  /** Reports whether a kind needs no schema. */
  readonly allows: (apiVersion: string, kind: string) => boolean
}

interface StepContext extends StepSetting {
  readonly composite: KnownKind | undefined
  readonly pipeline: readonly JsonObject[]
  /** The index of the step. */
  readonly step: number
  /** The bases of the resources of earlier steps, by their names. */
  readonly composed: Map<string, JsonObject>
  /** Whether an earlier step can compose resources that are not known. */
  readonly isOpen: boolean
}

function stepFindings(input: JsonObject, context: StepContext): readonly CompositionFinding[] {
  const {composite} = context
  const hasSecret = composite === undefined || isModern(composite)
  const errors = inputErrors(input, {hasSecret}).map((error): CompositionFinding => ({
    rule: 'input-invalid',
    ...error,
  }))
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
  const sets = unknownSets(resource, context)
  const before = composed.get(name)
  if (resource.base !== undefined) {
    composed.set(name, asObject(resource.base))
    return [...sets, ...composedFindings(resource, context)]
  }
  if (before !== undefined) return [...sets, ...laterFindings(resource, before, context)]
  const message = 'the resource has no base, and no earlier step composes it'
  return isOpen ? sets : [...sets, {rule: 'input-invalid', place, message}]
}

/** A resource that an earlier step composes can be patched further. */
function laterFindings(
  resource: JsonObject,
  base: JsonObject,
  {kinds, composite, ...context}: ResourceContext,
): readonly CompositionFinding[] {
  const composed = knownKind(kinds, asText(base.apiVersion), asText(base.kind))
  const patches = placedPatches(resource, context)
  return [
    ...patches.flatMap(patch => patchFindings(patch, {composite, composed, base})),
    ...observedPaths(resource, context.place, composed),
  ]
}

function knownKind(kinds: KnownKinds, apiVersion: string, kind: string): KnownKind | undefined {
  const definition = kinds.of(apiVersion, kind) ?? builtinSchemaOf(apiVersion, kind)
  return typeof definition === 'object' ? definition : undefined
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
  const composed = knownKind(context.kinds, apiVersion, kind)
  const own = placedPatches(resource, context)
  const pair = {composite: context.composite, composed}
  const {step, pipeline} = context
  const index = Number(context.place.at(-1))
  const later = laterPatches(pipeline, {step, index, name: asText(resource.name)})
  const patches = [...own, ...later.patches]
  return [
    ...unknownKind({apiVersion, kind}, context, place),
    ...(composed === undefined || later.isReplaced
      ? []
      : certainlyLacking(baseFindings(base, {...pair, composed, patches, place}), {pipeline, step})),
    ...own.flatMap(patch => patchFindings(patch, {...pair, base})),
    ...observedPaths(resource, context.place, composed),
  ]
}

function unknownKind(
  {apiVersion, kind}: {readonly apiVersion: string; readonly kind: string},
  {kinds, allows}: Pick<StepSetting, 'kinds' | 'allows'>,
  place: FieldPath,
): readonly CompositionFinding[] {
  const definition = kinds.of(apiVersion, kind)
  if (typeof definition === 'object') return []
  if (definition !== undefined)
    return [{rule: 'not-served', place, message: `${apiVersion} ${kind}: ${definition}`}]
  if (allows(apiVersion, kind)) return []
  return [{rule: 'no-schema', place, message: `no package defines ${kind} of ${apiVersion}`}]
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
      text: WITHOUT_PATH.has(asText(check.type)) ? '' : asText(check.fieldPath),
      types: CHECKED.get(asText(check.type)),
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

/** Readiness checks that do not read a path, even if they have one. */
const WITHOUT_PATH = new Set(['None', 'MatchCondition'])

/** The types that each readiness check can match; the function reads all numbers as fractions, so that no integer matches. */
const CHECKED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    MatchString: ['string'],
    MatchInteger: [],
    MatchTrue: ['boolean'],
    MatchFalse: ['boolean'],
  }),
)

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
