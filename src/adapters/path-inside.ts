import {join} from 'node:path'
import {CrossplaneError} from '../errors.js'

/**
 * Joins a root and a path of segments between `/`, which may be made of input. Throws `output-refused` for a path that
 * could lead out of the root. (Links on the way are the concern of `isRealFolder`.)
 */
export function pathInside(root: string, path: string): string {
  if (path.split('/').every(isName)) return join(root, path)
  const message = `cannot write to ${root}: ${JSON.stringify(path)} is not a path within it`
  throw new CrossplaneError('output-refused', message, {
    suggestions: ['Correct the names in the input that this path is made of.'],
  })
}

/** Backslashes and colons separate on Windows; NUL ends a path. */
function isName(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[\\:\0]/.test(segment)
}
