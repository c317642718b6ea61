import {expect, it} from '@jest/globals'
import {exampleSpec} from '../../src/init/example-spec.js'

it('has the required fields alone, each with a value that its schema accepts', () => {
  const schema = {
    type: 'object',
    required: ['name', 'size', 'ratio', 'tls', 'region', 'color', 'image', 'ports'],
    properties: {
      name: {type: 'string'},
      size: {type: 'integer', minimum: 3},
      ratio: {type: 'number'},
      tls: {type: 'boolean'},
      region: {type: 'string', enum: ['eu', 'us']},
      color: {type: 'string', default: 'red'},
      image: {
        type: 'object',
        required: ['tag'],
        properties: {tag: {type: 'string'}, other: {type: 'string'}},
      },
      ports: {type: 'array', minItems: 2, items: {type: 'integer'}},
      optional: {type: 'string'},
    },
  }
  expect(exampleSpec(schema)).toEqual({
    name: 'name',
    size: 3,
    ratio: 1,
    tls: false,
    region: 'eu',
    color: 'red',
    image: {tag: 'tag'},
    ports: [1, 1],
  })
})
