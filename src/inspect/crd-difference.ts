import {ownVersions} from '../crd/convert/convert-crd.js'
import {undescribed} from '../crd/undescribed.js'
import {listSome} from '../text.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'

/** How a CRD differs from its former content; the higher the weight, the more a reviewer must know of it. */
export interface CrdDifference {
  readonly words: string
  readonly weight: number
}

/** Compares two contents of a CRD: versions, schemas with and without descriptions, all else. */
export function crdDifference(before: JsonObject, after: JsonObject): CrdDifference {
  const changes = versionChanges(before, after)
  const parts = changedParts(changes)
  if (parts.length > 0) return {words: parts.join(', '), weight: weightOf(changes)}
  return {words: changes.isDescribedAnew ? 'descriptions only' : 'metadata only', weight: 0}
}

interface VersionChanges {
  readonly lost: readonly string[]
  readonly added: readonly string[]
  /** The versions whose schema differs in more than descriptions. */
  readonly schemas: readonly string[]
  readonly isDescribedAnew: boolean
  /** Whether anything but the schemas of versions differs. */
  readonly isOtherwise: boolean
}

function versionChanges(before: JsonObject, after: JsonObject): VersionChanges {
  const old = schemasByVersion(before)
  const next = schemasByVersion(after)
  const common = [...old.keys()].filter(name => next.has(name))
  const differsIn = (form: (schema: JsonValue) => JsonValue) => (name: string) =>
    !jsonEqual(form(old.get(name) ?? null), form(next.get(name) ?? null))
  const schemas = common.filter(differsIn(undescribed))
  return {
    lost: [...old.keys()].filter(name => !next.has(name)),
    added: [...next.keys()].filter(name => !old.has(name)),
    schemas,
    isDescribedAnew: schemas.length === 0 && common.some(differsIn(schema => schema)),
    isOtherwise: !jsonEqual(withoutSchemas(before), withoutSchemas(after)),
  }
}

function changedParts({lost, added, schemas, isOtherwise}: VersionChanges): readonly string[] {
  const listed = [
    ['loses', lost],
    ['adds', added],
    ['schema of', schemas],
  ] as const
  const parts = listed.flatMap(([verb, names]) => (names.length === 0 ? [] : [`${verb} ${listSome(names)}`]))
  return isOtherwise && lost.length + added.length === 0 ? [...parts, 'fields beside schemas'] : parts
}

function weightOf({lost, schemas}: VersionChanges): number {
  if (lost.length > 0) return 4
  return schemas.length > 0 ? 3 : 2
}

function schemasByVersion({spec}: JsonObject): ReadonlyMap<string, JsonValue> {
  return new Map(ownVersions(asObject(spec)).map(({name, schema}) => [asText(name), schema ?? null]))
}

/** The spec of a CRD apart from its schemas. */
function withoutSchemas({spec}: JsonObject): JsonObject {
  const versions = ownVersions(asObject(spec)).map(({schema: _compared, ...version}) => version)
  return {...asObject(spec), versions}
}
