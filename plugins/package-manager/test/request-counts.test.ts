import {expect, it} from '@jest/globals'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import {requestCounts} from '../src/run/request-counts.js'

function request(namespace: string, ready?: string, synced?: string): KubernetesObject {
  const conditions = [
    ...(ready === undefined ? [] : [{type: 'Ready', status: ready, reason: `Ready${ready}`}]),
    ...(synced === undefined ? [] : [{type: 'Synced', status: synced, reason: `Synced${synced}`}]),
  ]
  return {
    apiVersion: 'packages.crossplane.io/v1alpha1',
    kind: 'PackageInstall',
    metadata: {name: 'x', namespace},
    status: {conditionedStatus: {conditions}},
  }
}

it('counts requests by namespace and conditions, with the reason of the one that is a problem', () => {
  const requests = [
    request('a', 'True', 'True'),
    request('a', 'True', 'True'),
    request('a', 'True', 'False'),
    request('b', 'False', 'True'),
    request('b'),
  ]
  const kind = 'PackageInstall'
  expect(requestCounts(requests)).toEqual([
    {namespace: 'a', kind, ready: 'True', synced: 'True', reason: 'ReadyTrue', count: 2},
    {namespace: 'a', kind, ready: 'True', synced: 'False', reason: 'SyncedFalse', count: 1},
    {namespace: 'b', kind, ready: 'False', synced: 'True', reason: 'ReadyFalse', count: 1},
    {namespace: 'b', kind, ready: '', synced: '', reason: '', count: 1},
  ])
})
