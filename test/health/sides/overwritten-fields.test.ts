import {describe, expect, it} from '@jest/globals'
import {overwrittenFields, overwrittenText} from '../../../src/health/sides/overwritten-fields.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const CONTAINERS = {containers: [{name: 'app', image: 'a:v1', env: [{name: 'TOKEN', value: 'secret'}]}]}

function entry(manager: string, fieldsV1: JsonObject): JsonObject {
  return {manager, operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1}
}

function text(before: JsonObject, after: JsonObject, managedFields: JsonObject[] = []): string {
  const live = {apiVersion: 'v1', kind: 'Thing', ...before, metadata: {name: 'a', managedFields}}
  return overwrittenText(overwrittenFields(live, {before, after}, 'ours'))
}

describe('what a write takes back', () => {
  it.each<{
    readonly name: string
    readonly before: JsonObject
    readonly after: JsonObject
    readonly managers?: JsonObject[]
    readonly want: string
  }>([
    {name: 'nothing', before: {spec: {size: 1}}, after: {spec: {size: 1}}, want: ''},
    {name: 'a changed value', before: {spec: {size: 2}}, after: {spec: {size: 1}}, want: 'changed spec.size'},
    {
      name: 'each field of a map that is gone',
      before: {metadata: {annotations: {'a.b/c': 'secret', d: 'e'}}},
      after: {metadata: {}},
      want: 'removed metadata.annotations["a.b/c"], metadata.annotations.d',
    },
    {
      name: 'a field that someone removed',
      before: {spec: {}},
      after: {spec: {size: 1}},
      want: 'restored spec.size',
    },
    {
      name: 'an item of a list by its key, without its value',
      before: {spec: CONTAINERS},
      after: {spec: {containers: [{name: 'app', image: 'a:v2'}]}},
      want: 'removed spec.containers[name=app].env[name=TOKEN]; changed spec.containers[name=app].image',
    },
    {
      name: 'an item whose key is text that a terminal would read, or no text',
      before: {
        spec: {
          env: [
            {name: 'A\n\u001b[2J', value: 'secret'},
            {name: {key: 'secret'}, value: 'secret'},
          ],
          ports: [{containerPort: 80, name: 'a'}],
        },
      },
      after: {spec: {env: [], ports: []}},
      want: 'removed spec.env[name=A\\n\\u001b[2J], spec.env[name=…], spec.ports[containerPort=80,protocol=TCP]',
    },
    {
      name: 'who set it, but for the one that writes',
      before: {spec: {size: 2, color: 'red'}},
      after: {spec: {}},
      managers: [entry('ours', {'f:spec': {'f:color': {}}}), entry('team\ntool', {'f:spec': {'f:size': {}}})],
      want: 'removed spec.size (set by team\\ntool), spec.color',
    },
  ])('is $name', ({before, after, managers, want}) => {
    expect(text(before, after, managers)).toBe(want)
  })
})
