import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER} from '../../../../src/cluster/claims.js'
import type {Inventory} from '../../../../src/cluster/inventory/inventory.js'
import {nameOf, objectKey} from '../../../../src/kubernetes/object-key.js'
import {
  isLost,
  lostInstance,
  lostInstanceText,
  lostScope,
} from '../../../../src/plan/cluster/crds/lost-instances.js'
import type {PermissionScope} from '../../../../src/unpack/package.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'

const NAME = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  name: 'caches.demo.example.org',
}

/** An install that claims the CRD. */
interface Claiming {
  readonly namespace: string
  readonly scope: PermissionScope
  /** Whether it created the CRD. */
  readonly created?: boolean
}

function inventoryOf({namespace, scope, created = true}: Claiming): Inventory {
  const install = {namespace, name: 'cache', era: 'packages', scope, mode: 'requested', for: {}} as const
  const object = {...NAME, uid: 'u1', ...(created ? {created} : {})}
  return {install, phase: 'complete', toolVersion: '1', objects: [object]}
}

function crdOf(installs: readonly Claiming[]): KubernetesObject {
  const managers = installs.map(({namespace}) => claimManager({namespace, name: 'cache'}))
  const managedFields = [CONTENT_MANAGER, ...managers].map(manager => ({manager, operation: 'Apply'}))
  return {
    ...{apiVersion: NAME.apiVersion, kind: NAME.kind},
    metadata: {name: NAME.name, uid: 'u1', managedFields},
    spec: {
      group: 'demo.example.org',
      names: {kind: 'Cache', plural: 'caches'},
      versions: [
        {name: 'v1alpha1', served: false},
        {name: 'v1', served: true},
      ],
    },
  }
}

/** The namespaces, of three, whose instances lose what serves them; and `-` for an instance without a namespace. */
function lostIn(removed: readonly Claiming[], staying: readonly Claiming[]): readonly string[] {
  const crd = crdOf([...removed, ...staying])
  const inventories = [...removed, ...staying].map(inventoryOf)
  const live = new Map([[objectKey(nameOf(crd)), crd]])
  const scope = lostScope(NAME, inventories.slice(0, removed.length), {inventories, live, recorded: []})
  if (scope === undefined) return []
  return ['a', 'b', 'c', '-'].filter(namespace =>
    isLost(
      {apiVersion: '', kind: '', metadata: {name: 'x', ...(namespace === '-' ? {} : {namespace})}},
      scope,
    ),
  )
}

const here = (namespace: string, created = true): Claiming => ({namespace, scope: 'Namespaced', created})
const everywhere = (namespace: string): Claiming => ({namespace, scope: 'Cluster'})

describe('the instances that lose their controller', () => {
  it.each<[string, readonly Claiming[], readonly Claiming[], readonly string[]]>([
    ['all of the only Cluster install', [everywhere('a')], [], ['a', 'b', 'c', '-']],
    ['none that another Cluster install serves', [everywhere('a')], [everywhere('b')], []],
    ['not those of a Namespaced install that stays', [everywhere('a')], [here('b')], ['a', 'c', '-']],
    ['those of its namespace, of a shared CRD', [here('a')], [here('b')], ['a']],
    ['all, if the CRD goes with the last Namespaced install', [here('a')], [], ['a', 'b', 'c', '-']],
    ['those of its namespace, of a CRD that was taken over', [here('a', false)], [], ['a']],
    ['those of both namespaces', [here('a', false), here('b', false)], [], ['a', 'b']],
  ])('are %s', (_, removed, staying, want) => {
    expect(lostIn(removed, staying)).toEqual(want)
  })

  it('are not listed without a served version', () => {
    const crd = {...crdOf([here('a')]), spec: {}}
    const live = new Map([[objectKey(NAME), crd]])
    const inventories = [inventoryOf(here('a'))]
    expect(lostScope(NAME, inventories, {inventories, live, recorded: []})).toBeUndefined()
  })

  it('are described with policies and finalizers, as far as they have them', () => {
    const text = (metadata: object, spec: object) =>
      lostInstanceText(
        lostInstance({apiVersion: '', kind: '', metadata: {name: 'mine', ...metadata}, spec: {...spec}}),
      )
    expect([
      text({}, {}),
      text({namespace: 'team', finalizers: ['x/a', 'x/b']}, {reclaimPolicy: 'Retain'}),
      text({}, {deletionPolicy: 'Orphan\u001b[2J', reclaimPolicy: 3}),
    ]).toEqual([
      'mine',
      'team/mine (reclaimPolicy Retain, finalizer x/a, finalizer x/b)',
      'mine (deletionPolicy Orphan\\u001b[2J)',
    ])
  })
})
