import {describe, expect, it} from '@jest/globals'
import type {JsonObject, KubernetesObject} from 'kubectl-crossplane/plugin'
import {statusPatch} from '../../src/run/resource-status.js'

const NOW = '2026-01-02T00:00:00Z'
const EARLIER = '2026-01-01T00:00:00Z'
const condition = {status: 'True' as const, reason: 'ReconcileSuccess', message: ''}
const synced = {type: 'Synced', ...condition, observedGeneration: 3, lastTransitionTime: EARLIER}

function resource(status?: JsonObject): KubernetesObject {
  return {
    apiVersion: 'demo.example.org/v1',
    kind: 'Demo',
    metadata: {name: 'd', generation: 3},
    ...(status === undefined ? {} : {status}),
  }
}

describe('the status of a custom resource', () => {
  it.each<{
    readonly name: string
    readonly status: JsonObject | undefined
    readonly fields?: JsonObject
    readonly want: JsonObject | undefined
  }>([
    {
      name: 'has the condition with the generation',
      status: undefined,
      want: {conditions: [{...synced, lastTransitionTime: NOW}]},
    },
    {name: 'is not written if nothing changes', status: {conditions: [synced], other: 1}, want: undefined},
    {
      name: 'has the fields of templates beside those of others',
      status: {conditions: [synced], other: 1},
      fields: {output: '+ '},
      want: {output: '+ ', conditions: [synced]},
    },
    {
      name: 'is not written if the fields of templates are there',
      status: {conditions: [synced], nested: {a: 1, b: 2}},
      fields: {nested: {b: 2}},
      want: undefined,
    },
    {
      name: 'loses a field that a template sets to null',
      status: {conditions: [synced], output: 'x'},
      fields: {output: null},
      want: {output: null, conditions: [synced]},
    },
    {
      name: 'keeps the condition of the controller if a template sets it, and takes the others',
      status: {conditions: [synced]},
      fields: {
        conditions: [
          {type: 'Synced', status: 'False'},
          {type: 'Ready', status: 'True'},
        ],
      },
      want: {conditions: [synced, {type: 'Ready', status: 'True'}]},
    },
  ])('$name', ({status, fields, want}) => {
    const given = fields === undefined ? {} : {fields}
    expect(statusPatch(resource(status), {condition, ...given, hasSubresource: true, now: NOW})).toEqual(want)
  })

  it('has no generation where writing the status changes it', () => {
    const patch = statusPatch(resource(), {condition, hasSubresource: false, now: NOW})
    expect(patch).toEqual({conditions: [{type: 'Synced', ...condition, lastTransitionTime: NOW}]})
  })
})
