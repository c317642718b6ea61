import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {sigstoreCryptography} from '../../src/adapters/sigstore/sigstore-cryptography.js'
import {readTrustedRoot} from '../../src/signatures/read-trusted-root.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../testdata/signatures', name))
export const root = readTrustedRoot(read('trusted-root.json'), 'trusted-root.json')
export const bundleIn = (name: string) => JSON.parse(read(name).toString()) as JsonObject
/** A signature that GitHub's workflow of sigstore-js made. */
export const bundle = bundleIn('provenance-2.0.0.json')
export const cryptography = sigstoreCryptography()
export const verify = (document: JsonObject, trustedRoot = root) =>
  cryptography.verify({place: 'x', bundle: document}, {kind: 'certificate', trustedRoot})

/** A copy of a document in which one field is replaced, or removed. */
export function changed(
  document: JsonObject,
  path: readonly (string | number)[],
  value?: JsonValue,
): JsonObject {
  const copy = structuredClone(document) as Record<string, JsonValue>
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, JsonValue>
  const last = path.at(-1) ?? ''
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else parent[last] = value
  return copy
}

export function valueAt(document: JsonObject, path: readonly (string | number)[]): JsonValue {
  return path.reduce<JsonValue>((value, key) => (value as Record<string, JsonValue>)[key] ?? null, document)
}
