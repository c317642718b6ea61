import {
  type Diagnostic,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  quoted,
  writeJson,
} from 'kubectl-crossplane/plugin'
import {BEHAVIOR_FILE} from '../behavior-file.js'
import {boundValue, withBoundValue} from './binding-value.js'
import {fieldSteps} from './field-steps.js'
import {type Binding, type Overlay, overlayKey, overlayText} from './overlay.js'

/** The patches that the overlays of a behavior make for one custom resource. */
export interface OverlayPatches {
  /** One for each object, in the order of the first overlay for it. */
  readonly patches: readonly JsonObject[]
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

interface Collected {
  readonly errors: Diagnostic[]
  readonly warnings: Diagnostic[]
}

/** Makes the patches by the bindings. A field that the custom resource does not have is left as its base has it. */
export function overlayPatches(overlays: readonly Overlay[], resource: JsonObject): OverlayPatches {
  const collected: Collected = {errors: [], warnings: []}
  const byObject = new Map<string, {readonly overlay: Overlay; readonly fields: JsonObject}>()
  for (const overlay of overlays) {
    const fields = overlay.bindings.reduce<JsonObject>(
      (before, binding) => withBinding(before, {overlay, binding, resource}, collected),
      {},
    )
    const earlier = byObject.get(overlayKey(overlay))
    const merged = earlier === undefined ? fields : joined(earlier.fields, fields, overlay, collected)
    byObject.set(overlayKey(overlay), {overlay, fields: merged})
  }
  const patches = [...byObject.values()].map(({overlay, fields}) => patchOf(overlay, fields))
  return {patches, ...collected}
}

interface BindingPlace {
  readonly overlay: Overlay
  readonly binding: Binding
  readonly resource: JsonObject
}

function withBinding(fields: JsonObject, place: BindingPlace, collected: Collected): JsonObject {
  const {binding, resource} = place
  const [from, to] = [fieldSteps(binding.from), fieldSteps(binding.to)]
  const problem = pathProblem(binding.from, from) ?? pathProblem(binding.to, to)
  if (from === undefined || to === undefined || problem !== undefined) {
    collected.errors.push(bindingDiagnostic('error', place, problem ?? ''))
    return fields
  }
  const value = boundValue(resource, from)
  if (value.found !== undefined) return withField(fields, to, value.found, place, collected)
  if (value.blocked !== undefined) collected.errors.push(blockedFrom(place, value.blocked))
  else if (/\[\d+\]/.test(binding.from)) collected.warnings.push(indexWarning(place))
  return fields
}

function withField(
  fields: JsonObject,
  to: readonly string[],
  value: JsonValue,
  place: BindingPlace,
  {errors}: Collected,
): JsonObject {
  const target = quoted(place.binding.to)
  const changed = withBoundValue(fields, to, value)
  if (changed !== undefined && !IDENTITY.includes(to.join('.'))) return changed
  const message =
    changed === undefined
      ? `${target} is inside a value that an earlier binding of ${overlayText(place.overlay)} sets`
      : `${target} identifies the object and cannot be bound`
  errors.push(bindingDiagnostic('error', place, message))
  return fields
}

/** A patch with another identity is for another object, or for none. */
const IDENTITY = ['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace']

function pathProblem(path: string, steps: readonly string[] | undefined): string | undefined {
  if (steps === undefined) return `${quoted(path)} has an empty step`
  const map = steps.findIndex((step, index) => MAPS.includes(step) && steps[index - 1] === 'metadata')
  if (map === -1 || steps.length <= map + 2) return undefined
  const key = steps.slice(map + 1).join('.')
  const escaped = [...steps.slice(0, map + 1), key.replaceAll('.', '\\.')].join('.')
  return `${quoted(path)} is a path inside a text; for the key ${quoted(key)}, write ${quoted(escaped)}`
}

/** Maps of texts. */
const MAPS = ['annotations', 'labels']

function bindingDiagnostic(
  severity: 'error' | 'warning',
  {binding}: BindingPlace,
  message: string,
): Diagnostic {
  const what = `binding of ${binding.from} to ${binding.to}`
  return {severity, rule: 'kustomize-binding', message: `${what}: ${message}`, file: BEHAVIOR_FILE}
}

function blockedFrom(place: BindingPlace, blocked: string): Diagnostic {
  return bindingDiagnostic('error', place, `${blocked} of the custom resource has no fields: it is not a map`)
}

function indexWarning(place: BindingPlace): Diagnostic {
  const message = `${quoted(place.binding.from)} is not found: a path cannot select an item of a list`
  return bindingDiagnostic('warning', place, message)
}

function joined(before: JsonObject, after: JsonObject, overlay: Overlay, {errors}: Collected): JsonObject {
  const conflict = conflictIn(before, after, [])
  if (conflict !== undefined) {
    const message = `two overlays for ${overlayText(overlay)} set ${conflict} to different values`
    errors.push({severity: 'error', rule: 'kustomize-overlay', message, file: BEHAVIOR_FILE})
  }
  return mergedFields(before, after)
}

function conflictIn(before: JsonValue, after: JsonValue, path: readonly string[]): string | undefined {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return writeJson(before) === writeJson(after) ? undefined : path.join('.')
  }
  for (const [key, value] of Object.entries(after)) {
    const conflict = Object.hasOwn(before, key)
      ? conflictIn(before[key] ?? null, value, [...path, key])
      : undefined
    if (conflict !== undefined) return conflict
  }
  return undefined
}

function mergedFields(before: JsonObject, after: JsonObject): JsonObject {
  const changed = Object.entries(after).map(([key, value]): [string, JsonValue] => {
    const earlier = Object.hasOwn(before, key) ? before[key] : undefined
    return [key, isJsonObject(earlier) && isJsonObject(value) ? mergedFields(earlier, value) : value]
  })
  const kept = Object.entries(before).filter(([key]) => !Object.hasOwn(after, key))
  return Object.fromEntries([...kept, ...changed])
}

function patchOf({apiVersion, kind, name, namespace}: Overlay, fields: JsonObject): JsonObject {
  const metadata = isJsonObject(fields.metadata) ? fields.metadata : {}
  const place = namespace === undefined ? {} : {namespace}
  return {...fields, apiVersion, kind, metadata: {...metadata, name, ...place}} as JsonObject
}
