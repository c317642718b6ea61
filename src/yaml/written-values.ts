import {CrossplaneError} from '../errors.js'
import type {JsonObject} from './json-value.js'

/**
 * Sorted by code units, digits too: objects themselves keep numeric keys in numeric order. Keys without a value are
 * omitted, as by JSON.stringify.
 */
export function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value)
  const present = keys.every(key => value[key] !== undefined)
    ? keys
    : keys.filter(key => value[key] !== undefined)
  return isSorted(present) ? present : present.sort()
}

/** Most objects are sorted, since those who generate and those who read them sort, too. */
function isSorted(keys: readonly string[]): boolean {
  let last = ''
  for (const key of keys) {
    if (key < last) return false
    last = key
  }
  return true
}

/** Half the size that etcd stores for a whole object. */
const MAX_TEXT = 1024 * 1024

/** Checks a text. Throws `output-failed` if it is not Unicode, or `limit-exceeded`. */
export function expectText(text: string): string {
  if (!text.isWellFormed()) {
    throw new CrossplaneError(
      'output-failed',
      `cannot write the text ${shown(text)}: it has half of a character`,
    )
  }
  if (text.length > MAX_TEXT) {
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot write the text ${shown(text)}…: it is too long for Kubernetes`,
    )
  }
  return text
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}

/**
 * Formats a number so that all readers of YAML and JSON read the same one. An integer that they might not hold
 * exactly is written as the float that it is; YAML 1.1 requires a point in every float.
 */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not JSON`)
  if (Number.isSafeInteger(value)) return String(value)
  const text = Number.isInteger(value) ? value.toExponential() : String(value)
  return text.replace(/^(-?\d+)e/, '$1.0e')
}
