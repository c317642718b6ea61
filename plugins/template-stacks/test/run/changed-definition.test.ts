import {expect, it} from '@jest/globals'
import type {ClusterApi, KubernetesObject} from 'kubectl-crossplane/plugin'
import {manualClock, settled} from '../../../../test/reconcile/manual-clock.js'
import {PushedEvents} from '../../../../test/reconcile/pushed-events.js'
import {stackRunner, type Runner} from '../../src/run/run-stack.js'

function definition(engine: string, resourceVersion: string): KubernetesObject {
  return {
    apiVersion: 'packages.crossplane.io/v1alpha1',
    kind: 'StackDefinition',
    metadata: {name: 'demo', namespace: 'runners', resourceVersion},
    spec: {
      behavior: {
        crd: {apiVersion: 'demo.example.org/v1', kind: 'Demo'},
        engine: {type: engine},
        source: {path: 'files', files: {'Chart.yaml': 'name: demo\nversion: 1.0.0\n'}},
      },
      permissionScope: 'Cluster',
    },
  }
}

it('takes the last of two definitions, whichever is read first', async () => {
  const clock = manualClock()
  const events = new PushedEvents()
  const reads: (() => void)[] = []
  const first = definition('helm3', '1')
  const api = {
    watch: ({kind}: {readonly kind: string}, options: Parameters<ClusterApi['watch']>[1]) =>
      kind === first.kind ? events.watch([first], options) : new PushedEvents().watch([], options),
  } as unknown as ClusterApi
  const none = () => undefined
  const runner = stackRunner({
    process: {api, clock, log: none, metrics: {reconciled: none, queued: none}},
    engine: {} as Runner['engine'],
    facts: {
      scopeOf: () => 'Namespaced',
      refresh: () => Promise.resolve(false),
      capabilities: async () => await new Promise(resolve => reads.push(() => resolve({}))),
    },
    definition: first,
    folder: () => Promise.resolve(undefined),
  })
  const stop = new AbortController()
  const ended = runner.run(stop.signal)
  await settled()
  reads.shift()?.()
  await settled()
  expect(runner.notReady()).toBeUndefined()
  events.push(definition('helm9', '2'))
  events.push(definition('helm3', '3'))
  await settled()
  while (reads.length > 0) {
    reads.pop()?.()
    await settled()
  }
  expect(runner.notReady()).toBeUndefined()
  stop.abort()
  await ended
})
