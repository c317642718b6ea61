import {isImageSource} from '../reference/image-source.js'
import {formatImageName, parseImageName} from '../reference/image-name.js'
import {canonicalName} from '../reference/repository-name.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'

/** The settings that a declaration takes from its base; no other one can stand in a base. */
export const INHERITED = [
  'acknowledged',
  'argocd',
  'assume',
  'coreVersion',
  'crossplaneVersion',
  'defaultSource',
  'dependencyNamespace',
  'flux',
  'hold',
  'indexes',
  'layout',
  'owners',
  'policy',
  'registries',
  'render',
  'systemNamespace',
  'xpkg',
] as const

/** An entry of a base, as it is in YAML. */
export interface BaseEntry {
  /** The file that has it, for messages, and its line there. */
  readonly file: string
  readonly line: number
  readonly value: JsonObject
}

/**
 * What a declaration takes from its base. While a declaration is in memory, it stands in place of the path in the line of
 * `extends`, so that every other line stays where it is.
 */
export interface DeclaredBase {
  /** The line of `extends` as the file has it, without its break. */
  readonly line: string
  /** The file of the base, for messages. */
  readonly file: string
  /** Paths in it are relative to the folder of the declaration that extends it. */
  readonly settings: JsonObject
  readonly entries: readonly BaseEntry[]
}

/** Returns the base that stands in the value of a declaration; undefined if it has none. */
export function baseIn(value: JsonValue | undefined): DeclaredBase | undefined {
  const base = isJsonObject(value) ? value.extends : undefined
  if (!isJsonObject(base)) return undefined
  return {
    line: asText(base.line),
    file: asText(base.file),
    settings: asObject(base.settings),
    entries: asObjects(base.entries).map(entry => ({
      file: asText(entry.file),
      line: typeof entry.line === 'number' ? entry.line : 1,
      value: asObject(entry.value),
    })),
  }
}

/**
 * Returns the settings of a declaration with those of its base: fields are joined key by key, everything else of the
 * declaration replaces what the base has. The policy of the base is no setting of the declaration: both apply.
 */
export function withInherited(own: JsonObject, {settings}: DeclaredBase): JsonObject {
  const {policy: _policy, ...inherited} = settings
  const joined = Object.entries(inherited).map(([key, value]) => {
    const ownValue = own[key]
    if (ownValue === undefined) return [key, value] as const
    return [key, isJsonObject(value) && isJsonObject(ownValue) ? {...value, ...ownValue} : ownValue] as const
  })
  return {...own, ...Object.fromEntries(joined)}
}

/** Returns the entries of the base that a declaration neither replaces nor removes. */
export function remainingEntries(value: JsonValue | undefined): readonly BaseEntry[] {
  const base = baseIn(value)
  if (base === undefined) return []
  const own = asObject(value)
  const source = sourceIn(own, base)
  const gone = new Set([
    ...asObjects(own.packages).map(entry => entrySubject(entry, source)),
    ...asTexts(own.remove).map(text => removedSubject(text, source)),
  ])
  return base.entries.filter(entry => !gone.has(entrySubject(entry.value, source)))
}

/** Returns what is wrong with each removal of a declaration, by its place in the list. */
export function wrongRemovals(value: JsonValue | undefined): ReadonlyMap<number, string> {
  const own = asObject(value)
  const base = baseIn(value)
  const source = base && sourceIn(own, base)
  const subjects = (entries: readonly JsonObject[]) =>
    new Set(entries.map(entry => entrySubject(entry, source)))
  const ofBase = subjects((base?.entries ?? []).map(entry => entry.value))
  const ofOwn = subjects(asObjects(own.packages))
  const texts = asTexts(own.remove)
  return new Map(
    texts.flatMap((text, place) => {
      const message = wrongRemoval(removedSubject(text, source), {texts, text, place, ofBase, ofOwn, base})
      return message === undefined ? [] : [[place, message] as const]
    }),
  )
}

interface Removals {
  readonly texts: readonly string[]
  readonly text: string
  readonly place: number
  readonly ofBase: ReadonlySet<string>
  readonly ofOwn: ReadonlySet<string>
  readonly base: DeclaredBase | undefined
}

function wrongRemoval(
  subject: string,
  {texts, text, place, ofBase, ofOwn, base}: Removals,
): string | undefined {
  if (base === undefined) return 'requires extends'
  const first = texts.indexOf(text)
  if (first !== place) return `is the same as remove[${first}]`
  if (!ofBase.has(subject))
    return `${JSON.stringify(text)} is no entry of ${base.file}: [HOST/]PATH or crd:RESOURCE.GROUP`
  return ofOwn.has(subject)
    ? `${JSON.stringify(text)} is in packages, where an entry replaces that of the base`
    : undefined
}

/** Returns the text that removes the entries of a base that are of the same package or CRD. */
export function removalOf({package: reference, crd}: JsonObject): string {
  if (crd !== undefined) return `crd:${withoutVersion(asText(crd))}`
  const {tag: _tag, digest: _digest, ...name} = parseImageName(asText(reference)) ?? {path: asText(reference)}
  return formatImageName(name)
}

/** Reports whether two entries are of the same package or CRD, so that one replaces the other. */
export function isSameSubject(one: JsonObject, other: JsonObject, value: JsonValue | undefined): boolean {
  const base = baseIn(value)
  const source = base && sourceIn(asObject(value), base)
  return entrySubject(one, source) === entrySubject(other, source)
}

function entrySubject({package: reference, crd}: JsonObject, source: string | undefined): string {
  return crd === undefined ? canonicalName(asText(reference), source) : `crd:${withoutVersion(asText(crd))}`
}

function removedSubject(text: string, source: string | undefined): string {
  if (text.startsWith('crd:')) return text
  const {tag, digest} = parseImageName(text) ?? {}
  // A version would be passed over.
  return tag === undefined && digest === undefined ? canonicalName(text, source) : text
}

function withoutVersion(crd: string): string {
  return crd.split('/')[0] ?? ''
}

/** An invalid one has an error of its own. */
function sourceIn(own: JsonObject, {settings}: DeclaredBase): string | undefined {
  const source = asText(own.defaultSource ?? settings.defaultSource)
  return source !== '' && isImageSource(source) ? source : undefined
}
