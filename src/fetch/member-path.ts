import {CrossplaneError} from '../errors.js'

/**
 * The segments of a name in a tar, without empty and `.` ones. Absolute names and `..` throw `source-unsafe` wherever
 * they are met, under `.registry/` or not: no honest tool writes them, and every reader would have to agree on what
 * they mean. `holder` names the tar.
 */
export function memberPath(name: string, holder: string): readonly string[] {
  const segments = name.split('/').filter(segment => segment !== '' && segment !== '.')
  if (!name.startsWith('/') && !segments.includes('..')) return segments
  throw new CrossplaneError(
    'source-unsafe',
    `${holder} has an entry named ${quoted(name)}, which would lie outside of the image.`,
    {suggestions: ['Build the image again with names that are relative and free of "..".']},
  )
}

/** A name out of a source as it may appear in a message: quoted, nothing that moves a cursor, not endless. */
export function quoted(name: string): string {
  const short = name.length > 200 ? `${name.slice(0, 200)}…` : name
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
