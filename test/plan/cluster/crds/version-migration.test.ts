import {describe, expect, it} from '@jest/globals'
import {CONTENT_MANAGER} from '../../../../src/cluster/claims.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import {NO_INSTANCES} from '../../../../src/plan/cluster/state/instance-survey.js'
import {contentHash} from '../../../../src/plan/cluster/state/live-object.js'
import {migratedBy} from '../../../../src/plan/cluster/crds/migrate-operation.js'
import {planInstall} from '../../../../src/plan/cluster/plan-install.js'
import {unplannedChanges} from '../../../../src/plan/cluster/objects/unplanned-changes.js'
import {versionMigration, withVersions} from '../../../../src/plan/cluster/crds/version-migration.js'
import {desiredObjects} from '../../../../src/plan/cluster/state/desired-object.js'
import type {JsonObject} from '../../../../src/yaml/json-value.js'
import {
  APPLIED,
  CRD,
  inventoryOf,
  live,
  NOTHING,
  rules,
  setOf,
  SHARED,
  shown,
  snapshot,
} from '../install-world.js'

const version = (name: string, storage = false): JsonObject => ({name, served: true, storage})

function crd(versions: readonly JsonObject[], more: JsonObject = {}): KubernetesObject {
  return {...CRD, spec: {...(CRD.spec as JsonObject), versions, ...more}}
}

const stored = (object: KubernetesObject, ...storedVersions: string[]): KubernetesObject => ({
  ...object,
  status: {storedVersions},
})

const V1 = crd([version('v1', true)])
const V2 = crd([version('v2', true)])
const BOTH = crd([version('v2', true), version('v1')])

describe('versionMigration', () => {
  it.each([
    ['a stored version is lost', V2, stored(V1, 'v1'), {from: ['v1'], to: 'v2'}],
    ['both are served already', V2, stored(BOTH, 'v1', 'v2'), {from: ['v1'], to: 'v2'}],
    ['nothing is stored in the lost version', V2, stored(BOTH, 'v2'), undefined],
    ['no version is lost', BOTH, stored(V1, 'v1'), undefined],
    [
      'a webhook converts',
      crd([version('v2', true)], {conversion: {strategy: 'Webhook'}}),
      stored(V1, 'v1'),
      undefined,
    ],
    ['the live CRD lacks the version', V2, stored(V2, 'v0', 'v2'), undefined],
    ['the CRD is v1beta1', {...V2, apiVersion: 'apiextensions.k8s.io/v1beta1'}, stored(V1, 'v1'), undefined],
  ])('%s', (_, content, found, want) => {
    expect(versionMigration(content, found)).toEqual(want)
  })

  it('stores objects in the new version only', () => {
    expect(withVersions(V2, V1, ['v1'])).toEqual(BOTH)
  })
})

describe('the plan of a migration', () => {
  const set = setOf({...SHARED, object: V2})
  const [desired] = desiredObjects(set)
  const key = desired!.key

  function planned(present: KubernetesObject, options = {migratesVersions: true}) {
    const world = snapshot(set, {
      live: [present],
      inventories: [inventoryOf(setOf({...SHARED, object: V1}), [present])],
      dryRuns: {'dbs.sql.org': {kind: 'rejected', message: 'status.storedVersions', isImmutable: false}},
      surveys: [[key, {...NO_INSTANCES, total: 3, first: ['a', 'b', 'c']}]],
    })
    const transitions = new Map([[key, APPLIED(BOTH)]])
    return {plan: planInstall(set, {...world, transitions}, {...NOTHING, ...options}), world}
  }

  const STEPS = [
    'apply ConfigMap crossplane-package.db',
    'apply CustomResourceDefinition dbs.sql.org',
    'wait CustomResourceDefinition dbs.sql.org',
    'migrate CustomResourceDefinition dbs.sql.org',
    'apply CustomResourceDefinition dbs.sql.org',
    'claim CustomResourceDefinition dbs.sql.org',
    'wait CustomResourceDefinition dbs.sql.org',
  ]

  it('serves both versions, migrates, and drops the former one', () => {
    const {plan} = planned(live(stored(V1, 'v1')))
    expect(shown(plan)).toEqual(STEPS)
    const [, served, , migrate, dropped] = plan.operations
    expect(JSON.parse(served!.content!)).toMatchObject({
      spec: {versions: [{name: 'v2'}, {name: 'v1', storage: false}]},
    })
    const precondition = {uid: 'u1', sha256: contentHash(live(BOTH))}
    expect(migrate).toMatchObject({
      precondition,
      risks: [{message: 'migrates 3 custom resources of dbs.sql.org from v1 to v2'}],
    })
    expect(migratedBy(migrate!)).toEqual({
      from: ['v1'],
      to: 'v2',
      kind: {apiVersion: 'sql.org/v2', kind: 'Db'},
      total: 3,
    })
    expect(dropped).toMatchObject({precondition, manager: CONTENT_MANAGER, content: desired!.text})
  })

  it('continues where the CRD serves both', () => {
    const {plan} = planned(live(stored(BOTH, 'v1', 'v2')))
    expect(shown(plan)).toEqual(STEPS.filter((_, step) => step !== 1))
  })

  it('requires the flag', () => {
    const {plan} = planned(live(stored(V1, 'v1')), {migratesVersions: false})
    expect(rules(plan)).toEqual(['crd-version-removed'])
  })

  it('is a part of its saved plan, however far it came', () => {
    const {plan: saved} = planned(live(stored(V1, 'v1')))
    const {plan: rest, world} = planned(live(stored(BOTH, 'v1', 'v2')))
    const drop = {...saved.operations[4]!, reason: 'the object differs from the package', risks: []}
    expect(unplannedChanges(saved.operations, rest.operations, world)).toEqual([])
    expect(unplannedChanges(saved.operations, [drop], world)).not.toContain(
      'CustomResourceDefinition dbs.sql.org',
    )
    const other = {...drop, content: '{}'}
    expect(unplannedChanges(saved.operations, [other], world)).toContain(
      'CustomResourceDefinition dbs.sql.org',
    )
  })
})
