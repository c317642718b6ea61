import {describe, expect, it} from '@jest/globals'
import Ajv from 'ajv'
import {jsonSchema} from '../../src/usage/json-schema.js'
import {SCHEMA, SCHEMA_CASES} from './schema-cases.js'

const KIND = {group: 'schemas.example.org', version: 'v1', kind: 'Thing'}
const schema = jsonSchema(SCHEMA, KIND)

describe('a JSON Schema of a CRD', () => {
  it('is a schema of draft 7 that keeps descriptions', () => {
    const ajv = new Ajv()
    expect({valid: ajv.validateSchema(schema), errors: ajv.errors}).toEqual({valid: true, errors: null})
    expect(schema).toMatchObject({description: 'A thing.', type: 'object', additionalProperties: false})
    expect(JSON.stringify(schema)).not.toContain('x-kubernetes')
  })

  const validate = new Ajv().compile(schema)
  // test/crd/real-server.real.test.ts asks an API server the same.
  it.each(SCHEMA_CASES)('$name: $want', ({in: object, want}) => {
    const valid = validate(object)
    expect({valid, errors: want ? validate.errors : null}).toEqual({valid: want, errors: null})
  })

  it('leaves out patterns that JavaScript cannot read, or reads in another way', () => {
    const patternOf = (pattern: string) => {
      const {properties} = jsonSchema({type: 'object', properties: {a: {type: 'string', pattern}}}, KIND)
      return (properties as Record<string, Record<string, unknown>>).a?.pattern
    }
    for (const pattern of ['^a.*$', '(?:a|b)', String.raw`^\d+\.\d$`])
      expect(patternOf(pattern)).toBe(pattern)
    for (const pattern of ['(?i)a', String.raw`a\z`, '[[:alpha:]]', '(?P<a>b)', String.raw`\pL`, '(', ''])
      expect(patternOf(pattern)).toBeUndefined()
  })
})
