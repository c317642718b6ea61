import {describe, expect, it} from '@jest/globals'
import {bind, parseBinding} from '../../src/init/bindings.js'

const BUCKET = {
  apiVersion: 'storage.example.org/v1',
  kind: 'Bucket',
  metadata: {name: 'main', annotations: {'example.org/tier': 'gold'}},
  spec: {region: 'eu', size: 3, rules: ['a']},
}

describe('parseBinding', () => {
  it('reads field, object and field', () => {
    expect(parseBinding('spec.region=Bucket/main:spec.region')).toEqual({
      from: 'spec.region',
      kind: 'Bucket',
      name: 'main',
      to: 'spec.region',
    })
  })

  it.each([
    'spec.region',
    'metadata.name=Bucket/main:spec.region',
    'spec=Bucket/main:spec',
    'spec.a=Bucket:spec.a',
  ])('rejects %s', text => {
    expect(() => parseBinding(text)).toThrow(expect.objectContaining({code: 'usage'}))
  })
})

describe('bind', () => {
  const bindings = [
    'spec.region=Bucket/main:spec.region',
    'spec.storage.size=Bucket/main:spec.size',
    'spec.tier=Bucket/main:metadata.annotations.example\\.org/tier',
    'spec.absent=Bucket/main:spec.absent',
  ].map(parseBinding)

  it('gives fields the type and the value of the object', () => {
    expect(bind(bindings, [BUCKET])).toEqual({
      overlays: [
        {
          apiVersion: 'storage.example.org/v1',
          kind: 'Bucket',
          name: 'main',
          bindings: bindings.map(({from, to}) => ({from, to})),
        },
      ],
      schema: {
        type: 'object',
        properties: {
          region: {type: 'string'},
          storage: {type: 'object', properties: {size: {type: 'integer'}}},
          tier: {type: 'string'},
          absent: {'x-kubernetes-preserve-unknown-fields': true},
        },
      },
      example: {region: 'eu', storage: {size: 3}, tier: 'gold'},
    })
  })

  it('rejects objects that do not exist, with those that do', () => {
    expect(() => bind(bindings, [{...BUCKET, metadata: {name: 'other'}}])).toThrow(
      expect.objectContaining({code: 'usage', suggestions: [expect.stringContaining('Bucket/other')]}),
    )
  })
})
