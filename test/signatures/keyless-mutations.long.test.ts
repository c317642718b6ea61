import {describe, expect, it} from '@jest/globals'
import {outOfBounds} from '../../src/signatures/bundle-bounds.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {bundle, changed, valueAt, verify} from './keyless-bundles.js'

/** Numbers between 0 and `limit`, the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

function leaves(
  value: JsonValue,
  path: readonly (string | number)[] = [],
): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))]
}

function mutated(document: JsonObject, random: (limit: number) => number): JsonObject {
  const paths = leaves(document).filter(path => path.length > 0)
  const path = paths[random(paths.length)] ?? []
  const value = valueAt(document, path)
  if (typeof value !== 'string' || value === '')
    return changed(document, path, [undefined, {}, '', 7][random(4)])
  const place = random(value.length)
  const character = String.fromCharCode(33 + random(90))
  return changed(document, path, value.slice(0, place) + character + value.slice(place + random(2)))
}

describe('200 mutations of a signature', () => {
  const SEED = Number(process.env.SOAK_SEED ?? 20_261_126)
  const original = verify(bundle)
  it(`by the seed ${SEED} are rejected, or change nothing that is signed`, () => {
    const random = numbers(SEED)
    const accepted: JsonObject[] = []
    for (let round = 0; round < 200; round += 1) {
      const document = mutated(bundle, random)
      if (outOfBounds(document) !== undefined) continue
      const result = verify(document)
      if ('reason' in result) continue
      expect(result).toEqual(original)
      accepted.push(document)
    }
    expect(accepted.length).toBeLessThan(100)
  })
})
