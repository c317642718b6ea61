import {doubt} from './block-characters.js'
import {detached} from './detached.js'
import {goScalar, isWord} from './go-scalars.js'
import type {JsonValue} from './json-value.js'
import {mappingKey} from './mapping-key.js'

/**
 * Returns the key that a text without quotes is; undefined if it has other characters than keys of programs. `ambiguous` gets the texts
 * that may be of another type.
 */
export function plainKey(text: string, ambiguous: Set<string>): string | undefined {
  const cached = KEYS.get(text)
  if (cached === undefined && !KEY.test(text)) return undefined
  if (!isWord(text)) ambiguous.add(cached ?? text)
  return cached ?? newKey(text)
}

function newKey(text: string): string {
  const key = mappingKey(text, true, '')
  if (typeof key !== 'string') return doubt()
  if (key === text && KEYS.size < MAX_KEYS) KEYS.set(...internalized(key))
  return key
}

/** Other keys are rare. */
const KEY = /^[a-zA-Z0-9$./_-]+$/

/** The keys that are themselves as text: most are repeated. */
const KEYS = new Map<string, string>()
const MAX_KEYS = 10_000

/** Returns a key twice as V8 keeps the names of properties, so that it need not look for the name at each use. */
function internalized(key: string): [string, string] {
  const [name = key] = Object.keys({[detached(key)]: null})
  return [name, name]
}

/** Returns the value of a text without quotes. `ambiguous` gets the texts that may be of another type. */
export function plainValue(text: string, ambiguous: Set<string>): JsonValue {
  if (isWord(text)) return detached(text)
  ambiguous.add(text)
  return typed(text)
}

/** Text that is not surely a word is of another type now and then. */
function typed(text: string): JsonValue {
  const scalar = goScalar(text, true, '')
  if (scalar.kind === 'string') return detached(scalar.value)
  if (scalar.kind === 'rejected') return doubt()
  if (scalar.kind === 'float' && !Number.isFinite(Number(scalar.value))) return doubt()
  return scalar.value === 0 ? 0 : scalar.value
}
