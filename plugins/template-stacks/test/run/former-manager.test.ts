import {describe, expect, it} from '@jest/globals'
import type {JsonObject, KubernetesObject} from 'kubectl-crossplane/plugin'
import {takenOver} from '../../src/run/former-manager.js'

const OURS = 'crossplane-templates:team/demo'
const made = {
  manager: 'templating-controller',
  operation: 'Update',
  fieldsV1: {
    'f:metadata': {'f:labels': {'f:core.crossplane.io/parent-name': {}}},
    'f:data': {'f:old': {}},
  },
}
const users = {manager: 'kubectl-edit', operation: 'Update', fieldsV1: {'f:data': {'f:theirs': {}}}}
const applied = {manager: OURS, operation: 'Apply', fieldsV1: {}}

function object(managedFields: readonly JsonObject[]): KubernetesObject {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a', managedFields}}
}

describe('the fields of an object', () => {
  it.each([
    {
      name: 'of the original controller become those of this one',
      managers: [users, made],
      want: [users, {...made, manager: OURS, operation: 'Apply'}],
    },
    {
      name: 'that this controller applied already stay as they are',
      managers: [made, applied],
      want: undefined,
    },
    {name: 'of users stay theirs', managers: [users], want: undefined},
    {name: 'of the status stay as they are', managers: [{...made, subresource: 'status'}], want: undefined},
    {name: 'that others applied stay theirs', managers: [{...made, operation: 'Apply'}], want: undefined},
  ])('$name', ({managers, want}) => {
    expect(takenOver(object(managers), OURS)).toEqual(want)
  })
})
