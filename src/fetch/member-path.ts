import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'

/**
 * Splits the name of a tar's member into segments, without empty and `.` ones; none for the root itself, which
 * `umoci insert` calls `/`. Throws `source-unsafe` for other absolute names and for `..`, below `.registry/` or not: no
 * honest tool writes them, and every reader would have to agree on what they mean. `holder` names the tar.
 */
export function memberPath(name: string, holder: string): readonly string[] {
  const segments = name.split('/').filter(segment => segment !== '' && segment !== '.')
  const isRelative = !name.startsWith('/') || segments.length === 0
  if (isRelative && !segments.includes('..')) return segments
  throw new CrossplaneError(
    'source-unsafe',
    `cannot read ${holder}: the entry ${quoted(name)} is outside of the image`,
    {suggestions: ['Build the image again with names that are relative and free of "..".']},
  )
}
