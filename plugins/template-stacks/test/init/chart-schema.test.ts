import {describe, expect, it} from '@jest/globals'
import {chartSchema} from '../../src/init/chart-schema.js'

const OPEN = {'x-kubernetes-preserve-unknown-fields': true}
const noComment = () => undefined

describe('chartSchema', () => {
  it('takes types and comments from values.yaml', () => {
    const schema = chartSchema({
      values: {
        replicas: 1,
        ratio: 0.5,
        image: {tag: 'v1', pullSecrets: []},
        ports: [
          {name: 'http', port: 80},
          {name: 'https', tls: true},
        ],
        mixed: [1, 'a'],
        resources: {},
        owner: null,
        debug: false,
      },
      commentAt: path => (path.join('.') === 'image.tag' ? 'Tag of the image' : undefined),
      subcharts: [],
      readsGlobal: false,
    })
    expect(schema).toEqual({
      type: 'object',
      properties: {
        replicas: {type: 'integer', nullable: true},
        ratio: {type: 'number', nullable: true},
        image: {
          type: 'object',
          nullable: true,
          properties: {
            tag: {type: 'string', nullable: true, description: 'Tag of the image'},
            pullSecrets: {type: 'array', nullable: true, items: OPEN},
          },
        },
        ports: {
          type: 'array',
          nullable: true,
          items: {
            type: 'object',
            properties: {name: {type: 'string'}, port: {type: 'integer'}, tls: {type: 'boolean'}},
          },
        },
        mixed: {type: 'array', nullable: true, items: OPEN},
        resources: {type: 'object', nullable: true, ...OPEN},
        owner: {nullable: true, ...OPEN},
        debug: {type: 'boolean', nullable: true},
      },
    })
  })

  it('prefers values.schema.json, and does not require what has a value in the chart', () => {
    const schema = chartSchema({
      values: {size: 'small', extra: {nested: 1}},
      schema: {
        type: 'object',
        required: ['size', 'password'],
        properties: {size: {enum: ['small', 'large']}, password: {type: 'string'}},
      },
      commentAt: noComment,
      subcharts: [],
      readsGlobal: false,
    })
    expect(schema).toEqual({
      type: 'object',
      required: ['password'],
      properties: {
        size: {type: 'string', enum: ['small', 'large']},
        password: {type: 'string'},
        extra: {type: 'object', nullable: true, properties: {nested: {type: 'integer', nullable: true}}},
      },
    })
  })

  it('lets null remove the defaults of fields that values.schema.json declares, but no enum', () => {
    const text = {type: 'string'}
    const schema = chartSchema({
      values: {size: 'small', port: 80, labels: {a: 'b'}, tiers: {a: 'x'}},
      schema: {
        type: 'object',
        properties: {
          size: {enum: ['small', 'large']},
          port: {type: ['integer', 'string']},
          labels: {type: 'object', additionalProperties: text},
          tiers: {type: 'object', additionalProperties: {enum: ['x', 'y']}},
          host: text,
        },
      },
      commentAt: noComment,
      subcharts: [],
      readsGlobal: false,
    })
    expect(schema.properties).toEqual({
      size: {type: 'string', enum: ['small', 'large']},
      port: {nullable: true, 'x-kubernetes-int-or-string': true},
      labels: {type: 'object', nullable: true, additionalProperties: {type: 'string', nullable: true}},
      tiers: {type: 'object', nullable: true, additionalProperties: {type: 'string', enum: ['x', 'y']}},
      host: text,
    })
  })

  it('keeps the values of dependencies open', () => {
    const schema = chartSchema({
      values: {redis: {enabled: true}},
      commentAt: noComment,
      subcharts: ['redis', 'mysql'],
      readsGlobal: true,
    })
    expect(schema).toEqual({
      type: 'object',
      properties: {
        redis: {
          type: 'object',
          nullable: true,
          properties: {enabled: {type: 'boolean', nullable: true}},
          ...OPEN,
        },
        mysql: {type: 'object', ...OPEN},
        global: {type: 'object', ...OPEN},
      },
    })
  })

  it('keeps further fields of maps that templates use as a whole, and fields that only templates name', () => {
    const read = (path: string, whole = true) => ({path: path.split('.'), whole})
    const chart = {
      values: {labels: {a: 'b'}, image: {tag: 'v1'}, port: 80},
      commentAt: noComment,
      subcharts: [],
    }
    const reads = [
      read('labels'),
      read('image', false),
      read('image.digest'),
      read('port'),
      read('port.x'),
      read('host.x'),
    ]
    const properties = {
      labels: {type: 'object', nullable: true, properties: {a: {type: 'string', nullable: true}}, ...OPEN},
      image: {
        type: 'object',
        nullable: true,
        properties: {tag: {type: 'string', nullable: true}, digest: OPEN},
      },
      port: {type: 'integer', nullable: true},
      host: OPEN,
    }
    expect(chartSchema({...chart, readsGlobal: false, reads})).toEqual({type: 'object', properties})
    const schema = {type: 'object', properties: {port: {type: 'integer'}}}
    expect(chartSchema({...chart, values: {}, schema, readsGlobal: false, reads})).toEqual(schema)
  })

  it('keeps all fields of a chart without values', () => {
    expect(chartSchema({values: {}, commentAt: noComment, subcharts: [], readsGlobal: false})).toEqual({
      type: 'object',
      ...OPEN,
    })
  })
})
