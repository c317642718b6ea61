import type {SetObject} from '../render/install-set.js'
import {compareBytes} from '../unpack/package-file.js'

/** The number of objects of a kind in an install. */
export interface ObjectCount {
  readonly apiVersion: string
  readonly kind: string
  readonly count: number
}

/** The objects of a set by kind, sorted. */
export function objectCounts(objects: readonly SetObject[]): ObjectCount[] {
  const counts = new Map<string, ObjectCount>()
  for (const {object} of objects) {
    const {apiVersion, kind} = object
    const key = `${kind}\0${apiVersion}`
    counts.set(key, {apiVersion, kind, count: (counts.get(key)?.count ?? 0) + 1})
  }
  return [...counts].sort(([a], [b]) => compareBytes(a, b)).map(([, count]) => count)
}
