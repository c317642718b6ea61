import type {FieldPath} from '../yaml/json-value.js'

/**
 * Reports whether a path is one of these, leads to one of them or continues one, for any number of them. Names that
 * differ only in case are equal, as in Go's encoding/json.
 */
export function overlapping(paths: readonly FieldPath[]): (path: FieldPath) => boolean {
  const ends = new Set(paths.map(keyOf))
  const leading = new Set(paths.flatMap(beginnings))
  return path => leading.has(keyOf(path)) || beginnings(path).some(beginning => ends.has(beginning))
}

/** The path's own key and those of all that lead to it. */
function beginnings(path: FieldPath): string[] {
  return Array.from({length: path.length + 1}, (_, length) => keyOf(path.slice(0, length)))
}

function keyOf(path: FieldPath): string {
  return JSON.stringify(path).toLowerCase()
}
