import {expect, it} from '@jest/globals'
import {derivedSpec} from '../../../../src/plan/cluster/core/derived-crd.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const text = {type: 'string'}
const schema = (spec: JsonObject, required: readonly string[] = []) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {spec: {type: 'object', properties: spec, required: [...required]}},
  },
})

it('keeps the fields that Crossplane adds, and takes all others from the new XRD', () => {
  const live = {
    group: 'example.org',
    versions: [{name: 'v1', served: true, storage: true, schema: schema({size: text, compositionRef: text})}],
  }
  const former = {versions: [{name: 'v1', served: true, referenceable: true, schema: schema({size: text})}]}
  const next = {
    versions: [
      {name: 'v1', served: false, referenceable: false, schema: schema({region: text}, ['region'])},
      {name: 'v2', served: true, referenceable: true, schema: schema({zone: text})},
    ],
  }
  const {versions, ...others} = derivedSpec(live, former, next)
  expect(others).toEqual({group: 'example.org'})
  expect(versions).toMatchObject([
    {
      name: 'v1',
      served: false,
      storage: false,
      schema: schema({region: text, compositionRef: text}, ['region']),
    },
    {name: 'v2', served: true, storage: true, schema: schema({zone: text, compositionRef: text})},
  ])
})
