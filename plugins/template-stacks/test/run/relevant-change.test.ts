import {describe, expect, it} from '@jest/globals'
import type {JsonObject, KubernetesObject} from 'kubectl-crossplane/plugin'
import {isRelevant} from '../../src/run/relevant-change.js'

function object(metadata: JsonObject, more: JsonObject = {}): KubernetesObject {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a', ...metadata}, ...more}
}

const before = object({resourceVersion: '1', generation: 1, labels: {a: 'b'}}, {spec: {x: 1}, status: {s: 1}})

describe('a change of an object', () => {
  it.each([
    {
      name: 'its status',
      after: object({resourceVersion: '2', generation: 2, labels: {a: 'b'}}, {spec: {x: 1}, status: {s: 2}}),
      want: false,
    },
    {
      name: 'its managers',
      after: {...before, metadata: {...before.metadata, managedFields: []}},
      want: false,
    },
    {name: 'its spec', after: {...before, spec: {x: 2}}, want: true},
    {name: 'a label', after: object({labels: {a: 'c'}}, {spec: {x: 1}}), want: true},
    {
      name: 'its deletion',
      after: {...before, metadata: {...before.metadata, deletionTimestamp: 'now'}},
      want: true,
    },
  ])('in $name causes a pass: $want', ({after, want}) => {
    expect(isRelevant({before, after})).toBe(want)
  })

  it('causes a pass when it appears or disappears', () => {
    expect([isRelevant({after: before}), isRelevant({before})]).toEqual([true, true])
  })
})
