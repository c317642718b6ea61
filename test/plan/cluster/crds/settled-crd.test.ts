import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER} from '../../../../src/cluster/claims.js'
import type {InventoryObject} from '../../../../src/cluster/inventory/inventory.js'
import {desiredObjects} from '../../../../src/plan/cluster/state/desired-object.js'
import {objectState} from '../../../../src/plan/cluster/state/object-state.js'
import {isSettledCrd} from '../../../../src/plan/cluster/crds/settled-crd.js'
import {ERAS} from '../../../../src/render/era.js'
import type {SetInstall, SetObject} from '../../../../src/render/install-set.js'
import {claimLabels} from '../../../../src/render/labels.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'

const DB: SetInstall = {
  namespace: 'team',
  name: 'db',
  era: 'packages',
  scope: 'Cluster',
  mode: 'requested',
  for: {},
}
const LABELS = claimLabels(ERAS.packages, DB)
const CRD: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'dbs.sql.org', annotations: {icon: 'a'}, labels: LABELS},
  spec: {group: 'sql.org', names: {kind: 'Db', plural: 'dbs'}, scope: 'Cluster', versions: []},
}
const MANAGERS = [CONTENT_MANAGER, claimManager(DB)]

/** The metadata of the CRD, as a list has it after an install. */
function listed(change: JsonObject = {}, managers: readonly string[] = MANAGERS): KubernetesObject {
  const {apiVersion, kind, metadata} = CRD
  const managedFields = managers.map(manager => ({manager, operation: 'Apply'}))
  return {apiVersion, kind, metadata: {...metadata, uid: 'u1', generation: 2, managedFields, ...change}}
}

function desiredCrd(shared: NonNullable<SetObject['shared']> = 'crd') {
  const [desired] = desiredObjects({
    installs: [DB],
    objects: [{phase: 'crds', shared, claims: shared === 'crd' ? [DB] : [], object: CRD}],
    warnings: [],
  })
  return desired!
}

function isSettled(
  live: KubernetesObject,
  remembered: Partial<InventoryObject> = {},
  desired = desiredCrd(),
): boolean {
  const object = {...desired.name, ...objectState(desired, listed()), ...remembered}
  return isSettledCrd(desired, live, [
    {inventory: {install: DB, phase: 'complete', toolVersion: '1', objects: [object]}, object},
  ])
}

describe('the metadata of a CRD', () => {
  it.each([
    {name: 'as an install left it', live: listed(), want: true},
    {name: 'whose status changed', live: listed({resourceVersion: '9'}), want: true},
    {name: 'with an annotation of others', live: listed({annotations: {icon: 'a', b: 'c'}}), want: true},
    {name: 'whose spec changed', live: listed({generation: 3}), want: false},
    {name: 'that was created again', live: listed({uid: 'u2', generation: 2}), want: false},
    {name: 'whose annotation changed', live: listed({annotations: {icon: 'b'}}), want: false},
    {name: 'without the label of a claim', live: listed({labels: {}}), want: false},
    {name: 'without the manager of a claim', live: listed({}, [CONTENT_MANAGER]), want: false},
    {name: 'that others apply now', live: listed({}, [claimManager(DB), 'helm']), want: false},
    {name: 'that is being deleted', live: listed({deletionTimestamp: 'now', generation: 3}), want: true},
  ])('is enough: $want for one $name', ({live, want}) => {
    expect(isSettled(live)).toBe(want)
  })

  it.each([
    {name: 'other content', remembered: {sent: 'other'}},
    {name: 'no generation', remembered: {generation: undefined}},
  ])('is not enough where the inventory has $name', ({remembered}) => {
    expect(isSettled(listed(), remembered)).toBe(false)
  })

  it('is sufficient for a CRD of the package API, which is never changed', () => {
    expect(isSettled(listed({generation: 3}, ['helm']), {}, desiredCrd('base'))).toBe(true)
  })
})
