import {createHash} from 'node:crypto'
import type {PackageFile} from '../unpack/package-file.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {FACT_KINDS, type KnownSpecs, type PackageSurface, type SurfaceOptions} from './package-surface.js'

/** Changes whenever the same files lead to another surface, or to another document: a test compares both. */
export const SURFACE_FORMAT = 5

/** Returns the key of a surface: the content of the package, which was verified when it was read, and what is read of it. */
export function surfaceKey(
  files: readonly PackageFile[],
  {isDescribed = false}: Partial<SurfaceOptions>,
): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([SURFACE_FORMAT, isDescribed]))
  for (const {path, bytes} of files) {
    hash.update(JSON.stringify([path, bytes.length]))
    hash.update(bytes)
  }
  return hash.digest('hex')
}

/**
 * Returns a surface as a document that is read as the same values; undefined for numbers that JSON does not have. Specs are texts, so that
 * of two releases of a package only those that differ are parsed.
 */
export function surfaceDocument(surface: PackageSurface): JsonObject | undefined {
  const {crds, facts, unread, activation} = surface
  const parts = {facts, unread, ...(activation === undefined ? {} : {activation})} as unknown as JsonObject
  if (!isExact(parts) || !crds.every(({spec}) => isExact(spec))) return undefined
  const texts = crds.map(({spec, ...crd}) => ({...crd, spec: JSON.stringify(spec)}))
  return {...parts, crds: texts as unknown as readonly JsonObject[]}
}

/** Returns Compositions as a document that is read as the same values; undefined for numbers that JSON does not have. */
export function compositionsDocument(compositions: readonly JsonObject[]): JsonObject | undefined {
  return isExact(compositions) ? {compositions} : undefined
}

/** Returns the Compositions of a document; undefined for any other one, as of a surface. */
export function compositionsOfDocument({compositions}: JsonObject): readonly JsonObject[] | undefined {
  const isRead = isListOf(compositions, () => true) && isShallow(compositions, MAX_DEPTH)
  return isRead ? asObjects(compositions) : undefined
}

/** Integers beyond 2^53 are read as such from YAML, and JSON has neither infinity nor a negative zero. */
function isExact(value: JsonValue | undefined): boolean {
  if (typeof value === 'bigint') return false
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (isJsonArray(value)) return value.every(isExact)
  return !isJsonObject(value) || Object.values(value).every(isExact)
}

/**
 * Returns the surface of a document; undefined for any other one: anyone can write to a shared cache. Its schemas are as little
 * trusted as those of a package. A spec that another document has, too, is the same value.
 */
export function surfaceOfDocument(
  document: JsonObject,
  specs: KnownSpecs = new Map(),
): PackageSurface | undefined {
  const {crds, facts, unread, activation} = document
  const isSurface =
    isListOf(crds, isCrd) &&
    isListOf(unread, isUnread) &&
    isJsonObject(facts) &&
    FACT_KINDS.every(kind => areTexts(facts[kind])) &&
    (activation === undefined || isActivation(activation)) &&
    isShallow(document, MAX_DEPTH)
  if (!isSurface) return undefined
  const read = asObjects(crds).flatMap(crd => {
    const spec = specOf(asText(crd.spec), specs)
    return spec === undefined ? [] : [{...crd, spec}]
  })
  return read.length === crds.length ? ({...document, crds: read} as unknown as PackageSurface) : undefined
}

function specOf(text: string, specs: KnownSpecs): JsonObject | undefined {
  const former = specs.get(text)
  if (former !== undefined) return former
  const spec = parsed(text)
  if (!isJsonObject(spec) || !isShallow(spec, MAX_DEPTH)) return undefined
  specs.set(text, spec)
  return spec
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** Deeper than any document that is read from YAML. */
const MAX_DEPTH = 120

function isShallow(value: JsonValue, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (left === 0) return false
  return Object.values(value).every((inner: JsonValue) => isShallow(inner, left - 1))
}

function isListOf(value: JsonValue | undefined, is: (item: JsonObject) => boolean): value is JsonArray {
  return isJsonArray(value) && value.every(item => isJsonObject(item) && is(item))
}

function areTexts(value: JsonValue | undefined): boolean {
  return isJsonArray(value) && asTexts(value).length === value.length
}

function hasTexts(object: JsonObject, ...names: readonly string[]): boolean {
  return names.every(name => typeof object[name] === 'string')
}

function hasFlags(object: JsonObject, ...names: readonly string[]): boolean {
  return names.every(name => typeof object[name] === 'boolean')
}

const SOURCES: readonly (JsonValue | undefined)[] = ['crd', 'mrd', 'xrd', 'claim', 'function-input']

function isCrd(crd: JsonObject): boolean {
  const {source, connectionKeys, isInactive, choice} = crd
  return (
    hasTexts(crd, 'name', 'kind', 'spec') &&
    SOURCES.includes(source) &&
    areTexts(connectionKeys) &&
    typeof isInactive === 'boolean' &&
    (choice === undefined || isChoice(asObject(choice)))
  )
}

function isChoice(choice: JsonObject): boolean {
  return hasTexts(choice, 'enforced', 'fallback') && hasFlags(choice, 'isManual', 'isModern')
}

function isUnread(part: JsonObject): boolean {
  return hasTexts(part, 'name', 'reason')
}

function isActivation(value: JsonValue): boolean {
  const activation = asObject(value)
  const {capabilities, objects, policies, compositions} = activation
  return (
    hasTexts(activation, 'kind') &&
    areTexts(capabilities) &&
    isListOf(objects, isObject) &&
    isListOf(policies, policy => hasTexts(asObject(policy.metadata), 'name')) &&
    isListOf(compositions, isComposing)
  )
}

function isObject(object: JsonObject): boolean {
  const {defines, composes} = object
  return (
    hasTexts(object, 'role', 'name') &&
    (defines === undefined || hasTexts(asObject(defines), 'group', 'kind', 'plural')) &&
    (composes === undefined ||
      (isListOf(asObject(composes).kinds, kind => hasTexts(kind, 'group', 'kind')) &&
        areTexts(asObject(composes).unread)))
  )
}

function isComposing(composing: JsonObject): boolean {
  const isPlaced =
    (...names: readonly string[]) =>
    (part: JsonObject) =>
      hasTexts(part, ...names) && Number.isSafeInteger(part.line)
  return (
    hasTexts(composing, 'kind', 'name', 'file') &&
    (composing.of === undefined || hasTexts(asObject(composing.of), 'group', 'kind')) &&
    isListOf(composing.uses, isPlaced('group', 'version', 'kind')) &&
    isListOf(composing.unread, isPlaced('step', 'function'))
  )
}
