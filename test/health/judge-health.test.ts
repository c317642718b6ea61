import {describe, expect, it} from '@jest/globals'
import {firstBreak} from '../../src/health/health.js'
import {absentHealth, judgeHealth} from '../../src/health/judge-health.js'
import {nameOf} from '../../src/kubernetes/object-key.js'
import {
  changed,
  condition,
  container,
  crd,
  DELETED,
  deployment,
  failedMount,
  INSTALL,
  REQUESTED,
  inventory,
  LIVE,
  pod,
  record,
  request,
  snapshotWith,
  stalled,
  unavailable,
} from './some-install.js'

describe('the first broken link', () => {
  it.each([
    {
      name: 'a namespace that is deleted',
      in: snapshotWith(
        {},
        {namespace: changed({...crd, kind: 'Namespace', apiVersion: 'v1'}, {metadata: DELETED})},
      ),
      want: 'namespace-terminating',
    },
    {
      name: 'an inventory that cannot be read',
      in: snapshotWith({}, {unreadable: {configMap: 'crossplane-package.sql', message: 'not JSON'}}),
      want: 'inventory-unreadable',
      suggestion: 'kubectl get configmap crossplane-package.sql --namespace infra --output yaml',
    },
    {
      name: 'a change that did not end',
      in: snapshotWith({}, {inventory: inventory('changing')}),
      want: 'install-interrupted',
      suggestion: INSTALL,
    },
    {
      name: 'a request that is deleted',
      in: snapshotWith({record: null}, {request: changed(request, {metadata: DELETED})}),
      want: 'request-terminating',
    },
    {
      name: 'a request that is deleted before its record',
      in: snapshotWith({}, {request: changed(request, {metadata: DELETED})}),
      want: 'request-terminating',
    },
    {
      name: 'a request that nothing carries out',
      in: snapshotWith({record: null}, {request}),
      want: 'request-unprocessed',
      suggestion: `${REQUESTED} --adopt`,
    },
    {
      name: 'a Job of a package manager that failed',
      in: snapshotWith(
        {record: null},
        {request, isManaged: true, job: {...deployment, kind: 'Job', status: condition('Failed', 'True')}},
      ),
      want: 'install-job-failed',
    },
    {
      name: 'a request that a package manager does not carry out',
      in: snapshotWith(
        {record: null},
        {
          request: changed(request, {metadata: {creationTimestamp: '1970-01-01T00:00:00Z'}}),
          isManaged: true,
          manager: 'system/manager',
          now: 1e6,
        },
      ),
      want: 'request-unprocessed',
      suggestion: 'kubectl logs deployment/manager --namespace system --all-containers',
    },
    {
      name: 'a request whose Job does not end',
      in: snapshotWith(
        {record: null},
        {
          request: changed(request, {metadata: {creationTimestamp: '1970-01-01T00:00:00Z'}}),
          isManaged: true,
          job: {...deployment, apiVersion: 'batch/v1', kind: 'Job'},
          now: 1e6,
        },
      ),
      want: 'request-unprocessed',
      suggestion: 'kubectl describe job.batch sql-controller --namespace infra',
    },
    {name: 'no record', in: snapshotWith({record: null}, {inventory: inventory()}), want: 'record-missing'},
    {
      name: 'nothing but labels',
      in: snapshotWith({record: null, crd: null}),
      want: 'record-missing',
      suggestion:
        'kubectl get deployments,serviceaccounts,clusterroles,clusterrolebindings,rolebindings --all-namespaces --selector core.crossplane.io/parent-namespace=infra,core.crossplane.io/parent-name=sql',
    },
    {
      name: 'nothing but claims on CRDs',
      in: snapshotWith({record: null}, {claim: 'parent.packages.crossplane.io/infra-sql'}),
      want: 'record-missing',
      suggestion: 'kubectl crossplane package uninstall sql --namespace infra --adopt',
    },
    {
      name: 'no API of packages',
      in: snapshotWith({record: null}, {inventory: inventory(), servesRecords: false}),
      want: 'record-api-missing',
      suggestion: `${INSTALL} --with-package-api`,
    },
    {
      name: 'no definition of a template stack',
      in: snapshotWith(
        {},
        {inventory: inventory('complete', [{...nameOf(record), kind: 'StackDefinition'}])},
      ),
      want: 'record-missing',
    },
    {
      name: 'a record that is deleted',
      in: snapshotWith({record: changed(record, {metadata: DELETED})}),
      want: 'record-terminating',
    },
    {name: 'no CRD', in: snapshotWith({crd: null}), want: 'crd-missing'},
    {
      name: 'no CRD of the inventory',
      in: snapshotWith({crd: null}, {inventory: inventory('complete', [nameOf(crd)])}),
      want: 'crd-missing',
      suggestion: INSTALL,
    },
    {
      name: 'a CRD that is deleted',
      in: snapshotWith({crd: changed(crd, {metadata: DELETED})}),
      want: 'crd-terminating',
      suggestion: 'kubectl get databases.sql.example.org --all-namespaces',
    },
    {
      name: 'names that another CRD has',
      in: snapshotWith({crd: changed(crd, {status: condition('NamesAccepted', 'False')})}),
      want: 'crd-names-conflict',
    },
    {
      name: 'a CRD that is not established',
      in: snapshotWith({crd: changed(crd, {status: condition('Established', 'False', {reason: 'Odd'})})}),
      want: 'crd-not-established',
    },
    {
      name: 'a CRD that is not established in time',
      in: snapshotWith(
        {
          crd: changed(crd, {
            metadata: {creationTimestamp: '1970-01-01T00:00:00Z'},
            status: {conditions: []},
          }),
        },
        {now: 1e6},
      ),
      want: 'crd-not-established',
    },
    {
      name: 'a CRD without a claim',
      in: snapshotWith({
        crd: changed(crd, {metadata: {labels: {'namespace.crossplane.io/infra': 'true'}}}),
      }),
      want: 'crd-unclaimed',
    },
    {
      name: 'a version that is not served',
      in: snapshotWith({crd: changed(crd, {spec: {versions: [{name: 'v2', served: true}]}})}),
      want: 'crd-version-unserved',
    },
    {name: 'no service account', in: snapshotWith({ServiceAccount: null}), want: 'account-missing'},
    {
      name: 'a service account that is deleted',
      in: snapshotWith({ServiceAccount: changed(LIVE.ServiceAccount, {metadata: DELETED})}),
      want: 'object-terminating',
    },
    {name: 'no role of the controller', in: snapshotWith({system: null}), want: 'role-missing'},
    {name: 'no role of users', in: snapshotWith({edit: null}), want: 'role-missing'},
    {
      name: 'a role with fewer permissions',
      in: snapshotWith({
        system: changed(LIVE.system, {
          rules: [{apiGroups: [''], resources: ['secrets', 'events'], verbs: ['get']}],
        }),
      }),
      want: 'role-incomplete',
    },
    {name: 'no binding', in: snapshotWith({ClusterRoleBinding: null}), want: 'binding-missing'},
    {
      name: 'a binding of another role',
      in: snapshotWith({
        ClusterRoleBinding: changed(LIVE.ClusterRoleBinding, {
          roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin'},
        }),
      }),
      want: 'binding-other-role',
    },
    {
      name: 'a binding of another account',
      in: snapshotWith({
        ClusterRoleBinding: changed(LIVE.ClusterRoleBinding, {
          subjects: [{kind: 'ServiceAccount', name: 'sql', namespace: 'other'}],
        }),
      }),
      want: 'binding-other-subject',
    },
    {name: 'no Deployment', in: snapshotWith({Deployment: null}), want: 'controller-missing'},
    {
      name: 'a Deployment of another account',
      in: snapshotWith({
        Deployment: changed(deployment, {spec: {template: {spec: {serviceAccountName: 'default'}}}}),
      }),
      want: 'controller-other-account',
    },
    {
      name: 'a Deployment without replicas',
      in: snapshotWith({Deployment: changed(deployment, {spec: {replicas: 0}})}),
      want: 'controller-scaled-to-zero',
      suggestion: 'kubectl scale deployment sql-controller --namespace infra --replicas=1',
    },
    {
      name: 'a quota',
      in: unavailable([], {status: condition('ReplicaFailure', 'True', {message: 'exceeded quota: q'})}),
      want: 'pods-over-quota',
      suggestion: 'kubectl describe resourcequota --namespace infra',
    },
    {
      name: 'admission',
      in: unavailable([], {status: condition('ReplicaFailure', 'True', {message: 'violates PodSecurity'})}),
      want: 'pods-rejected',
    },
    {
      name: 'a Pod without a node',
      in: unavailable([pod(condition('PodScheduled', 'False', {message: '0/1 nodes'}))]),
      want: 'pod-unschedulable',
      suggestion: 'kubectl describe pod sql-1-a --namespace infra',
    },
    {
      name: 'an image that cannot be pulled',
      in: unavailable([container({waiting: {reason: 'ErrImagePull'}})]),
      want: 'image-pull',
    },
    {
      name: 'a container that cannot start',
      in: unavailable([container({waiting: {reason: 'CreateContainerConfigError'}})]),
      want: 'container-start',
    },
    {
      name: 'a crash',
      in: unavailable(
        [container({waiting: {reason: 'CrashLoopBackOff'}}, {lastState: {terminated: {exitCode: 1}}})],
        {lastOutput: 'no such flag'},
      ),
      want: 'container-crash',
      suggestion: 'kubectl logs sql-1-a --namespace infra --container main --previous',
    },
    {name: 'an evicted Pod', in: unavailable([pod({phase: 'Failed'})]), want: 'pod-failed'},
    {
      name: 'a volume that cannot be mounted',
      in: unavailable([container({waiting: {reason: 'ContainerCreating'}})], {events: [failedMount]}),
      want: 'pod-blocked',
    },
    {name: 'a deadline that is over', in: unavailable([], {live: stalled}), want: 'controller-stalled'},
    {
      name: 'a container that is never ready',
      in: unavailable([container({running: {}})], {live: stalled}),
      want: 'controller-stalled',
    },
  ])('of an install with $name is $want', ({in: snapshot, want, suggestion}) => {
    const health = judgeHealth(snapshot)
    const first = firstBreak(health)
    expect({state: health.state, id: first?.id}).toEqual({state: 'broken', id: want})
    if (suggestion !== undefined) expect(first?.suggestion).toBe(suggestion)
  })

  it('of an install that is only in a lock is that it does not exist', () => {
    const health = absentHealth({namespace: 'infra', name: 'sql'}, 'a b.yaml')
    expect(health).toMatchObject({
      state: 'broken',
      findings: [
        {
          id: 'install-missing',
          suggestion:
            "Install it, with the folder or index of the packages: kubectl crossplane package install --declaration 'a b.yaml'",
        },
      ],
    })
  })

  it('comes before those that follow from it', () => {
    const {findings} = judgeHealth(snapshotWith({Deployment: null, ServiceAccount: null, crd: null}))
    expect(findings.map(each => each.kind === 'break' && each.id)).toEqual([
      'crd-missing',
      'account-missing',
      'controller-missing',
    ])
  })

  it('has the last output of a container that crashed', () => {
    const crashed = container({waiting: {reason: 'CrashLoopBackOff'}})
    const first = firstBreak(judgeHealth(unavailable([crashed], {lastOutput: 'no such flag\n'})))
    expect(first?.message).toBe('Pod infra/sql-1-a: container "main" exits: "no such flag"')
  })
})
