import {describe, expect, it} from '@jest/globals'
import {readinessOf, type Readiness} from '../../../src/health/readiness/readiness.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const condition = (type: string, status: string, reason = '', message = '') => ({
  type,
  status,
  reason,
  message,
})
const accepted = condition('NamesAccepted', 'True')

function crd(...conditions: readonly JsonObject[]): KubernetesObject {
  const metadata = {name: 'widgets.example.org'}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    status: {conditions},
  }
}

function deployment(counts: JsonObject, ...conditions: readonly JsonObject[]): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'web', namespace: 'default', generation: 2},
    spec: {replicas: counts.desired ?? 2},
    status: {observedGeneration: 2, ...counts, conditions},
  }
}

const done = {replicas: 2, updatedReplicas: 2, availableReplicas: 2}
const quota = 'pods "web" is forbidden: exceeded quota'

const cases: readonly {
  readonly name: string
  readonly reason: string
  readonly in: KubernetesObject
  readonly want: Readiness
}[] = [
  {
    name: 'an established CRD',
    reason: 'its resources can be created',
    in: crd(accepted, condition('Established', 'True')),
    want: {ready: true},
  },
  {
    name: 'a CRD without conditions',
    reason: 'the server has not processed it',
    in: crd(),
    want: {ready: false, reason: 'it is not established'},
  },
  {
    name: 'a CRD whose names another one has',
    reason: 'only the user can resolve it',
    in: crd(condition('NamesAccepted', 'False', 'PluralConflict', '"widgets" is already in use')),
    want: {
      ready: false,
      reason: String.raw`its names are not accepted: "\"widgets\" is already in use"`,
      isFinal: true,
    },
  },
  {
    name: 'a CRD that is not established yet',
    reason: 'the condition has the reason',
    in: crd(
      accepted,
      condition('Established', 'False', 'Installing', 'the initial names have been accepted'),
    ),
    want: {ready: false, reason: 'it is not established: "the initial names have been accepted"'},
  },
  {
    name: 'a CRD that is being deleted',
    reason: 'it can be established, and accepts no new objects',
    in: {
      ...crd(
        condition('Established', 'True'),
        condition(
          'Terminating',
          'True',
          'InstanceDeletionInProgress',
          'CustomResource deletion is in progress',
        ),
      ),
      metadata: {name: 'widgets.example.org', deletionTimestamp: '2026-01-01T00:00:00Z'},
    },
    want: {ready: false, reason: 'it is being deleted: "CustomResource deletion is in progress"'},
  },
  {
    name: 'a request whose change its manager has not observed',
    reason: 'its conditions are those of the version before',
    in: install(1, []),
    want: {ready: false, reason: 'its package manager has not observed its last change yet'},
  },
  {
    name: 'a request whose change was rejected',
    reason: 'the version before is still ready',
    in: install(2, [
      {type: 'Ready', status: 'True'},
      {type: 'Synced', status: 'False', message: 'no'},
    ]),
    want: {ready: false, reason: 'its package manager does not report it as ready: "no"'},
  },
  {
    name: 'an available Deployment',
    reason: 'all replicas are of its last change',
    in: deployment(done),
    want: {ready: true},
  },
  {
    name: 'a Deployment without replicas',
    reason: 'none is requested',
    in: deployment({desired: 0}),
    want: {ready: true},
  },
  {
    name: 'a Deployment whose change is not observed',
    reason: 'its status is that of the version before',
    in: deployment({...done, observedGeneration: 1}),
    want: {ready: false, reason: 'its last change is not observed yet'},
  },
  {
    name: 'a Deployment that is rolled out',
    reason: 'the old replicas are available and do not count',
    in: deployment({...done, updatedReplicas: 1}),
    want: {ready: false, reason: '1 of 2 replicas are updated'},
  },
  {
    name: 'a Deployment with old replicas',
    reason: 'two versions of a controller run',
    in: deployment({...done, replicas: 3}),
    want: {ready: false, reason: 'old replicas are still running'},
  },
  {
    name: 'a Deployment whose replicas are not available',
    reason: 'they exist and are not ready',
    in: deployment({...done, availableReplicas: 0}),
    want: {ready: false, reason: '0 of 2 replicas are available'},
  },
  {
    name: 'a Deployment over a quota',
    reason: 'its condition has the message of the ReplicaSet',
    in: deployment({}, condition('ReplicaFailure', 'True', 'FailedCreate', quota)),
    want: {ready: false, reason: `0 of 2 replicas are updated: ${JSON.stringify(quota)}`},
  },
  {
    name: 'a Deployment over its deadline',
    reason: 'kubectl rollout status fails, too',
    in: deployment(
      {...done, availableReplicas: 1},
      condition('Progressing', 'False', 'ProgressDeadlineExceeded'),
    ),
    want: {ready: false, reason: 'its progress deadline is exceeded', isFinal: true},
  },
  {
    name: 'an active Namespace',
    reason: 'objects can be created in it',
    in: {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'a'}, status: {phase: 'Active'}},
    want: {ready: true},
  },
  {
    name: 'any other object',
    reason: 'it has no readiness',
    in: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}},
    want: {ready: true},
  },
  {
    name: 'a status of wrong types',
    reason: 'servers are not trusted',
    in: {...crd(), status: {conditions: 'none'}},
    want: {ready: false, reason: 'it is not established'},
  },
]

describe('readiness', () => {
  it.each(cases)('of $name: $reason', ({in: object, want}) => {
    expect(readinessOf(object)).toEqual(want)
  })
})

/** A request in its second generation, with the status of the manager of this program. */
function install(observedGeneration: number, conditions: readonly JsonObject[]): KubernetesObject {
  return {
    apiVersion: 'packages.crossplane.io/v1alpha1',
    kind: 'PackageInstall',
    metadata: {name: 'x', namespace: 'team', generation: 2},
    status: {observedGeneration, conditionedStatus: {conditions: [...conditions]}},
  }
}
