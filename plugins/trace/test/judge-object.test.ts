import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import {judgeObject} from '../src/judge-object.js'
import {kind} from './memory-reader.js'

const custom = kind('db.example.org', 'Database')
const builtIn = kind('apps', 'Deployment')
const without = kind('db.example.org', 'DatabaseClass', {hasStatus: false})
const is = (type: string, status: string) => ({type, status})

describe('an object', () => {
  it.each([
    {name: 'without anything to judge', resource: without, in: {}, want: ''},
    {name: 'that is ready', in: {status: {conditions: [is('Ready', 'True')]}}, want: ''},
    {name: 'that is bound', in: {status: {bindingPhase: 'Bound'}}, want: 'Bound'},
    {
      name: 'in a state of its own, with a condition',
      in: {status: {conditions: [is('Ready', 'True')], state: 'X'}},
      want: 'X',
    },
    {
      name: 'that was completed',
      in: {status: {phase: 'Succeeded', conditions: [is('Ready', 'False')]}},
      want: 'Succeeded',
    },
    {name: 'of Kubernetes, without a status', resource: builtIn, in: {}, want: ''},
  ])('$name is ready', ({in: given, resource = custom, want}) => {
    expect(judged(given, resource)).toEqual({state: 'Ready', reason: want})
  })

  it.each([
    {name: 'without a status', in: {}, want: 'no controller has reported a status'},
    {
      name: 'that is unbound',
      in: {status: {bindingPhase: 'Unbound', conditions: [is('Ready', 'True')]}},
      want: 'bindingPhase is Unbound',
    },
    {
      name: 'in another state',
      in: {status: {state: 'Partial', conditions: [is('Synced', 'True')]}},
      want: 'state is Partial',
    },
    {
      name: 'that is not synced',
      in: {status: {conditions: [is('Ready', 'True'), is('Synced', 'False')]}},
      want: 'Synced is False',
    },
    {name: 'that failed', in: {status: {conditions: [is('Failed', 'True')]}}, want: 'Failed is True'},
    {
      name: 'with conditions as old controllers write them',
      in: {
        status: {
          conditionedStatus: {conditions: [{...is('Ready', 'False'), reason: 'Creating', message: 'wait'}]},
        },
      },
      want: 'Ready is False: Creating: wait',
    },
    {
      name: 'that is to be bound',
      in: {spec: {classRef: {}}, status: {conditions: [is('Synced', 'True')]}},
      want: 'not bound',
    },
    {
      name: 'that is deleted',
      in: {
        metadata: {name: 'a', deletionTimestamp: 'x', finalizers: ['f.example.org']},
        status: {bindingPhase: 'Bound'},
      },
      want: 'being deleted; finalizers: f.example.org',
    },
  ])('$name is not ready', ({in: given, want}) => {
    expect(judged(given, custom)).toEqual({state: 'NotReady', reason: want})
  })
})

function judged(given: object, resource: typeof custom) {
  const object = {apiVersion: 'v1', kind: resource.kind, metadata: {name: 'a'}, ...given} as KubernetesObject
  const {state, reason} = judgeObject(object, resource)
  return {state, reason}
}
