import {expect, it} from '@jest/globals'
import type {ClusterApi, KubernetesObject, Log} from 'kubectl-crossplane/plugin'
import {clusterWrites} from '../../src/run/writes.js'

it('an Event is also in the log, with the whole message', async () => {
  const log: Parameters<Log>[0][] = []
  const events: KubernetesObject[] = []
  const api = {
    now: () => 0,
    create: (event: KubernetesObject) => {
      events.push(event)
      return Promise.resolve({object: event})
    },
  } as unknown as ClusterApi
  const writes = clusterWrites({api, log: entry => log.push(entry), manager: 'demo'})
  const resource = {apiVersion: 'example.org/v1', kind: 'Site', metadata: {name: 'a', namespace: 'team'}}
  const message = `removed ${'spec.size, '.repeat(200)}`
  await writes.event(resource, 'Normal', 'DriftCorrected', message)
  await writes.event(resource, 'Warning', 'ApplyFailed', '')
  const object = 'Site team/a'
  expect(log).toEqual([
    {level: 'info', message, fields: {object, reason: 'DriftCorrected'}},
    {level: 'warning', message: 'ApplyFailed', fields: {object, reason: 'ApplyFailed'}},
  ])
  expect(events[0]?.message).toMatch(/…$/)
})
