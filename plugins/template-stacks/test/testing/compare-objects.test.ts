import {describe, expect, it} from '@jest/globals'
import type {JsonObject} from 'kubectl-crossplane/plugin'
import {compareObjects} from '../../src/testing/compare-objects.js'

function configMap(name: string, data: JsonObject): JsonObject {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, namespace: 'team-a'}, data}
}

const A = configMap('a', {x: '1', list: ['p', 'q']})
const B = configMap('b', {})

describe('compareObjects', () => {
  it('finds nothing in equal lists, whatever the order of fields', () => {
    const {data = {}, ...rest} = A
    expect(compareObjects([A, B], [{data, ...rest}, B])).toEqual([])
  })

  it('names objects of only one side, and does not compare the order then', () => {
    expect(compareObjects([B, A], [A, configMap('c', {})])).toEqual([
      {object: 'ConfigMap team-a/b', kind: 'missing'},
      {object: 'ConfigMap team-a/c', kind: 'unexpected'},
    ])
  })

  it('names the first object at another place', () => {
    expect(compareObjects([A, B], [B, A])).toEqual([{object: 'ConfigMap team-a/b', kind: 'moved'}])
  })

  it('names fields that differ, with their values', () => {
    const got = configMap('a', {y: true, x: 1, list: ['p', 'r', 's']})
    expect(compareObjects([A], [got])).toEqual([
      {object: 'ConfigMap team-a/a', kind: 'changed', field: 'data.x', want: '1', got: 1},
      {object: 'ConfigMap team-a/a', kind: 'changed', field: 'data.list[1]', want: 'q', got: 'r'},
      {object: 'ConfigMap team-a/a', kind: 'changed', field: 'data.list[2]', got: 's'},
      {object: 'ConfigMap team-a/a', kind: 'changed', field: 'data.y', got: true},
    ])
  })

  it('distinguishes null from no value', () => {
    expect(compareObjects([configMap('a', {x: null})], [configMap('a', {})])).toEqual([
      {object: 'ConfigMap team-a/a', kind: 'changed', field: 'data.x', want: null},
    ])
  })
})
