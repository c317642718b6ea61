import {describe, expect, it} from '@jest/globals'
import {
  explainHanging,
  type HangingDeletion,
} from '../../../../src/plan/cluster/uninstall/hanging-deletion.js'
import {ERAS} from '../../../../src/render/era.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const ERA = ERAS.packages
const EXTERNAL = 'example.org/external'
const AGAIN = 'Fix the cause, and run the command again, or pass a longer --timeout.'
const GET = 'kubectl get bucket.v1.example.org b --namespace team --output yaml'

function bucket(
  finalizers: readonly string[],
  managers: Readonly<Record<string, string>> = {},
): KubernetesObject {
  const managedFields = Object.entries(managers).map(([manager, finalizer]) => ({
    manager,
    operation: 'Update',
    fieldsV1: {'f:metadata': {'f:finalizers': {[`v:${JSON.stringify(finalizer)}`]: {}}}},
  }))
  const metadata = {name: 'b', namespace: 'team', deletionTimestamp: 'now', finalizers, managedFields}
  return {apiVersion: 'example.org/v1', kind: 'Bucket', metadata}
}

const record = (kind: string, finalizer: string): KubernetesObject => ({
  apiVersion: ERA.apiVersion,
  kind,
  metadata: {name: 'b', namespace: 'team', deletionTimestamp: 'now', finalizers: [finalizer]},
})
const hanging = (object: KubernetesObject, more: Partial<HangingDeletion> = {}): HangingDeletion => ({
  object,
  controllers: [],
  managers: new Map(),
  ...more,
})
const controller = (state: HangingDeletion['controllers'][number]['state']) => ({
  install: 'team/db',
  deployment: 'team/db-controller',
  state,
})

describe('explainHanging', () => {
  it.each<[string, HangingDeletion, string, readonly string[]]>([
    ['an object without finalizers', hanging(bucket([])), 'deletion is still in progress', [AGAIN]],
    [
      'an object that nobody deletes',
      hanging({...bucket([]), metadata: {name: 'b', namespace: 'team'}}),
      'deletion has not started',
      [GET],
    ],
    [
      'a finalizer whose field manager is known',
      hanging(bucket([EXTERNAL], {'bucket-controller': EXTERNAL, other: 'example.org/other'})),
      `finalizer "${EXTERNAL}" was set by field manager "bucket-controller"`,
      [GET, AGAIN],
    ],
    [
      'a finalizer that nothing shows an owner of',
      hanging(bucket([EXTERNAL])),
      `finalizer "${EXTERNAL}" has no known owner`,
      [GET, AGAIN],
    ],
    ...(
      [
        ['running', 'is running'],
        ['stopped', 'has no replicas'],
        ['missing', 'does not exist'],
        ['unknown', 'cannot be read'],
      ] as const
    ).map(([state, text]): [string, HangingDeletion, string, readonly string[]] => [
      `an instance whose controller is ${state}`,
      hanging(bucket([EXTERNAL], {db: EXTERNAL}), {controllers: [controller(state)]}),
      `finalizer "${EXTERNAL}" was set by field manager "db", controller team/db-controller of install team/db ${text}`,
      [state === 'running' ? 'kubectl logs deployment/db-controller --namespace team' : GET, AGAIN],
    ]),
    [
      'a CRD that has instances',
      hanging(bucket([EXTERNAL], {db: EXTERNAL}), {crd: {name: 'buckets.example.org', instances: 3}}),
      `3 custom resources of buckets.example.org left; Bucket team/b: finalizer "${EXTERNAL}" was set by field manager "db"`,
      [GET, AGAIN],
    ],
    [
      'an object that waits for its dependents',
      hanging(bucket(['foregroundDeletion'])),
      'finalizer "foregroundDeletion" waits for its dependents, which the garbage collector deletes',
      [GET, AGAIN],
    ],
    [
      'a Namespace',
      hanging({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {name: 'team', deletionTimestamp: 'now'},
        spec: {finalizers: ['kubernetes']} satisfies JsonObject,
      }),
      'finalizer "kubernetes" waits for the objects in the namespace',
      ['kubectl get namespace team --output yaml', AGAIN],
    ],
  ])('explains %s', (_, given, reason, suggestions) => {
    expect(explainHanging(given)).toEqual({reason, suggestions})
  })

  it.each<[string, HangingDeletion['managers'], string]>([
    ['is stopped', new Map(), 'crossplane-package-manager, which is not running'],
    [
      'runs',
      new Map([['packages', 'cp/crossplane-package-manager']]),
      'cp/crossplane-package-manager, which is running',
    ],
    ['cannot be read', undefined, 'crossplane-package-manager, and Deployments cannot be read'],
  ])('names the original package manager, which %s', (_, managers, text) => {
    const request = record(ERA.kinds.clusterRequest, ERA.finalizers.request)
    expect(explainHanging(hanging(request, {managers})).reason).toBe(
      `finalizer "${ERA.finalizers.request}" is removed by the original package manager ${text}`,
    )
  })
})
