import type {FieldPath} from '../../yaml/json-value.js'

/** The path that `formatPath` wrote. */
export function parsePath(text: string): FieldPath {
  return [...text.matchAll(STEP)].map(([, word, index, quoted]) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? (word ?? '') : (JSON.parse(quoted) as string)
  })
}

const STEP = /\.?([\w$-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g
