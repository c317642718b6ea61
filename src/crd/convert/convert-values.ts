import {asText, type FieldPath} from '../../yaml/json-value.js'
import {type Conversion, note} from './conversion-note.js'
import {withKeys} from './convert-junctors.js'
import {INT_OR_STRING, type Schema} from '../schema-node.js'

/** The formats of strings that every server checks, without hyphens; servers ignore other formats. */
const TEXT_FORMATS = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte password date duration datetime'
  ).split(' '),
)
const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}
/** Keywords that v1beta1 servers ignored and a current one enforces. */
const ENFORCED = ['int32', 'float']
const MAX_INT32 = 2 ** 31 - 1
const MAX_INT64 = 2 ** 63
const MAX_FLOAT = 3.4028234663852886e38

/**
 * Drops a format that no server knows, or with which a server would reject values that the old one accepted
 * unchecked.
 */
export function convertFormat(schema: Schema, path: FieldPath, to: Conversion): Schema {
  const format = asText(schema.format)
  if (format === '') return schema
  const type = asText(schema.type)
  const forText = (type === '' || type === 'string') && TEXT_FORMATS.has(format.replaceAll('-', ''))
  const forNumber = NUMBER_FORMATS[type]?.includes(format) === true && schema[INT_OR_STRING] !== true
  if (!forText && !forNumber) {
    note(to, 'format-dropped', path, `servers ignore the format ${format} here`)
    return withKeys(schema, {format: undefined})
  }
  if (forNumber && ENFORCED.includes(format)) return withEnforced(schema, format, path, to)
  return schema
}

function withEnforced(schema: Schema, format: string, path: FieldPath, to: Conversion): Schema {
  const limit = format === 'int32' ? MAX_INT32 : MAX_FLOAT
  const bounds = [schema.minimum, schema.maximum, schema.multipleOf].flatMap(bound =>
    typeof bound === 'number' ? [bound] : [],
  )
  if (bounds.some(bound => bound > limit || bound < -limit - 1)) {
    note(to, 'format-dropped', path, `its bounds lie outside ${format}, so that no value would be valid`)
    return withKeys(schema, {format: undefined})
  }
  note(to, 'format-enforced', path, `a current server rejects values outside ${format}`)
  return schema
}

/** Bounds of integers as the old server read them; a current one rejects every integer if a bound is fractional. */
export function convertBounds(schema: Schema, path: FieldPath, to: Conversion): Schema {
  if (schema.type !== 'integer') return schema
  const changed = Object.fromEntries(
    ['minimum', 'maximum', 'multipleOf'].flatMap(key => {
      const bound = schema[key]
      if (typeof bound !== 'number') return []
      const read = key === 'minimum' && Math.abs(bound) >= MAX_INT64 ? undefined : Math.trunc(bound)
      return read === bound ? [] : [[key, key === 'multipleOf' && read === 0 ? undefined : read] as const]
    }),
  )
  const keys = Object.keys(changed)
  if (keys.length === 0) return schema
  note(to, 'bound-truncated', path, `${keys.join(', ')} became the integer that the old server compared with`)
  return withKeys(schema, changed)
}
