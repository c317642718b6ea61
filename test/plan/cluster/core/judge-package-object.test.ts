import {expect, it} from '@jest/globals'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import {judgePackageObject} from '../../../../src/plan/cluster/core/judge-package-object.js'
import {stagedObjects} from '../../../../src/plan/cluster/core/plan-packages.js'
import type {DryRun} from '../../../../src/plan/cluster/state/cluster-snapshot.js'

const WANTED: KubernetesObject = {
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Provider',
  metadata: {name: 'x-base'},
  spec: {package: 'h.io/x/base:v2'},
}

function live(manager: string, tag = 'v1', more: Readonly<Record<string, string>> = {}): KubernetesObject {
  const operation = manager === 'crossplane-packages' ? 'Apply' : 'Update'
  return {
    ...WANTED,
    metadata: {name: 'x-base', uid: '1', managedFields: [{manager, operation}], ...more},
    spec: {package: `h.io/x/base:${tag}`},
  }
}

/** An object that this program took over from a command of kubectl at noon. */
function shared(manager: string, time: string): KubernetesObject {
  const own = {manager: 'crossplane-packages', operation: 'Apply', time: '2026-01-01T12:00:00Z'}
  const managedFields = [own, {manager, operation: 'Update', time}]
  const object = live(manager)
  return {...object, metadata: {...object.metadata, managedFields}}
}

const conflictWith = (manager: string): DryRun => ({
  kind: 'conflict',
  fields: [{manager, field: '.spec.package'}],
})

const KUBECTL = 'kubectl-client-side-apply'
const APPLIED: DryRun = {kind: 'applied', object: WANTED}
const CONFLICT: DryRun = {kind: 'conflict', fields: [{manager: 'flux', field: '.spec.package'}]}
const NOT_ALLOWED = {adopt: false, forceConflicts: false}

interface Case {
  readonly name: string
  readonly live?: KubernetesObject
  readonly dryRun?: DryRun
  readonly allowed?: typeof NOT_ALLOWED
  readonly want: unknown
}

const rejected = (rule: string) => ({kind: 'rejected', rejection: {rule}})
const changed = (more = {}) => ({kind: 'change', operation: {action: 'apply', ...more}})

it.each<Case>([
  {name: 'what does not exist', want: changed({precondition: {absent: true}})},
  {
    name: 'what is being deleted',
    live: live('kubectl', 'v1', {deletionTimestamp: 'now'}),
    want: rejected('object-terminating'),
  },
  {name: 'the same version of another program', live: live('flux', 'v2'), want: {kind: 'unchanged'}},
  {name: 'another version of another program', live: live('flux'), want: rejected('object-unmanaged')},
  {
    name: 'what Flux applies from Git',
    live: live('kustomize-controller'),
    want: {
      kind: 'rejected',
      rejection: {
        rule: 'object-unmanaged',
        message: 'Flux applies Provider x-base from Git, and would undo a change in the cluster',
        suggestions: ['Pass --git PATH to change it in a clone of the repository that Flux applies.'],
      },
    },
  },
  {
    name: 'what is adopted from Argo CD, and conflicts',
    live: live('argocd-controller'),
    dryRun: {kind: 'conflict', fields: [{manager: 'argocd-controller', field: '.spec.package'}]},
    allowed: {adopt: true, forceConflicts: false},
    want: {
      kind: 'rejected',
      rejection: {
        rule: 'field-conflict',
        suggestions: ['Pass --git PATH to change it in a clone of the repository that Argo CD applies.'],
      },
    },
  },
  {
    name: 'what Crossplane itself requested',
    live: live('crossplane'),
    dryRun: CONFLICT,
    want: changed({force: true}),
  },
  {name: 'a change', live: live('crossplane-packages'), dryRun: APPLIED, want: changed()},
  {
    name: 'fields of others',
    live: live('crossplane-packages'),
    dryRun: CONFLICT,
    want: rejected('field-conflict'),
  },
  {
    name: 'fields that kubectl has not changed since they were taken over',
    live: shared(KUBECTL, '2026-01-01T11:59:59Z'),
    dryRun: conflictWith(KUBECTL),
    want: changed({force: true}),
  },
  {
    name: 'fields that kubectl has changed since',
    live: shared(KUBECTL, '2026-01-01T12:00:01Z'),
    dryRun: conflictWith(KUBECTL),
    want: rejected('field-conflict'),
  },
  {
    name: 'fields that a controller applies',
    live: shared('kustomize-controller', '2026-01-01T11:00:00Z'),
    dryRun: conflictWith('kustomize-controller'),
    want: rejected('field-conflict'),
  },
  {
    name: 'what is adopted',
    live: live('flux', 'v2'),
    dryRun: APPLIED,
    allowed: {adopt: true, forceConflicts: false},
    want: changed({reason: 'the object is taken over'}),
  },
])('judges $name', ({live: object, dryRun, allowed = NOT_ALLOWED, want}) => {
  const [staged] = stagedObjects([{stage: 1, object: WANTED}])
  const {desired} = staged!
  const snapshot = {
    live: new Map(object === undefined ? [] : [[desired.key, object]]),
    dryRuns: new Map(dryRun === undefined ? [] : [[desired.key, dryRun]]),
  }
  expect(judgePackageObject(desired, snapshot, allowed)).toMatchObject(want as object)
})
