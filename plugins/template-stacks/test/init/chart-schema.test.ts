import {describe, expect, it} from '@jest/globals'
import {checkInstance, type JsonObject, type JsonValue} from 'kubectl-crossplane/plugin'
import {chartSchema, type ChartValues, type ReadValues} from '../../src/init/chart-schema.js'
import {structuralSchema} from '../../src/init/json-schema.js'

const OPEN = {'x-kubernetes-preserve-unknown-fields': true}
const DEFAULT = {nullable: true, ...OPEN}
const NOTHING: ReadValues = {reads: [], defaults: {}}

function schemaOf(
  values: JsonObject,
  {schema, subcharts = [], commentAt = () => undefined}: Partial<ChartValues> = {},
  read: Partial<ReadValues> = {},
): JsonObject {
  const declared = schema === undefined ? {} : {schema: structuralSchema(schema).schema}
  return chartSchema({values, commentAt, subcharts, ...declared}, {...NOTHING, defaults: values, ...read})
}

describe('chartSchema', () => {
  it('takes fields and comments from values.yaml, and no types', () => {
    const values = {
      replicas: 1,
      image: {tag: 'v1', pullSecrets: []},
      ports: [{name: 'http', port: 80}, {tls: true} as JsonObject],
      mixed: [1, 'a'],
      resources: {},
      owner: null,
    }
    const commentAt = (path: readonly string[]) =>
      path.join('.') === 'image.tag' ? 'Tag of the image' : undefined
    expect(schemaOf(values, {commentAt})).toEqual({
      type: 'object',
      ...OPEN,
      properties: {
        replicas: DEFAULT,
        image: {
          ...DEFAULT,
          properties: {tag: {description: 'Tag of the image', ...DEFAULT}, pullSecrets: DEFAULT},
        },
        ports: {
          ...DEFAULT,
          items: {...OPEN, properties: {name: DEFAULT, port: DEFAULT, tls: DEFAULT}},
        },
        mixed: DEFAULT,
        resources: DEFAULT,
        owner: DEFAULT,
      },
    })
  })

  it('prefers values.schema.json, and does not require what has a value in the chart', () => {
    const schema = schemaOf(
      {size: 'small', extra: {nested: 1}},
      {
        schema: {
          type: 'object',
          required: ['size', 'password'],
          properties: {size: {enum: ['small', 'large']}, password: {type: 'string'}},
        },
      },
    )
    expect(schema).toEqual({
      type: 'object',
      required: ['password'],
      properties: {
        // An API server does not compare null with what is in allOf.
        size: {type: 'string', nullable: true, allOf: [{enum: ['small', 'large']}]},
        password: {type: 'string'},
        extra: {...DEFAULT, properties: {nested: DEFAULT}},
      },
      ...OPEN,
    })
  })

  it('requires nothing for which a subchart has a value', () => {
    const schema = {
      type: 'object',
      required: ['redis', 'name', 'shared'],
      properties: {
        redis: {type: 'object', required: ['host'], properties: {host: {type: 'string'}}},
        name: {type: 'string'},
        shared: {type: 'string'},
      },
    }
    const defaults = {redis: {host: 'redis'}, shared: 'imported'}
    expect(schemaOf({}, {schema, subcharts: ['redis']}, {defaults}).required).toEqual(['name'])
    const found = schemaOf({}, {schema, subcharts: ['redis']}, {defaults}).properties
    expect(found).toMatchObject({redis: {type: 'object', nullable: true, ...OPEN}})
    expect(JSON.stringify(found)).not.toContain('required')
  })

  it('lets null remove the defaults of fields that values.schema.json declares', () => {
    const text = {type: 'string'}
    const schema = schemaOf(
      {size: 'small', port: 80, labels: {a: 'b'}, tiers: {a: 'x'}},
      {
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
      },
    )
    expect(schema.properties).toEqual({
      size: {type: 'string', nullable: true, allOf: [{enum: ['small', 'large']}]},
      port: {nullable: true, 'x-kubernetes-int-or-string': true},
      labels: {type: 'object', nullable: true, additionalProperties: {type: 'string', nullable: true}},
      tiers: {
        type: 'object',
        nullable: true,
        additionalProperties: {type: 'string', nullable: true, allOf: [{enum: ['x', 'y']}]},
      },
      host: text,
    })
  })

  it('lets null remove the defaults of dependencies, which the chart or a template only names', () => {
    const defaults = {redis: {enabled: true, auth: {user: 'admin'}}}
    const reads = ['redis.enabled', 'redis.auth.user', 'redis.host'].map(path => path.split('.'))
    expect(schemaOf({}, {subcharts: ['redis']}, {reads, defaults}).properties).toEqual({
      redis: {
        ...{type: 'object', ...DEFAULT},
        properties: {
          enabled: DEFAULT,
          auth: {...DEFAULT, properties: {user: DEFAULT}},
          host: OPEN,
        },
      },
    })
  })

  it('keeps the values of dependencies open', () => {
    expect(schemaOf({redis: {enabled: true}}, {subcharts: ['redis', 'mysql']})).toEqual({
      type: 'object',
      ...OPEN,
      properties: {
        redis: {type: 'object', nullable: true, properties: {enabled: DEFAULT}, ...OPEN},
        mysql: {type: 'object', nullable: true, ...OPEN},
      },
    })
  })

  it('names the fields that only templates and Chart.yaml read, but in what values.schema.json closes', () => {
    const reads = ['labels', 'image.digest', 'port', 'port.x', 'host.x', 'tags.db'].map(path =>
      path.split('.'),
    )
    const values = {labels: {a: 'b'}, image: {tag: 'v1'}, port: 80}
    const properties = {
      labels: {...DEFAULT, properties: {a: DEFAULT}},
      image: {...DEFAULT, properties: {tag: DEFAULT, digest: OPEN}},
      port: DEFAULT,
      host: {...OPEN, properties: {x: OPEN}},
      tags: {...OPEN, properties: {db: OPEN}},
    }
    expect(schemaOf(values, {}, {reads})).toEqual({type: 'object', ...OPEN, properties})
    const schema = {type: 'object', additionalProperties: false, properties: {host: {type: 'object'}}}
    expect(schemaOf({}, {schema}, {reads})).toEqual({
      type: 'object',
      properties: {host: {type: 'object', ...OPEN, properties: {x: OPEN}}},
    })
  })

  it('keeps all fields of a chart without values', () => {
    expect(schemaOf({})).toEqual({type: 'object', ...OPEN})
  })

  const PROMETHEUS = {
    type: 'object',
    properties: {
      server: {
        type: 'object',
        additionalProperties: true,
        properties: {service: {type: 'object', properties: {port: {type: 'integer'}}}},
      },
      labels: {type: 'object', patternProperties: {'^x-': {type: 'string'}}, additionalProperties: false},
      quota: {properties: {cpu: {type: ['string', 'integer']}}, required: ['cpu']},
    },
  }
  it.each<{name: string; schema?: JsonObject; values: JsonObject; spec: JsonValue}>([
    {name: 'text for a number', values: {port: 8080}, spec: {port: '8080'}},
    {name: 'a percentage', values: {maxUnavailable: 1}, spec: {maxUnavailable: '25%'}},
    {name: 'a fraction', values: {cpu: '500m'}, spec: {cpu: 0.5}},
    {name: 'a number for a text', values: {nodePort: ''}, spec: {nodePort: 30_080}},
    {name: 'a text for a switch', values: {tls: false}, spec: {tls: 'team-tls'}},
    {name: 'a text for a list', values: {args: []}, spec: {args: '{{ .Values.more }}'}},
    {name: 'a map for a list', values: {hosts: ['a']}, spec: {hosts: {a: {port: 1}}}},
    {name: 'false for a map', values: {probe: {path: '/'}}, spec: {probe: false}},
    {name: 'a condition of Chart.yaml', values: {}, spec: {tags: {db: false}, db: {enabled: false}}},
    {
      name: 'fields that a schema does not list',
      schema: PROMETHEUS,
      values: {},
      spec: {server: {storageClassName: 'fast', service: {nodePort: 1}}, other: [1, {a: null}]},
    },
    {name: 'patterns of names', schema: PROMETHEUS, values: {}, spec: {labels: {'x-a': 'b'}}},
    {name: 'no object without a type', schema: PROMETHEUS, values: {}, spec: {quota: 'none'}},
  ])('accepts and keeps $name', ({schema, values, spec}) => {
    const crd = {type: 'object', properties: {spec: schemaOf(values, schema === undefined ? {} : {schema})}}
    expect(checkInstance({spec}, crd)).toEqual({rejected: [], pruned: []})
  })
})
