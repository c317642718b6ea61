import type {FieldPath} from './json-value.js'

/** Parses a path that `formatPath` wrote. */
export function parsePath(text: string): FieldPath {
  return [...text.matchAll(STEP)].map(([, word, index, quoted]) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? (word ?? '') : (JSON.parse(quoted) as string)
  })
}

const STEP = /\.?([\w$-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g
