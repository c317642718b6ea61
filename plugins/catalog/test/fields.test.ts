import {describe, expect, it} from '@jest/globals'
import type {JsonObject} from 'kubectl-crossplane/plugin'
import {type Field, readFields} from '../src/fields.js'
import {LIMITS} from '../src/limits.js'

const spec = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: {spec: {type: 'object', properties, ...more}},
})

function inSpec(schema: JsonObject): readonly Field[] {
  return readFields(schema).fields.find(({name}) => name === 'spec')?.fields ?? []
}

const TYPES: readonly {readonly name: string; readonly in: JsonObject; readonly want: string}[] = [
  {name: 'a text', in: {type: 'string'}, want: 'string'},
  {name: 'a list', in: {type: 'array', items: {type: 'integer'}}, want: '[]integer'},
  {name: 'a list of objects', in: {type: 'array', items: {type: 'object'}}, want: '[]Object'},
  {name: 'a map', in: {type: 'object', additionalProperties: {type: 'string'}}, want: 'map[string]string'},
  {name: 'no type', in: {'x-kubernetes-preserve-unknown-fields': true}, want: 'Object'},
  {name: 'a number or text', in: {'x-kubernetes-int-or-string': true}, want: 'int-or-string'},
]

describe('the fields of a schema', () => {
  it.each(TYPES)('have a type: $name', ({in: schema, want}) => {
    expect(inSpec(spec({a: schema})).map(({type}) => type)).toEqual([want])
  })

  it('have their places, and what they accept', () => {
    const schema = spec(
      {
        list: {
          type: 'array',
          maxItems: 3,
          items: {
            type: 'object',
            properties: {
              map: {
                type: 'object',
                additionalProperties: {type: 'object', properties: {b: {enum: ['x', 'y'], default: 'x'}}},
              },
            },
          },
        },
      },
      {required: ['list']},
    )
    const [list] = inSpec(schema)
    expect(list).toMatchObject({path: 'spec.list', isRequired: true, facts: [['maximum items', '3']]})
    expect(list?.fields[0]?.fields[0]).toMatchObject({
      path: 'spec.list[].map.*.b',
      facts: [
        ['default', '"x"'],
        ['one of', '"x", "y"'],
      ],
    })
  })

  it('have descriptions without the line breaks of wrapped sources', () => {
    const wrapped = 'What happens to the external resource when this object is deleted,\nor changed.\nOne of:'
    const description = `${wrapped}\n- Delete, which is what most users of this resource will want\n- Orphan`
    expect(inSpec(spec({a: {type: 'string', description}}))[0]?.description).toBe(
      description.replace('\n', ' '),
    )
  })

  it('have the example of their authors', () => {
    const schema = {type: 'string', default: 'db', example: 'db.small'}
    expect(inSpec(spec({a: schema}))[0]?.facts).toEqual([
      ['default', '"db"'],
      ['example', '"db.small"'],
    ])
  })

  it('have integers of 64 bits without quotes', () => {
    const schema = {type: 'integer', default: 9_007_199_254_740_993n, enum: [[1n, {a: 2n}]]}
    expect(inSpec(spec({a: schema}))[0]?.facts).toEqual([
      ['default', '9007199254740993'],
      ['one of', '[1,{"a":2}]'],
    ])
  })

  it('are those of every object, whatever the schema says', () => {
    const {fields} = readFields({type: 'object', properties: {kind: {type: 'string', description: 'Long.'}}})
    expect(fields.map(({name}) => name)).toEqual(['apiVersion', 'kind', 'metadata'])
  })

  it('are those of an object within another one as well', () => {
    const manifest = {type: 'object', 'x-kubernetes-embedded-resource': true}
    const tree = readFields({type: 'object', properties: {manifest}})
    const own = tree.fields.find(({name}) => name === 'manifest')
    expect(own?.fields.map(({path, type, isRequired}) => [path, type, isRequired])).toEqual([
      ['manifest.apiVersion', 'string', true],
      ['manifest.kind', 'string', true],
      ['manifest.metadata', 'ObjectMeta', false],
    ])
  })

  it('have names that are also those of prototypes', () => {
    const properties = JSON.parse(
      '{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}',
    ) as JsonObject
    expect(inSpec(spec(properties)).map(({name, type}) => [name, type])).toEqual([
      ['__proto__', 'string'],
      ['constructor', 'string'],
    ])
  })

  it('end at a limit, and count the rest', () => {
    const many = Object.fromEntries(
      Array.from({length: 100_000}, (_, index) => [`f${index}`, {type: 'string'}]),
    )
    const tree = readFields(spec(many))
    expect([tree.count, tree.count + tree.omitted]).toEqual([LIMITS.fields, 100_004])
    let deep: JsonObject = {type: 'string'}
    for (let level = 0; level < 500; level += 1) deep = {type: 'object', properties: {a: deep}}
    expect(readFields(deep)).toMatchObject({count: expect.any(Number), omitted: 460})
  })
})
