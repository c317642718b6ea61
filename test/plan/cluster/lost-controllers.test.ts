import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {nameOf, objectKey} from '../../../src/kubernetes/object-key.js'
import {desiredObjects} from '../../../src/plan/cluster/state/desired-object.js'
import {judgeLostControllers, lostControllers} from '../../../src/plan/cluster/lost-controllers.js'
import {isLost} from '../../../src/plan/cluster/crds/lost-instances.js'
import type {InstallId, InstallSet} from '../../../src/render/install-set.js'
import type {PermissionScope} from '../../../src/unpack/package.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {DB, snapshot} from './install-world.js'

const CRD: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'dbs.sql.org', uid: 'u1'},
  spec: {
    group: 'sql.org',
    names: {kind: 'Db', plural: 'dbs'},
    scope: 'Namespaced',
    versions: [{name: 'v1', served: true, storage: true}],
  },
}
const DEPLOYMENT: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'db', namespace: 'team'},
}
const OTHER = {namespace: 'b', name: 'other'}

/** What an install has of the CRD: the CRD in its namespace or in all, a controller. */
interface Version {
  readonly scope: PermissionScope
  readonly hasCrd: boolean
  readonly hasController: boolean
}

const WHOLE: Version = {scope: 'Cluster', hasCrd: true, hasController: true}
const TEAM: Version = {...WHOLE, scope: 'Namespaced'}

function setOf({scope, hasCrd, hasController}: Version): InstallSet {
  return {
    installs: [{...DB, scope}],
    objects: [
      ...(hasCrd ? ([{phase: 'crds', shared: 'crd', claims: [DB], object: CRD}] as const) : []),
      ...(hasController ? ([{phase: 'controllers', install: DB, object: DEPLOYMENT}] as const) : []),
    ],
    warnings: [],
  }
}

function inventoryOf(id: InstallId, {scope, hasCrd, hasController}: Version): Inventory {
  const objects = [
    ...(hasCrd ? [{...nameOf(CRD), uid: 'u1', created: true}] : []),
    ...(hasController ? [nameOf(DEPLOYMENT)] : []),
  ]
  return {install: {...DB, ...id, scope}, phase: 'complete', toolVersion: '1', objects}
}

function world(before: Version, after: Version, other?: Version) {
  const set = setOf(after)
  const others = other === undefined ? [] : [inventoryOf(OTHER, other)]
  const inventories = [inventoryOf(DB, before), ...others]
  const managers = inventories.map(({install}) => claimManager(install))
  const managedFields = [CONTENT_MANAGER, ...managers].map(manager => ({manager, operation: 'Apply'}))
  const live = {...CRD, metadata: {...CRD.metadata, managedFields}}
  return {
    set: {installs: set.installs, desired: desiredObjects(set)},
    uses: snapshot(set, {live: [live], inventories}),
  }
}

const instanceIn = (namespace: string) => ({apiVersion: '', kind: '', metadata: {name: 'x', namespace}})

describe('the instances that lose their controller when an install changes', () => {
  it.each<{
    readonly name: string
    readonly before: Version
    readonly after: Version
    readonly other?: Version
    readonly want: readonly string[]
  }>([
    {name: 'none, if nothing changes', before: WHOLE, after: WHOLE, want: []},
    {
      name: 'all of a CRD that it no longer has',
      before: WHOLE,
      after: {...WHOLE, hasCrd: false},
      want: ['team', 'b', 'c'],
    },
    {
      name: 'all, without a controller',
      before: WHOLE,
      after: {...WHOLE, hasController: false},
      want: ['team', 'b', 'c'],
    },
    {
      name: 'none, if it never had a controller',
      before: {...WHOLE, hasController: false},
      after: {...WHOLE, hasController: false},
      want: [],
    },
    {
      name: 'those of other namespaces, if it serves only its own from now on',
      before: WHOLE,
      after: TEAM,
      want: ['b', 'c'],
    },
    {name: 'none, if it serves all from now on', before: TEAM, after: WHOLE, want: []},
    {name: 'those of its namespace', before: TEAM, after: {...TEAM, hasCrd: false}, want: ['team']},
    {
      name: 'none that another install serves',
      before: WHOLE,
      after: {...WHOLE, hasCrd: false},
      other: WHOLE,
      want: [],
    },
    {
      name: 'those of namespaces that no other install serves',
      before: WHOLE,
      after: {...WHOLE, hasCrd: false},
      other: TEAM,
      want: ['team', 'c'],
    },
  ])('are $name', ({before, after, other, want}) => {
    const {set, uses} = world(before, after, other)
    const scope = lostControllers(set, uses).get(objectKey(nameOf(CRD)))
    const lost = ['team', 'b', 'c'].filter(each => scope !== undefined && isLost(instanceIn(each), scope))
    expect(lost).toEqual(want)
  })

  const {set, uses} = world(WHOLE, {...WHOLE, hasCrd: false})
  const counted = {
    ...uses,
    instances: new Map([[objectKey(nameOf(CRD)), {total: 1, first: [{name: 'mine'}]}]]),
  }

  it('reject the change, with their number and names', () => {
    expect(judgeLostControllers(set, counted, {keepsInstances: false})).toMatchObject({
      rejections: [
        {
          rule: 'instances-exist',
          message: '1 custom resource of dbs.sql.org would lose its controller: mine',
          suggestions: [
            'kubectl get dbs.sql.org --all-namespaces',
            'Delete the custom resources while their controller still runs.',
            'Pass --custom-resources=keep to keep them without a controller.',
          ],
        },
      ],
      kept: [],
      impact: {crds: [{crd: 'dbs.sql.org', instances: 1}]},
    })
  })

  it('stay with their CRD if the user keeps them', () => {
    expect(judgeLostControllers(set, counted, {keepsInstances: true})).toMatchObject({
      rejections: [],
      kept: [{object: {name: 'dbs.sql.org'}, reason: 'kept by --custom-resources=keep'}],
      impact: {crds: [{crd: 'dbs.sql.org', instances: 1}]},
    })
  })

  it('reject the change if no version is served, because they cannot be listed', () => {
    const unserved = {
      ...CRD,
      spec: {...(CRD.spec as object), versions: [{name: 'v1', served: false, storage: true}]},
    }
    const unlisted = {...uses, live: new Map([[objectKey(nameOf(CRD)), unserved]])}
    expect(judgeLostControllers(set, unlisted, {keepsInstances: false})).toMatchObject({
      rejections: [{rule: 'instances-not-listed'}],
    })
  })
})
