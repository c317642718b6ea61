import {expect, it} from '@jest/globals'
import {waitUntilReady} from '../../../src/observe/readiness/wait.js'
import type {CrossplaneError} from '../../../src/errors.js'
import {nameOf} from '../../../src/kubernetes/object-key.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {revisionOf, rolledBack} from '../../health/core/rolled-back.js'
import {steadyClock} from '../../http/steady-clock.js'

const REVISION = {annotations: {'deployment.kubernetes.io/revision': '1'}}
const DEPLOYMENT: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {namespace: 'team', name: 'web', uid: 'd', ...REVISION},
  spec: {selector: {matchLabels: {app: 'web'}}},
}
const REPLICA_SET: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {namespace: 'team', name: 'web-1', uid: 'r', ...REVISION, ownerReferences: [{uid: 'd'}]},
}
const SERVER_NOW = Date.parse('2026-06-01T12:00:00Z')
const MINUTE = 60 * 1000
/** A Pod whose container was started again after a crash. */
const pod = (crashed: number): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {namespace: 'team', name: 'web-1-a', ownerReferences: [{uid: 'r'}]},
  status: {
    containerStatuses: [
      {
        name: 'main',
        ready: false,
        restartCount: 3,
        state: {running: {}},
        lastState: {terminated: {exitCode: 2, finishedAt: new Date(crashed).toISOString()}},
      },
    ],
  },
})

async function* listOf(...objects: readonly KubernetesObject[]) {
  for (const object of objects) yield await Promise.resolve(object)
}

it.each([
  {name: 'a minute', in: SERVER_NOW - MINUTE, want: 'container "main" exits with 2'},
  {name: 'an hour', in: SERVER_NOW - 60 * MINUTE, want: 'container "main" is running but not ready'},
])('a crash of $name before is judged by the clock of the server', async ({in: crashed, want}) => {
  const api = {
    get: () => Promise.resolve(DEPLOYMENT),
    list: ({kind}: {readonly kind: string}) => listOf(kind === 'Pod' ? pod(crashed) : REPLICA_SET),
    resource: () => Promise.resolve(undefined),
    now: () => SERVER_NOW,
  }
  // Its clock is months behind.
  const waiting = waitUntilReady([nameOf(DEPLOYMENT)], {api, clock: steadyClock(), timeout: 0})
  const error = await waiting.then(
    () => undefined,
    (caught: unknown) => caught as CrossplaneError,
  )
  expect(error?.diagnostics.map(({message}) => message)).toEqual([
    expect.stringMatching(new RegExp(`; ${want}$`)),
  ])
})

it('waits for the revision that a rollback makes current, and not only for its package', async () => {
  const states = [
    {desiredState: 'Inactive', generation: 1, observed: 1, healthy: 'True'},
    {desiredState: 'Active', generation: 2, observed: 1, healthy: 'True'},
    {desiredState: 'Active', generation: 2, observed: 2, healthy: 'False'},
    {desiredState: 'Active', generation: 2, observed: 2, healthy: 'True'},
  ]
  const left = [...states]
  const [request, clock] = [rolledBack(), steadyClock()]
  const api = {
    get: ({kind}: {readonly kind: string}) =>
      Promise.resolve(kind === 'Provider' ? request : revisionOf(left.shift()!)),
    list: () => listOf(),
    resource: () => Promise.resolve(undefined),
    now: () => SERVER_NOW,
  }
  await waitUntilReady([nameOf(request)], {api, clock, timeout: MINUTE})
  expect(left).toEqual([])
})
