import {describe, expect, it} from '@jest/globals'
import {observedObject} from '../../src/health/observed-object.js'
import {ownedFields} from '../../src/health/owned-fields.js'
import {readHash} from '../../src/plan/cluster/state/live-object.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'

describe('owned fields', () => {
  it.each<{name: string; live: JsonValue; fields: JsonObject; want: JsonValue}>([
    {name: 'a field', live: {a: 1, b: 2}, fields: {'f:a': {}}, want: {a: 1}},
    {name: 'a field that was removed', live: {b: 2}, fields: {'f:a': {}}, want: {}},
    {
      name: 'a field that is an atomic map',
      live: {whole: {x: 1}},
      fields: {'f:whole': {}},
      want: {whole: {x: 1}},
    },
    {name: 'a field applied without content', live: {a: {x: 1}}, fields: {'f:a': {}}, want: {a: {}}},
    {name: 'an atomic list', live: {a: [{x: 1}]}, fields: {'f:a': {}}, want: {a: [{x: 1}]}},
    {
      name: 'items by their keys',
      live: {a: [{n: 'x', v: 1, w: 2}, {n: 'y'}]},
      fields: {'f:a': {'k:{"n":"x"}': {'.': {}, 'f:n': {}, 'f:v': {}}}},
      want: {a: [{n: 'x', v: 1}]},
    },
    {
      name: 'items of a set',
      live: {a: ['x', 'y']},
      fields: {'f:a': {'v:"y"': {}, 'v:odd': {}}},
      want: {a: ['y']},
    },
    {name: 'a field that became a text', live: {a: 'x'}, fields: {'f:a': {'f:b': {}}}, want: {a: 'x'}},
  ])('are those that a manager applied: $name', ({live, fields, want}) => {
    expect(ownedFields(live, fields, name => name === 'whole')).toEqual(want)
  })
})

describe('the hash of an observed object', () => {
  const sent = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'a', namespace: 'b', labels: {c: 'd'}},
    spec: {
      strategy: {},
      selector: {matchLabels: {app: 'a'}},
      env: [{valueFrom: {fieldRef: {fieldPath: 'x'}}}],
    },
  }
  const managedFields: readonly JsonObject[] = [
    {
      manager: 'crossplane-packages',
      operation: 'Apply',
      fieldsV1: {
        'f:metadata': {'f:labels': {'f:c': {}}},
        'f:spec': {'f:strategy': {}, 'f:selector': {}, 'f:env': {}},
      },
    },
    {manager: 'kubectl-edit', operation: 'Update', fieldsV1: {}},
    {manager: 'crossplane-packages:b/a', operation: 'Apply', fieldsV1: {}},
    {manager: 'kubelet', operation: 'Update', subresource: 'status', fieldsV1: {}},
  ]
  const live: KubernetesObject = {
    ...sent,
    metadata: {...sent.metadata, labels: {c: 'd', e: 'f'}, uid: 'u', managedFields},
    spec: {
      ...sent.spec,
      strategy: {type: 'Recreate'},
      env: [{valueFrom: {fieldRef: {fieldPath: 'x', apiVersion: 'v1'}}}],
      replicas: 1,
    },
    status: {},
  }

  it('is that of an inventory, whatever the API server and others added', () => {
    const {applied, managers} = observedObject(live)
    expect(applied).toContain(readHash(live, sent))
    expect(managers).toEqual(['kubectl-edit'])
  })

  it('is another one if an applied field changed', () => {
    const other = {...live, spec: {selector: {matchLabels: {app: 'other'}}}}
    expect(observedObject(other).applied).not.toContain(readHash(live, sent))
  })

  it('does not exist for an object that this program did not apply', () => {
    const metadata = {...live.metadata, managedFields: []}
    expect(observedObject({...live, metadata})).toMatchObject({applied: [], managers: []})
  })
})
