import {describe, expect, it} from '@jest/globals'
import {firstBreak, type Health} from '../../src/health/health.js'
import {judgeHealth} from '../../src/health/judge-health.js'
import {nameOf, objectKey} from '../../src/kubernetes/object-key.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {asObject, asObjects, type JsonObject} from '../../src/yaml/json-value.js'
import {
  changed,
  container,
  deployment,
  failedMount,
  record,
  snapshotWith,
  unavailable,
} from './some-install.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const NOW = Date.parse('2026-06-01T12:00:00Z')
const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString()
const now = {now: NOW}
const summary = (health: Health) => [health.state, firstBreak(health)?.id]

describe('a container that runs between two crashes', () => {
  /** The container of a Deployment that is available at this moment. */
  const restarted = (restartCount: number, ended: number, lasted = SECOND) => {
    const terminated = {exitCode: 2, startedAt: ago(ended + lasted), finishedAt: ago(ended)}
    const pod = container(
      {running: {startedAt: ago(ended)}},
      {ready: true, restartCount, lastState: {terminated}},
    )
    return judgeHealth({...unavailable([pod], {live: deployment}), ...now})
  }

  it.each([
    {name: 'was restarted several times', in: restarted(7, 30 * SECOND), want: ['broken', 'container-crash']},
    {
      name: 'was restarted once, and may have waited for a CRD',
      in: restarted(1, 30 * SECOND),
      want: ['starting', undefined],
    },
    {name: 'has run for long before', in: restarted(7, MINUTE, 10 * HOUR), want: ['starting', undefined]},
    {name: 'has run for long since', in: restarted(7, 11 * MINUTE), want: ['healthy', undefined]},
    {
      name: 'was restarted at a time ahead of the local clock',
      in: restarted(7, -MINUTE),
      want: ['broken', 'container-crash'],
    },
  ])('that $name is $want', ({in: health, want}) => {
    expect(summary(health)).toEqual(want)
  })

  it('names the restarts and the log of the previous run', () => {
    expect(firstBreak(restarted(7, 30 * SECOND))).toMatchObject({
      message: 'Pod infra/sql-1-a: container "main" exits with 2; it was restarted 7 times',
      suggestion: 'kubectl logs sql-1-a --namespace infra --container main --previous',
    })
  })

  describe.each([
    {
      name: 'runs, and is not ready',
      of: (restartCount: number) =>
        container(
          {running: {startedAt: ago(SECOND)}},
          {
            ready: false,
            restartCount,
            lastState: {terminated: {exitCode: 2, startedAt: ago(MINUTE), finishedAt: ago(SECOND)}},
          },
        ),
      restarts: 1,
    },
    {
      name: 'is not restarted yet',
      of: (restartCount: number) => container({terminated: {exitCode: 2}}, {restartCount}),
      restarts: 0,
    },
  ])('and $name', ({of, restarts}) => {
    const judged = (...pods: KubernetesObject[]) => summary(judgeHealth({...unavailable(pods), ...now}))

    it('is starting after its first crash, and broken after the next', () => {
      expect(judged(of(restarts))).toEqual(['starting', undefined])
      expect(judged(of(restarts + 1))).toEqual(['broken', 'container-crash'])
    })

    it('does not hide a Pod that fails', () => {
      const absent = container({waiting: {reason: 'ErrImagePull'}})
      expect(judged(of(restarts), absent)).toEqual(['broken', 'image-pull'])
    })

    it('does not hide a container that fails', () => {
      const pod = of(restarts)
      const status = asObject(pod.status)
      const absent = {name: 'proxy', image: 'a:1', state: {waiting: {reason: 'ErrImagePull'}}}
      const both = [...asObjects(status.containerStatuses), absent]
      expect(judged({...pod, status: {...status, containerStatuses: both}})).toEqual(['broken', 'image-pull'])
    })
  })

  it('has a log of its own at its first crash', () => {
    const crashed = container({terminated: {exitCode: 2}})
    expect(firstBreak(judgeHealth(unavailable([crashed])))).toMatchObject({
      id: 'container-crash',
      suggestion: 'kubectl logs sql-1-a --namespace infra --container main',
    })
  })
})

describe('a Deployment that is not available', () => {
  const since = (milliseconds: number): JsonObject => ({
    type: 'Available',
    status: 'False',
    lastTransitionTime: ago(milliseconds),
  })
  const rolledOut = {type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable'}
  const rollingOut = {...rolledOut, reason: 'ReplicaSetUpdated'}
  const withStatus = (conditions: readonly JsonObject[], more: JsonObject = {}) =>
    changed(deployment, {status: {availableReplicas: 0, conditions: [...conditions], ...more}})
  const creating = container({waiting: {reason: 'ContainerCreating'}})
  const judged = (live: KubernetesObject, pods: readonly KubernetesObject[] = [creating]) =>
    summary(judgeHealth({...unavailable(pods, {live}), ...now}))

  it.each([
    {
      name: 'after its rollout',
      in: judged(withStatus([since(HOUR), rolledOut])),
      want: 'controller-unavailable',
    },
    {
      name: 'after its rollout, with a container that runs and is not ready',
      in: judged(withStatus([since(HOUR), rolledOut]), [container({running: {}})]),
      want: 'controller-unavailable',
    },
    {
      name: 'after its rollout, with a container that crashed long before',
      in: judged(withStatus([since(HOUR), rolledOut]), [
        container(
          {running: {startedAt: ago(10 * HOUR)}},
          {restartCount: 1, lastState: {terminated: {exitCode: 2, finishedAt: ago(10 * HOUR)}}},
        ),
      ]),
      want: 'controller-unavailable',
    },
    {
      name: 'in one of its replicas',
      in: judged(withStatus([{...since(HOUR), status: 'True'}, rolledOut]), [
        changed(creating, {status: {conditions: [{...since(HOUR), type: 'Ready'}]}}),
      ]),
      want: 'controller-unavailable',
    },
    {name: 'and has no deadline', in: judged(withStatus([since(HOUR)])), want: 'controller-stalled'},
    {
      name: 'and was never observed',
      in: judged(
        changed(withStatus([], {observedGeneration: 0}), {metadata: {creationTimestamp: ago(HOUR)}}),
      ),
      want: 'controller-stalled',
    },
  ])('$name is $want', ({in: health, want}) => {
    expect(health).toEqual(['broken', want])
  })

  it.each([
    {name: 'while its Pod is replaced', in: judged(withStatus([since(10 * SECOND), rolledOut]))},
    {name: 'during its first rollout', in: judged(withStatus([since(9 * MINUTE), rollingOut]))},
    {name: 'during a rollout of which no deadline is set', in: judged(withStatus([since(9 * MINUTE)]))},
    {
      name: 'before its last change is observed',
      in: judged(
        changed(withStatus([since(HOUR), rolledOut]), {
          metadata: {
            generation: 2,
            creationTimestamp: ago(HOUR),
            managedFields: [{manager: 'crossplane-packages', operation: 'Apply', time: ago(SECOND)}],
          },
        }),
      ),
    },
  ])('$name is starting', ({in: health}) => {
    expect(health).toEqual(['starting', undefined])
  })

  it('that is paused is broken, unless its record pauses it', () => {
    const paused = changed(deployment, {spec: {paused: true}})
    const health = judgeHealth(snapshotWith({Deployment: paused}))
    expect(firstBreak(health)).toMatchObject({
      id: 'controller-paused',
      suggestion: 'kubectl rollout resume deployment sql-controller --namespace infra',
    })
    const containers = [{name: 'main', image: 'a:1'}]
    const own = changed(record, {
      spec: {controller: {deployment: {spec: {paused: true, template: {spec: {containers}}}}}},
    })
    expect(judgeHealth(snapshotWith({record: own, Deployment: paused}))).toMatchObject({state: 'healthy'})
  })

  it('is unknown if its Pods cannot be read, also while it is available', () => {
    const key = `pods of ${objectKey(nameOf(deployment))}`
    const denials = new Map([[key, {message: 'permission denied', suggestions: []}]])
    expect(summary(judgeHealth(snapshotWith({}, {denials})))).toEqual(['unknown', undefined])
  })
})

describe('the events of a Pod that waits', () => {
  const creating = container({waiting: {reason: 'ContainerCreating'}})
  const event = (reason: string, lastTimestamp: string, uid = 'of-pod'): KubernetesObject => ({
    ...failedMount,
    reason,
    lastTimestamp,
    involvedObject: {uid},
  })
  const judged = (...events: KubernetesObject[]) => summary(judgeHealth(unavailable([creating], {events})))

  it.each([
    {
      name: 'the newest names what it waits for, in any order',
      in: judged(event('FailedMount', ago(0)), event('Scheduled', ago(MINUTE))),
      want: ['broken', 'pod-blocked'],
    },
    {
      name: 'the last time of a repeated event counts',
      in: judged(
        {...event('FailedMount', ago(HOUR)), series: {lastObservedTime: ago(0)}},
        event('Pulling', ago(MINUTE)),
      ),
      want: ['broken', 'pod-blocked'],
    },
    {
      name: 'one that is over does not count',
      in: judged(event('FailedMount', ago(MINUTE)), event('Pulling', ago(0))),
      want: ['starting', undefined],
    },
    {
      name: 'one of a Pod of the same name before does not count',
      in: judged(event('FailedMount', ago(0), 'of-another')),
      want: ['starting', undefined],
    },
  ])('$name', ({in: health, want}) => {
    expect(health).toEqual(want)
  })

  it('are named where they cannot be read', () => {
    const snapshot = unavailable([creating], {eventsDenied: 'permission denied: user "a" cannot list events'})
    expect(judgeHealth(snapshot).findings).toMatchObject([
      {kind: 'progress', message: expect.stringMatching(/; permission denied: user "a" cannot list events$/)},
    ])
  })
})
