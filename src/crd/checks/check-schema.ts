import {checkDefaults} from './check-defaults.js'
import {atRoot, checkKeywords} from './check-keywords.js'
import {child, type Report, type Spot} from '../schema-diagnostic.js'
import {givenKeys, PRESERVE, RULES, type Schema} from '../schema-node.js'
import type {SchemaRules} from '../schema-rules.js'
import {checkCompleteness, isUnreadable, checkStructure} from './check-structure.js'

/** A schema to check: that of a version with or without a status subresource, and what compiles its rules. */
interface SchemaContext {
  readonly hasStatus: boolean
  readonly rules?: SchemaRules | undefined
}

/** Reports errors in the schema of a version. */
export function checkSchema(
  schema: Schema,
  {hasStatus, rules}: SchemaContext,
  spot: Spot,
  report: Report,
): void {
  let count = 0
  const counted: Report = (...diagnostic) => {
    count += 1
    report(...diagnostic)
  }
  if (hasStatus) checkStatus(schema, spot, counted)
  if (schema.nullable === true) counted('root', child(spot, 'nullable'), 'a resource is never null')
  const unreadable = isUnreadable(schema)
  if (!unreadable) {
    const before = count
    checkStructure(schema, 'root', spot, counted)
    checkCompleteness(schema, spot, counted)
    // The server only validates defaults against a structural schema.
    if (count === before) checkDefaults(schema, spot, counted)
  }
  checkKeywords(schema, atRoot(rules), spot, counted)
  // The server only reports unsupported keywords if it has no other errors.
  if (unreadable && count === 0) report('keyword', spot, 'it has a keyword that is not supported')
}

/** The keywords of a root whose status is a subresource, which is validated by itself. */
export const BESIDE_STATUS = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  PRESERVE,
  RULES,
]
/** Keywords that the server checks before the type. */
const BEFORE_TYPE = ['id', '$schema', '$ref']

/** The server stops at the first error: an unsupported keyword, or a type that is not object. */
function checkStatus(schema: Schema, spot: Spot, report: Report): void {
  const keys = givenKeys(schema)
  const wrongType = keys.includes('type') && schema.type !== 'object'
  if (wrongType && !keys.some(key => BEFORE_TYPE.includes(key))) {
    report('root', child(spot, 'type'), 'a resource with a status subresource is an object')
    return
  }
  const extra = keys.find(key => !BESIDE_STATUS.includes(key))
  if (extra === undefined) return
  report('root', spot, `${extra} must not be at the root of a resource with a status subresource`)
}
