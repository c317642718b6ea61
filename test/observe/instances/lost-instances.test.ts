import {describe, expect, it} from '@jest/globals'
import {countLostInstances} from '../../../src/observe/instances/lost-instances.js'
import {claimManager, CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import {json, scriptedApi, statusOf} from '../../cluster/api/scripted-api.js'
import {outcome} from '../../outcome.js'

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  name: 'things.example.org',
}
const KEY = objectKey(CRD)
const INSTALL = {
  namespace: 'a',
  name: 'thing',
  era: 'packages',
  scope: 'Cluster',
  mode: 'requested',
  for: {},
} as const
const INVENTORY: Inventory = {
  install: INSTALL,
  phase: 'complete',
  toolVersion: '1',
  objects: [{...CRD, uid: 'u', created: true}],
}
const managedFields = [CONTENT_MANAGER, claimManager(INSTALL)].map(manager => ({manager, operation: 'Apply'}))
const crd = (established: string) => ({
  ...{apiVersion: CRD.apiVersion, kind: CRD.kind},
  metadata: {name: CRD.name, uid: 'u', managedFields},
  spec: {
    group: 'example.org',
    names: {kind: 'Thing', plural: 'things'},
    versions: [{name: 'v1', served: true}],
  },
  status: {conditions: [{type: 'Established', status: established}]},
})
const CRDS = {name: 'customresourcedefinitions', kind: CRD.kind, namespaced: false, verbs: ['get']}
const THINGS = {name: 'things', kind: 'Thing', namespaced: true, verbs: ['list']}
const NOT_FOUND = statusOf(404, 'NotFound', 'the server could not find the requested resource')

/** Counts the instances of a CRD that the server has or not, while it does not serve the kind. */
async function counted(found: ReturnType<typeof crd> | undefined, isDiscovered: boolean) {
  const {api} = scriptedApi(({url}) => {
    if (url.pathname === '/apis/apiextensions.k8s.io/v1') return json({resources: [CRDS]})
    if (url.pathname === '/apis/example.org/v1' && isDiscovered) return json({resources: [THINGS]})
    const isCrd = url.pathname.endsWith(`/customresourcedefinitions/${CRD.name}`)
    return isCrd && found !== undefined ? json(found) : NOT_FOUND
  })
  const live = new Map([[KEY, crd('True')]])
  const uses = {inventories: [INVENTORY], live, recorded: []}
  const counts = await outcome(() => countLostInstances([INVENTORY], uses, {customResources: 'abort'}, api))
  return typeof counts === 'string' ? counts : counts.get(KEY)?.total
}

describe('the count of instances of a kind that is not served', () => {
  it.each([
    {
      name: 'of an established CRD is unknown',
      found: crd('True'),
      discovered: false,
      want: 'cluster-refused',
    },
    {name: 'is unknown after discovery', found: crd('True'), discovered: true, want: 'cluster-refused'},
    {name: 'of a CRD that was never established is 0', found: crd('False'), discovered: false, want: 0},
    {name: 'of a CRD that is gone is 0', found: undefined, discovered: true, want: 0},
  ])('$name', async ({found, discovered, want}) => {
    expect(await counted(found, discovered)).toBe(want)
  })
})

describe('the description of instances', () => {
  const thing = (namespace: string, index: number) => ({
    apiVersion: 'example.org/v1',
    kind: 'Thing',
    metadata: {namespace, name: `t-${index}`, uid: `${namespace}-${index}`},
    spec: {reclaimPolicy: 'Retain'},
  })
  /** Another install serves those of namespace `b`. */
  const other: Inventory = {
    ...INVENTORY,
    install: {...INSTALL, namespace: 'b', scope: 'Namespaced'},
    objects: [CRD],
  }
  const shared = crd('True')
  const claimed = {
    ...shared,
    metadata: {
      ...shared.metadata,
      managedFields: [...managedFields, {manager: claimManager(other.install), operation: 'Apply'}],
    },
  }

  it.each([
    {name: 'reads one page of those that begin the list', served: 0, whole: 1},
    {name: 'reads those after many others by name', served: 1000, whole: 4},
  ])('$name', async ({served, whole}) => {
    const all = [
      ...Array.from({length: served}, (_, index) => thing('b', index)),
      ...[0, 1, 2].map(index => thing('c', index)),
    ]
    const {api, requests} = scriptedApi(({url}) => {
      if (url.pathname === '/apis/example.org/v1') return json({resources: [THINGS]})
      const start = Number(url.searchParams.get('continue') ?? 0)
      const limit = Number(url.searchParams.get('limit') ?? all.length)
      const name = url.searchParams.get('fieldSelector')?.replace('metadata.name=', '')
      const within = /namespaces\/(.*)\//.exec(url.pathname)?.[1]
      const found = all.filter(
        ({metadata}) =>
          (name === undefined || metadata.name === name) &&
          (within === undefined || metadata.namespace === within),
      )
      const metadata = {
        resourceVersion: '1',
        continue: start + limit < found.length ? String(start + limit) : '',
      }
      return json({metadata, items: found.slice(start, start + limit)})
    })
    const uses = {inventories: [INVENTORY, other], live: new Map([[KEY, claimed]]), recorded: []}
    const counts = await countLostInstances([INVENTORY], uses, {customResources: 'abort'}, api)
    const counted = counts.get(KEY)
    expect(counted).toMatchObject({
      total: 3,
      first: [0, 1, 2].map(index => ({namespace: 'c', name: `t-${index}`, reclaimPolicy: 'Retain'})),
    })
    const described = requests().filter(({url}) => url.searchParams.get('limit') === '20')
    expect(described).toHaveLength(whole)
  })
})
