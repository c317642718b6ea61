import type {Era} from '../../src/render/era.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'

/**
 * Where the install set knowingly differs from the original's answer: one transformation of that answer for each Rule
 * (docs/differences.md), which says how often it was used. Nothing else may differ.
 */
export class Rules {
  readonly #counts = new Map<string, number>()

  /** The answer as the Rule of this name would have it; counted if that changes anything. */
  apply(
    name: string,
    answer: readonly JsonObject[],
    change: (document: JsonObject) => JsonObject,
  ): JsonObject[] {
    const changed = answer.map(change)
    if (JSON.stringify(changed, plain) !== JSON.stringify(answer, plain)) this.count(name)
    return changed
  }

  count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort())
  }
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

/** The answer with another text wherever it has that one, or ends in it after a registry. */
function withText(value: JsonValue, from: string, to: string): JsonValue {
  if (typeof value === 'string') return value.replace(from, to)
  if (Array.isArray(value)) return value.map((item: JsonValue) => withText(item, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withText(item, from, to)]))
}

/** The original's default controller cannot read the API group of the Packages era. */
export function withEraController(era: Era, document: JsonObject): JsonObject {
  const image = 'crossplane/templating-controller:v0.2.1'
  return withText(document, image, era.controllerImage) as JsonObject
}

/** The answer with another value at a path, where every step of it exists. */
export function edited(
  value: JsonValue | undefined,
  path: readonly (string | number)[],
  change: (value: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  if (value === undefined) return undefined
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) =>
      index === step || step === '*' ? (edited(item, rest, change) ?? null) : item,
    )
  }
  if (typeof value !== 'object' || value === null || !(step in value)) return value
  const entries = Object.entries(value as JsonObject).flatMap(([key, item]) => {
    const result = key === String(step) ? edited(item, rest, change) : item
    return result === undefined ? [] : [[key, result] as const]
  })
  return Object.fromEntries(entries)
}

export function editedDocument(
  document: JsonObject,
  path: readonly (string | number)[],
  change: (value: JsonValue) => JsonValue | undefined,
): JsonObject {
  return edited(document, path, change) as JsonObject
}
