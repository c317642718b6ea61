import {isPatchAndTransform} from '../../../../xpkg/content/composed-kinds.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  isJsonObject,
  type JsonObject,
} from '../../../../yaml/json-value.js'
import {type PlacedPatch, placedPatches} from '../composition-finding.js'
import {appliedPatch, type PatchFailure, type PatchTarget} from './apply-patch.js'
import {environmentSource, floats, type PatchSource, plainSource} from './composite-source.js'
import type {PatternReader} from './transform-value.js'

/** A resource that a Composition makes of one composite resource. */
export interface RenderedResource extends PatchTarget {
  readonly name: string
  /** The place of the base within the Composition. */
  readonly place: FieldPath
}

/** What a Composition makes of one composite resource. */
export interface Rendered {
  readonly resources: readonly RenderedResource[]
  /** What patches write to the composite resource. */
  readonly composite: PatchTarget
  readonly failures: readonly PatchFailure[]
}

/** What is rendered. */
export interface RenderInput {
  readonly composition: JsonObject
  readonly composite: PatchSource
  /** The composed resources that exist, by their names in the Composition. */
  readonly observed: ReadonlyMap<string, JsonObject>
  readonly reader: PatternReader
}

interface State extends RenderInput {
  readonly desired: Map<string, RenderedResource>
  /** The environment and the composite resource, as patches leave them. */
  readonly outer: Map<Outer, PatchTarget>
  readonly failures: PatchFailure[]
  /** Whether a function that is not read ran before. */
  readonly isOpen: boolean
}

type Outer = 'environment' | 'composite'

const EMPTY: PatchTarget = {object: {}, writes: [], open: [], skipped: []}

/** Renders the steps of function-patch-and-transform; a fatal error ends the rendering. Crossplane v1 fills the environment before. */
export function renderComposition(input: RenderInput): Rendered {
  const {pipeline, environment} = asObject(input.composition.spec)
  const outer = new Map<Outer, PatchTarget>()
  if (isJsonObject(environment)) outer.set('environment', {...EMPTY, open: [[]]})
  const state: State = {...input, desired: new Map(), outer, failures: [], isOpen: false}
  const steps = asObjects(pipeline)
  let isOpen = false
  for (const [at, step] of steps.entries()) {
    const own = asObject(step.input)
    if (!isPatchAndTransform(step)) {
      state.outer.set('environment', {...outerOf(state, 'environment'), open: [[]]})
      isOpen = true
    } else if (!renderStep(own, ['spec', 'pipeline', at, 'input'], {...state, isOpen})) break
  }
  const {desired, failures} = state
  return {resources: [...desired.values()], composite: outerOf(state, 'composite'), failures}
}

function outerOf({outer}: State, name: Outer): PatchTarget {
  return outer.get(name) ?? EMPTY
}

/** Returns whether the pipeline continues. */
function renderStep(input: JsonObject, place: FieldPath, state: State): boolean {
  const before = outerOf(state, 'environment')
  state.outer.set('environment', {...before, object: floats(before.object), keepsWhole: true})
  const patches = asObjects(asObject(input.environment).patches)
  for (const [at, patch] of patches.entries()) {
    const placed = {patch, place: [...place, 'environment', 'patches', at]}
    if (!patchEnvironment(placed, state)) return false
  }
  const sets = new Map(asObjects(input.patchSets).map(set => [asText(set.name), set]))
  return asObjects(input.resources).every((resource, at) =>
    renderResource(resource, {place: [...place, 'resources', at], sets}, state),
  )
}

/** Patches of the environment: to it from the composite resource, or the other way. */
function patchEnvironment(placed: PlacedPatch, state: State): boolean {
  const type = asText(placed.patch.type) || 'FromCompositeFieldPath'
  const isTo = TO_ENVIRONMENT.includes(type)
  if (!isTo && !FROM_ENVIRONMENT.includes(type)) return true
  const name = isTo ? 'environment' : 'composite'
  const source = isTo ? state.composite : environmentSource(outerOf(state, 'environment'))
  const result = appliedPatch(placed, source, outerOf(state, name), state.reader)
  if ('target' in result) state.outer.set(name, result.target)
  return isContinued(placed, result, state)
}

const TO_ENVIRONMENT = ['FromCompositeFieldPath', 'CombineFromComposite', 'ToEnvironmentFieldPath']
const FROM_ENVIRONMENT = ['ToCompositeFieldPath', 'CombineToComposite', 'FromEnvironmentFieldPath']

/** In the environment, a required value that is missing is fatal. */
function isContinued(
  {patch, place}: PlacedPatch,
  result: ReturnType<typeof appliedPatch>,
  {failures}: State,
): boolean {
  if ('failure' in result) failures.push(result.failure)
  else if (result.missing !== undefined && isRequired(patch))
    failures.push({
      place: [...place, 'fromFieldPath'],
      message: `${result.missing} is required and has no value`,
    })
  else return true
  return false
}

function isRequired({policy}: JsonObject): boolean {
  return asObject(policy).fromFieldPath === 'Required'
}

interface ResourcePlace {
  readonly place: FieldPath
  readonly sets: ReadonlyMap<string, JsonObject>
}

function renderResource(resource: JsonObject, around: ResourcePlace, state: State): boolean {
  const name = asText(resource.name)
  const start = startOf(resource, around, state.desired.get(name))
  if (start === 'no-kind') return false
  if (start === undefined) {
    const message = 'the resource has no base, and no earlier step composes it'
    if (!state.isOpen) state.failures.push({place: around.place, message})
    return state.isOpen
  }
  let rendered = start
  for (const placed of placedPatches(resource, around)) {
    const next = patchResource(placed, rendered, state)
    if (next === 'held-back') return true
    if (next === 'fatal') return false
    rendered = next
  }
  state.desired.set(name, rendered)
  return true
}

/** A base replaces what an earlier step composes. */
function startOf(
  {name, base}: JsonObject,
  {place}: ResourcePlace,
  before: RenderedResource | undefined,
): RenderedResource | 'no-kind' | undefined {
  if (base === undefined) return before
  if (asText(asObject(base).kind) === '') return 'no-kind'
  return {...EMPTY, object: base, name: asText(name), place: [...place, 'base']}
}

function patchResource(
  placed: PlacedPatch,
  rendered: RenderedResource,
  state: State,
): RenderedResource | 'held-back' | 'fatal' {
  const type = asText(placed.patch.type) || 'FromCompositeFieldPath'
  if (/^(?:Combine)?To/.test(type)) return patchOuter(placed, rendered, type, state)
  const source = type.includes('Environment')
    ? environmentSource(outerOf(state, 'environment'))
    : state.composite
  const result = appliedPatch(placed, source, rendered, state.reader)
  if ('failure' in result) {
    state.failures.push(result.failure)
    return 'fatal'
  }
  if (result.missing === undefined || !isRequired(placed.patch)) return {...rendered, ...result.target}
  if (state.observed.has(rendered.name)) return {...rendered, ...result.target}
  const message = `${result.missing} is required and has no value: the resource is not composed`
  state.failures.push({place: [...placed.place, 'fromFieldPath'], message})
  return 'held-back'
}

/** Patches from a composed resource read it as it is in the cluster. */
function patchOuter(
  placed: PlacedPatch,
  rendered: RenderedResource,
  type: string,
  state: State,
): RenderedResource | 'fatal' {
  const name = type.includes('Environment') ? 'environment' : 'composite'
  const object = state.observed.get(rendered.name)
  const source: PatchSource = object === undefined ? UNCERTAIN : plainSource(object)
  const result = appliedPatch(placed, source, outerOf(state, name), state.reader)
  if ('failure' in result) {
    state.failures.push(result.failure)
    return 'fatal'
  }
  state.outer.set(name, result.target)
  return rendered
}

const UNCERTAIN: PatchSource = {read: () => ({isUncertain: true})}
