import {describe, expect, it} from '@jest/globals'
import {unknownFieldsOf} from '../../src/inspect/unknown-fields.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const KEEP = {'x-kubernetes-preserve-unknown-fields': true}
const crd = (version: string, spec: JsonObject = {}) => ({
  apiVersion: `apiextensions.k8s.io/${version}`,
  kind: 'CustomResourceDefinition',
  metadata: {name: 'xs.a.org'},
  spec,
})
const nested = {type: 'object', properties: {spec: {type: 'object', items: [{...KEEP}]}}}

describe('fields without a schema', () => {
  it.each([
    {name: 'v1', reason: 'prunes', in: crd('v1'), schema: {type: 'object'}, want: 'pruned'},
    {name: 'v1 that keeps at its root', reason: 'keeps all', in: crd('v1'), schema: KEEP, want: 'kept'},
    {name: 'v1 that keeps below', reason: 'keeps there', in: crd('v1'), schema: nested, want: 'partly-kept'},
    {name: 'v1beta1', reason: 'kept by default', in: crd('v1beta1'), schema: nested, want: 'kept'},
    {
      name: 'v1beta1 with pruning',
      reason: 'prunes',
      in: crd('v1beta1', {preserveUnknownFields: false}),
      schema: {type: 'object'},
      want: 'pruned',
    },
    {
      name: 'v1 that was made through v1beta1',
      reason: 'keeps on',
      in: crd('v1', {preserveUnknownFields: true}),
      schema: {type: 'object'},
      want: 'kept',
    },
    {name: 'no schema', reason: 'nothing to prune by', in: crd('v1'), schema: undefined, want: 'kept'},
  ])('$name: $reason', ({in: given, schema, want}) => {
    expect(unknownFieldsOf(given, schema)).toBe(want)
  })
})
