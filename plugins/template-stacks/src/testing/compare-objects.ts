import {
  type FieldPath,
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nameOf,
  objectKey,
  objectText,
} from 'kubectl-crossplane/plugin'

/** A difference between the objects that a test expects and those that were rendered. */
export interface Difference {
  /** The object for messages: `Deployment team-a/web`. */
  readonly object: string
  readonly kind: 'missing' | 'unexpected' | 'moved' | 'changed'
  /** The field, for a change; `want` or `got` is absent if only the other one has it. */
  readonly field?: string
  readonly want?: JsonValue
  readonly got?: JsonValue
}

/** Compares two lists of objects: which exist, their fields, and their order. */
export function compareObjects(
  want: readonly JsonObject[],
  got: readonly JsonObject[],
): readonly Difference[] {
  const [wanted, rendered] = [byKey(want), byKey(got)]
  const missing = want.filter(object => !rendered.has(keyOf(object)))
  const unexpected = got.filter(object => !wanted.has(keyOf(object)))
  const changed = want.flatMap(object => {
    const other = rendered.get(keyOf(object))
    return other === undefined ? [] : fieldDifferences(object, other)
  })
  return [
    ...missing.map(object => ({object: textOf(object), kind: 'missing' as const})),
    ...unexpected.map(object => ({object: textOf(object), kind: 'unexpected' as const})),
    ...changed,
    ...(missing.length + unexpected.length === 0 ? moved(want, got) : []),
  ]
}

function byKey(objects: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  return new Map(objects.map(object => [keyOf(object), object]))
}

function keyOf(object: JsonObject): string {
  return objectKey(nameOf(object))
}

function textOf(object: JsonObject): string {
  return objectText(nameOf(object))
}

/** The first object at another place; all after it follow from it. */
function moved(want: readonly JsonObject[], got: readonly JsonObject[]): readonly Difference[] {
  const first = got.find((object, at) => want[at] !== undefined && keyOf(want[at]) !== keyOf(object))
  return first === undefined ? [] : [{object: textOf(first), kind: 'moved'}]
}

function fieldDifferences(want: JsonObject, got: JsonObject): readonly Difference[] {
  const object = textOf(want)
  return [...valueDifferences(want, got, [])].map(({path, ...values}) => ({
    object,
    kind: 'changed',
    field: formatPath(path),
    ...values,
  }))
}

interface ValueDifference {
  readonly path: FieldPath
  readonly want?: JsonValue
  readonly got?: JsonValue
}

function* valueDifferences(want: JsonValue, got: JsonValue, path: FieldPath): Generator<ValueDifference> {
  if (isJsonObject(want) && isJsonObject(got)) {
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)]))
      yield* partDifferences(want[key], got[key], [...path, key])
  } else if (isJsonArray(want) && isJsonArray(got)) {
    const length = Math.max(want.length, got.length)
    for (let at = 0; at < length; at++) yield* partDifferences(want[at], got[at], [...path, at])
  } else if (want !== got) yield {path, want, got}
}

function* partDifferences(
  want: JsonValue | undefined,
  got: JsonValue | undefined,
  path: FieldPath,
): Generator<ValueDifference> {
  if (want === undefined) yield {path, ...(got === undefined ? {} : {got})}
  else if (got === undefined) yield {path, want}
  else yield* valueDifferences(want, got, path)
}
