import {describe, expect, it} from '@jest/globals'
import {notListing} from '../../../../src/plan/cluster/state/git-sources.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const REQUEST = {kind: 'Provider', name: 'p'} as const
const source = (kind: string, name: string, status: JsonObject) => ({
  ...{apiVersion: 'v1', kind, metadata: {name}},
  status,
})
const resource = (name: string) => ({group: 'pkg.crossplane.io', kind: 'Provider', name})
const application = (name: string, ...resources: readonly string[]) =>
  source('Application', name, {resources: resources.map(resource)})
const kustomization = (name: string, ...requests: readonly string[]) =>
  source('Kustomization', name, {
    inventory: {entries: requests.map(request => ({id: `_${request}_pkg.crossplane.io_Provider`, v: 'v1'}))},
  })
const running = source('Application', 'running', {
  ...{resources: [resource('q')], sync: {revision: 'new'}},
  operationState: {phase: 'Running', operation: {sync: {revision: 'old'}}},
})

describe('the first sync of a request', () => {
  it.each([
    {name: 'has ended where the only source lists it', sources: [application('a', 'p', 'q')], want: []},
    {name: 'has not where none does', sources: [application('a', 'q'), kustomization('k')], want: ['a', 'k']},
    {
      name: 'has ended where another Application of that name does not list it',
      sources: [application('other', 'q'), application('a', 'p')],
      want: [],
    },
    {
      name: 'has ended where a label names an Application beside the Kustomization',
      sources: [kustomization('k', 'p'), application('labelled')],
      want: [],
    },
    {
      name: 'has not where an Application that runs says nothing yet, beside one that does not list it',
      sources: [kustomization('k', 'q'), running],
      want: ['k'],
    },
    {name: 'is not awaited where a chart has no list', sources: [source('HelmRelease', 'h', {})], want: []},
  ])('$name', ({sources, want}) => {
    expect(notListing(sources, REQUEST).map(({metadata}) => metadata.name)).toEqual(want)
  })
})
