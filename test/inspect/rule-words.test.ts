import {describe, expect, it} from '@jest/globals'
import {ruleInWords, verbsInWords} from '../../src/inspect/rule-words.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const ALL = ['get', 'list', 'watch', 'create', 'delete', 'deletecollection', 'patch', 'update']

describe('verbs as text', () => {
  it.each([
    {name: 'all', reason: 'also those to come', in: ['*'], want: 'have full access to'},
    {name: 'all and one', reason: 'the one adds nothing', in: ['get', '*'], want: 'have full access to'},
    {name: 'reading', reason: 'three verbs, one word', in: ['get', 'list', 'watch'], want: 'read'},
    {name: 'reading and writing', reason: 'in any order', in: ALL, want: 'read, create, change and delete'},
    {
      name: 'part of reading',
      reason: 'by name: a list is not a watch',
      in: ['get', 'list'],
      want: 'get and list',
    },
    {
      name: 'reading and more',
      reason: 'nothing is left out',
      in: ['get', 'list', 'watch', 'patch', 'bind'],
      want: 'read, patch and bind',
    },
    {name: 'none', reason: 'has no text', in: [], want: ''},
  ])('$name: $reason', ({in: verbs, want}) => {
    expect(verbsInWords(verbs)).toBe(want)
  })
})

const RULES: readonly {name: string; reason: string; in: JsonObject; want: string}[] = [
  {
    name: 'subresources',
    reason: 'are shown with their resource',
    in: {apiGroups: ['a.org'], resources: ['xs', 'xs/status', 'ys', 'xs/scale'], verbs: ['*']},
    want: 'have full access to xs and their status and scale and ys in a.org',
  },
  {
    name: 'wildcards',
    reason: 'are shown',
    in: {apiGroups: ['*'], resources: ['*'], verbs: ['get']},
    want: 'get every kind in every API group',
  },
  {
    name: 'the core group and another',
    reason: 'it has no name of its own',
    in: {apiGroups: ['', 'apps'], resources: ['pods'], verbs: ['get']},
    want: 'get pods in the core group of Kubernetes and apps',
  },
  {
    name: 'one name',
    reason: 'narrows it',
    in: {apiGroups: ['a.org'], resources: ['xs'], verbs: ['get'], resourceNames: ['one']},
    want: 'get xs in a.org, only the one named one',
  },
  {
    name: 'names',
    reason: 'narrow it',
    in: {apiGroups: ['a.org'], resources: ['xs'], verbs: ['get'], resourceNames: ['one', 'two']},
    want: 'get xs in a.org, only those named one and two',
  },
  {
    name: 'URLs',
    reason: 'are not objects',
    in: {nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get']},
    want: 'get /metrics and /logs/* of the API server',
  },
  {
    name: 'no group',
    reason: 'allows nothing',
    in: {resources: ['xs'], verbs: ['get']},
    want: 'get xs in no API group (no effect)',
  },
]

describe('a rule as text', () => {
  it.each(RULES)('$name: $reason', ({in: rule, want}) => {
    expect(ruleInWords(rule)).toBe(want)
  })
})
