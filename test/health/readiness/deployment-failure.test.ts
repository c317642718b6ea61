import {describe, expect, it} from '@jest/globals'
import {deploymentFailure} from '../../../src/health/readiness/deployment-failure.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const revision = (number: number) => ({annotations: {'deployment.kubernetes.io/revision': String(number)}})
const owned = (uid: string) => ({ownerReferences: [{uid}]})

const deployment: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'web', uid: 'of-web', ...revision(2)},
}
const replicaSet = (number: number, status: JsonObject = {}): KubernetesObject => {
  const metadata = {name: `web-${number}`, uid: `of-web-${number}`, ...revision(number), ...owned('of-web')}
  return {apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, status}
}
const pod = (status: JsonObject, of = 2): KubernetesObject => {
  return {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'web', ...owned(`of-web-${of}`)}, status}
}
const changedPod = (metadata: JsonObject, status: JsonObject): KubernetesObject => {
  const of = pod(status)
  return {...of, metadata: {...of.metadata, ...metadata}}
}
const container = (state: JsonObject, more: JsonObject = {}) => {
  return pod({containerStatuses: [{name: 'main', image: 'example/web:1', state, ...more}]})
}
const NOW = Date.parse('2026-06-01T12:00:00Z')
const endedAt = (finishedAt: string) => ({terminated: {exitCode: 2, reason: 'Error', finishedAt}})
const waiting = (reason: string, message = '') => ({waiting: {reason, message}})

describe('the reason why a Deployment is not available', () => {
  it.each([
    {
      name: 'Pods over a quota',
      reason: 'no Pod exists',
      replicaSets: [
        replicaSet(2, {
          conditions: [
            {type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota'},
          ],
        }),
      ],
      pods: [],
      want: 'its Pods cannot be created: "exceeded quota"',
    },
    {
      name: 'a Pod without a node',
      reason: 'only the scheduler reports it',
      pods: [
        pod({
          phase: 'Pending',
          conditions: [
            {type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes'},
          ],
        }),
      ],
      want: 'its Pod cannot be scheduled: "0/3 nodes"',
    },
    {
      name: 'an image that cannot be pulled',
      reason: 'the name of the image could be wrong',
      pods: [container(waiting('ImagePullBackOff', 'Back-off pulling image'))],
      want: 'container "main" cannot pull its image "example/web:1": "Back-off pulling image"',
    },
    {
      name: 'a crash loop',
      reason: 'the last exit has more details than the waiting state',
      pods: [
        container(waiting('CrashLoopBackOff', 'back-off 5m0s'), {
          lastState: {terminated: {exitCode: 1, reason: 'Error', message: 'no such flag'}},
        }),
      ],
      want: 'container "main" exits with 1: "no such flag"',
    },
    {
      name: 'a lack of memory',
      reason: 'the reason is not in the exit code',
      pods: [container({terminated: {exitCode: 137, reason: 'OOMKilled'}})],
      want: 'container "main" exits with 137: "OOMKilled"',
    },
    {
      name: 'a Secret that does not exist',
      reason: 'the kubelet does not start the container',
      pods: [container(waiting('CreateContainerConfigError', 'secret "a" not found'))],
      want: String.raw`container "main" cannot start: "CreateContainerConfigError": "secret \"a\" not found"`,
    },
    {
      name: 'an init container',
      reason: 'the others wait for it',
      pods: [
        pod({
          initContainerStatuses: [{name: 'first', state: {terminated: {exitCode: 3, reason: 'Error'}}}],
          containerStatuses: [{name: 'main', state: waiting('PodInitializing')}],
        }),
      ],
      want: 'container "first" exits with 3',
    },
    {
      name: 'a probe that fails',
      reason: 'the container runs',
      pods: [container({running: {}}, {ready: false})],
      want: 'container "main" is running but not ready',
    },
    {
      name: 'a container that was started again',
      reason: 'it runs between two crashes',
      pods: [
        container({running: {}}, {ready: false, lastState: {terminated: {exitCode: 2, reason: 'Error'}}}),
      ],
      want: 'container "main" exits with 2',
    },
    {
      name: 'a container that was started again a minute ago',
      reason: 'the crash may have interrupted its start',
      pods: [container({running: {}}, {ready: false, lastState: endedAt('2026-06-01T11:59:00Z')})],
      want: 'container "main" exits with 2',
    },
    {
      name: 'a container that was started again long ago',
      reason: 'it has run well since',
      pods: [container({running: {}}, {ready: false, lastState: endedAt('2026-06-01T11:30:00Z')})],
      want: 'container "main" is running but not ready',
    },
    {
      name: 'an evicted Pod',
      reason: 'its containers report nothing',
      pods: [pod({phase: 'Failed', reason: 'Evicted', message: 'low on memory'})],
      want: 'its Pod failed: "Evicted": "low on memory"',
    },
    {
      name: 'containers that start',
      reason: 'nothing is wrong',
      pods: [container(waiting('ContainerCreating'))],
      want: undefined,
    },
    {
      name: 'a Pod of an older revision',
      reason: 'it is about to go',
      pods: [pod({phase: 'Failed'}, 1)],
      want: undefined,
    },
    {
      name: 'an evicted Pod that was replaced',
      reason: 'the other one runs',
      pods: [pod({phase: 'Failed', reason: 'Evicted'}), pod({phase: 'Running'})],
      want: undefined,
    },
    {
      name: 'a Pod that is being deleted',
      reason: 'it is about to go',
      pods: [changedPod({deletionTimestamp: '2026-01-01T00:00:00Z'}, {phase: 'Failed'})],
      want: undefined,
    },
    {
      name: 'a Pod of another owner',
      reason: 'labels can overlap',
      pods: [pod({phase: 'Failed'}, 9)],
      want: undefined,
    },
    {
      name: 'no ReplicaSet of the revision',
      reason: 'the controller has not created it',
      replicaSets: [replicaSet(1)],
      pods: [pod({phase: 'Failed'}, 1)],
      want: undefined,
    },
  ])('$name: $reason', ({replicaSets = [replicaSet(1), replicaSet(2)], pods, want}) => {
    expect(deploymentFailure({deployment, replicaSets, pods}, NOW)?.reason).toBe(want)
  })
})
